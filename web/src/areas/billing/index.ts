export { InvoiceTag } from './status.tsx'
