import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Nullable, Price, Resource } from '#lib/schema.ts'
import { Interval, IntervalCount, Micros } from '../schema.ts'

/** What is charged beside a plan in one cycle and currency, as staff set it. */
export const NewComponentPrice = Body(
  {
    interval: Interval,
    intervalCount: Type.Optional(IntervalCount),
    currency: Currency,
    priceCents: Price,
    feeCents: Type.Optional(Price),
    priceMicros: Type.Optional(Nullable(Micros)),
  },
  'NewComponentPrice',
)
export type NewComponentPrice = Static<typeof NewComponentPrice>

const NewComponentPrices = Type.Array(NewComponentPrice, { maxItems: 500 })

/** The same as it is answered. */
export const ComponentPrice = Resource('ComponentPrice', {
  interval: Interval,
  intervalCount: Type.Integer(),
  currency: Type.String(),
  priceCents: { ...Amount, description: 'A period; by the hour, at most a month' },
  feeCents: { ...Amount, description: 'Once' },
  priceMicros: Nullable(Type.Integer({ description: 'An hour; 10 000 micros are a cent' })),
})

export const LocationPrices = Resource('LocationPrices', {
  prices: Type.Array(ComponentPrice, {
    description:
      'Empty: no surcharge, sold with every plan; otherwise sold only in the cycles and currencies that are listed',
  }),
})

export const LocationPricesChange = Body({ prices: NewComponentPrices })
