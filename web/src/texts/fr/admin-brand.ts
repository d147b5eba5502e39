export const brand = {}
