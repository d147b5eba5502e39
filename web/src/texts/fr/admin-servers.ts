export const servers = {}
