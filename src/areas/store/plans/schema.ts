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
import { Interval, IntervalCount, Micros, ServiceCount } from '../schema.ts'

const TrialDays = Type.Integer({
  ...{ minimum: 0, maximum: 365 },
  description: 'Days before the first period is due; 0 by default, and for recurring plans only',
})
const PeriodPrice = {
  ...Price,
  description:
    'The price of a period, with or without tax as the prices of the shop are; the most that a month costs for `hour`',
}
const SetupFee = { ...Price, description: 'Charged once, with the first period; 0 by default' }

const NewPrice = Body({
  currency: Currency,
  priceCents: Price,
  setupFeeCents: Type.Optional(Price),
  priceMicros: Type.Optional(Nullable(Micros)),
})
const Prices = Type.Array(NewPrice, {
  maxItems: 50,
  description: 'Prices in currencies other than `currency`; none by default',
})

export const NewPlan = Body({
  productId: Id,
  name: Line(),
  interval: Interval,
  intervalCount: Type.Optional(IntervalCount),
  priceCents: PeriodPrice,
  priceMicros: Type.Optional(Nullable(Micros)),
  currency: Type.Optional(Currency),
  setupFeeCents: Type.Optional(SetupFee),
  trialDays: Type.Optional(TrialDays),
  prices: Type.Optional(Prices),
})
export type NewPlan = Static<typeof NewPlan>

export const PlanChange = Body({
  name: Type.Optional(Line()),
  interval: Type.Optional(Interval),
  intervalCount: Type.Optional(IntervalCount),
  priceCents: Type.Optional(PeriodPrice),
  priceMicros: Type.Optional(Nullable(Micros)),
  currency: Type.Optional(Currency),
  setupFeeCents: Type.Optional(SetupFee),
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
