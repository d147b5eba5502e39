import { type Static, Type } from 'typebox'
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

export const CommissionStatus = OneOf(['pending', 'available', 'reversed'])
export type CommissionStatus = Static<typeof CommissionStatus>

/** A commission, as the affiliate sees it. */
export const OwnCommission = Resource('OwnCommission', {
  id: Id,
  invoiceId: Id,
  status: CommissionStatus,
  amountCents: Amount,
  reversedCents: Amount,
  currency: Currency,
  availableAt: Type.Unsafe<Static<typeof Timestamp>>({
    ...Timestamp,
    description: 'From then on it can be used, unless it waits for somebody to look at it',
  }),
  createdAt: Timestamp,
})

export const Commission = Resource('Commission', {
  ...OwnCommission.properties,
  affiliateId: Id,
  referralId: Id,
  userId: Type.Unsafe<string>({ ...Id, description: 'Who paid the invoice' }),
  cashCents: Type.Unsafe<Static<typeof Amount>>({
    ...Amount,
    description: 'What of the invoice came in as money',
  }),
  baseCents: Type.Unsafe<Static<typeof Amount>>({ ...Amount, description: 'The net of that' }),
  flags: Type.Array(Type.String(), {
    description: 'Why somebody should look first: `same_origin`, `same_address`',
  }),
  reviewedAt: Nullable(Timestamp),
  reviewedBy: Nullable(Id),
  rejectedAt: Nullable(Timestamp),
  maturedAt: Nullable(Timestamp),
})

export const CommissionQuery = Type.Object({
  ...PageQuery.properties,
  affiliateId: Type.Optional(Id),
  status: Type.Optional(CommissionStatus),
  toReview: Type.Optional(
    Type.Boolean({ description: 'Those that wait for somebody to approve or reject them' }),
  ),
})
