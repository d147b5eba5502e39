import { Type } from 'typebox'
import { Amount, Currency, Id, Resource, Timestamp } from '#lib/schema.ts'
import { TaxLine } from '../invoices/schema.ts'

export const CreditNoteSchema = Resource('CreditNote', {
  id: Id,
  number: Type.String(),
  invoiceId: Id,
  invoiceNumber: Type.String(),
  reason: Type.String(),
  currency: Currency,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  taxes: Type.Array(TaxLine),
  issuedAt: Timestamp,
  createdAt: Timestamp,
})
