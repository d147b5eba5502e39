export { InvoiceTag, OrderTag } from './status.tsx'
