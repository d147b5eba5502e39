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
    description: 'From then on it can be converted, unless it needs a review',
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
    description: 'The part of the invoice that was paid with money, not with credit',
  }),
  baseCents: Type.Unsafe<Static<typeof Amount>>({ ...Amount, description: 'The net of that' }),
  flags: Type.Array(Type.String(), {
    description: 'Why it needs a review: `same_origin`, `same_address`',
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
  toReview: Type.Optional(Type.Boolean({ description: 'Only those that need a review' })),
})
