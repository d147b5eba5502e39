export { methodName } from './names.ts'
export { invoicesKey } from './reads.ts'
export { InvoiceTag } from './status.tsx'
