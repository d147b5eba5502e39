export { invoicesKey } from './reads.ts'
export { InvoiceTag } from './status.tsx'
