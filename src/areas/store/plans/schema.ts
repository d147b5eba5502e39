import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  Price,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { Interval, ServiceCount } from '../schema.ts'

const Micros = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000_000,
  description: 'The price of one hour; 10 000 micros are a cent',
})
const IntervalCount = Type.Integer({ minimum: 1, maximum: 120 })
const TrialDays = Type.Integer({ minimum: 0, maximum: 365 })

const NewPrice = Body({
  currency: Currency,
  priceCents: Price,
  setupFeeCents: Type.Optional(Price),
  priceMicros: Type.Optional(Nullable(Micros)),
})
const Prices = Type.Array(NewPrice, { maxItems: 50 })

export const NewPlan = Body({
  productId: Id,
  name: Line(),
  interval: Interval,
  intervalCount: Type.Optional(IntervalCount),
  priceCents: Price,
  priceMicros: Type.Optional(Nullable(Micros)),
  currency: Type.Optional(Currency),
  setupFeeCents: Type.Optional(Price),
  trialDays: Type.Optional(TrialDays),
  prices: Type.Optional(Prices),
})
export type NewPlan = Static<typeof NewPlan>

export const PlanChange = Body({
  name: Type.Optional(Line()),
  interval: Type.Optional(Interval),
  intervalCount: Type.Optional(IntervalCount),
  priceCents: Type.Optional(Price),
  priceMicros: Type.Optional(Nullable(Micros)),
  currency: Type.Optional(Currency),
  setupFeeCents: Type.Optional(Price),
  trialDays: Type.Optional(TrialDays),
  prices: Type.Optional(Prices),
})
export type PlanChange = Static<typeof PlanChange>

const OtherPrice = Resource('PlanPrice', {
  currency: Type.String(),
  priceCents: Amount,
  setupFeeCents: Amount,
  priceMicros: Nullable(Type.Integer()),
})

export const Plan = Resource('Plan', {
  id: Id,
  productId: Id,
  name: Type.String(),
  interval: Interval,
  intervalCount: Type.Integer(),
  priceCents: Amount,
  priceMicros: Nullable(Type.Integer()),
  currency: Type.String(),
  setupFeeCents: Amount,
  trialDays: Type.Integer(),
  prices: Type.Array(OtherPrice, { description: 'In other currencies' }),
  serviceCount: ServiceCount,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
