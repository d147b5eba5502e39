export const roles = {}
