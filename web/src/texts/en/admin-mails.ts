export const mails = {}
