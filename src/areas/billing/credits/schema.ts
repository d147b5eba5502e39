import { Type } from 'typebox'
import { Amount, Currency, Id, Nullable, PageQuery, Resource, Timestamp } from '#lib/schema.ts'

export const CreditEntry = Resource('CreditEntry', {
  id: Id,
  kind: Type.String(),
  amountCents: Amount,
  balanceAfterCents: Amount,
  currency: Currency,
  description: Nullable(Type.String()),
  createdAt: Timestamp,
})

export const CreditQuery = Type.Object({
  ...PageQuery.properties,
  currency: Type.Optional(Currency),
})
