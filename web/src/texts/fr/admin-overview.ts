export const overview = {}
