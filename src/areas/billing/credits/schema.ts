import { Type } from 'typebox'
import { CREDIT_KINDS } from '#ledger'
import {
  Amount,
  Currency,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

export const CreditEntry = Resource('CreditEntry', {
  id: Id,
  kind: OneOf(
    [...CREDIT_KINDS],
    'credit_held: set aside for an unpaid order; goodwill: given by the shop; voucher_redeemed: a code of the shop',
  ),
  amountCents: { ...Amount, description: 'Above 0 if credit was added' },
  balanceAfterCents: Amount,
  currency: Currency,
  description: Nullable(
    Type.String({
      description:
        'The number of the invoice or credit note, the reason that staff gave, or the end of a voucher code',
    }),
  ),
  createdAt: Timestamp,
})

export const CreditQuery = Type.Object({
  ...PageQuery.properties,
  currency: Type.Optional(Currency),
})
