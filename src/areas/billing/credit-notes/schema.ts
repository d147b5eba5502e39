import { Type } from 'typebox'
import { Amount, Currency, Id, Timestamp } from '#lib/schema.ts'
import { TaxLine } from '../invoices/schema.ts'

export const CreditNoteSchema = Type.Object({
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
