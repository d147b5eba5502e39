export const tenants = {}
