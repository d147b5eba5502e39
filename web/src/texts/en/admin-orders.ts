export const orders = {}
