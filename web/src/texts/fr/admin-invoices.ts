export const invoices = {}
