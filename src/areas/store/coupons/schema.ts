import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Named,
  Nullable,
  OneOf,
  PositiveAmount,
  Price,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { Interval } from '../schema.ts'

const CODE = '^\\s*[A-Za-z0-9_-]{1,50}\\s*$'

/** Spaces around a code do not count, and neither does its case. */
export const Code = Type.String({ pattern: CODE, maxLength: 100 })

const CouponType = OneOf(['percent', 'fixed'])
const Duration = Named(
  'CouponDuration',
  OneOf(
    ['once', 'cycles', 'forever'],
    'For the first invoice, for durationCycles period invoices, or for all',
  ),
)
const Percent = Type.Integer({ minimum: 1, maximum: 10_000 })
const Cycles = Type.Integer({ minimum: 1, maximum: 1000 })
const Maximum = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const Ids = Type.Array(Id, { maxItems: 1000, uniqueItems: true })

const optional = {
  percentBasisPoints: Type.Optional(Nullable(Percent)),
  amountCents: Type.Optional(Nullable(PositiveAmount)),
  currency: Type.Optional(Currency),
  duration: Type.Optional(Duration),
  durationCycles: Type.Optional(Nullable(Cycles)),
  minimumCents: Type.Optional(Nullable(Price)),
  maxRedemptions: Type.Optional(Nullable(Maximum)),
  maxRedemptionsPerUser: Type.Optional(Nullable(Maximum)),
  validFrom: Type.Optional(Nullable(Timestamp)),
  validTo: Type.Optional(Nullable(Timestamp)),
  newCustomersOnly: Type.Optional(Type.Boolean()),
  includeSetupFee: Type.Optional(Type.Boolean()),
  stackable: Type.Optional(Type.Boolean()),
  productIds: Type.Optional(Ids),
  categoryIds: Type.Optional(Ids),
  planIds: Type.Optional(Ids),
  intervals: Type.Optional(Type.Array(Interval, { maxItems: 5, uniqueItems: true })),
}

export const NewCoupon = Body({ code: Code, type: CouponType, ...optional })
export type NewCoupon = Static<typeof NewCoupon>

const { code: _, ...terms } = NewCoupon.properties

export const CouponBatch = Body({
  ...terms,
  count: Type.Integer({ minimum: 1, maximum: 500 }),
  prefix: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{0,30}$', description: 'What each code begins with' }),
  ),
  dryRun: Type.Optional(Type.Boolean({ default: false })),
})
export type CouponBatch = Static<typeof CouponBatch>

export const CouponCodes = Resource('CouponCodes', {
  dryRun: Type.Boolean(),
  created: Type.Integer(),
  rows: Type.Array(Type.Object({ id: Id, code: Type.String() }), {
    description: 'With `dryRun` examples: the codes of another request differ',
  }),
})

export const CouponChange = Body({
  code: Type.Optional(Code),
  type: Type.Optional(CouponType),
  ...optional,
})
export type CouponChange = Static<typeof CouponChange>

export const Coupon = Resource('Coupon', {
  id: Id,
  code: Type.String(),
  type: CouponType,
  percentBasisPoints: Nullable(Type.Integer()),
  amountCents: Nullable(Amount),
  currency: Type.String(),
  duration: Duration,
  durationCycles: Nullable(Type.Integer()),
  minimumCents: Nullable(Amount),
  maxRedemptions: Nullable(Type.Integer()),
  maxRedemptionsPerUser: Nullable(Type.Integer()),
  redemptions: Type.Integer({ description: 'Confirmed, and held by orders that wait for money' }),
  validFrom: Nullable(Timestamp),
  validTo: Nullable(Timestamp),
  newCustomersOnly: Type.Boolean(),
  includeSetupFee: Type.Boolean(),
  stackable: Type.Boolean(),
  productIds: Type.Array(Id),
  categoryIds: Type.Array(Id),
  planIds: Type.Array(Id),
  intervals: Type.Array(Interval),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
