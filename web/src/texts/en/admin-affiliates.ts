export const affiliates = {}
