import { Type } from 'typebox'
import { Named, Nullable, OneOf } from '#lib/schema.ts'

/** The unit a plan is billed in. */
export const Interval = Named('Interval', OneOf(['one_time', 'hour', 'week', 'month', 'year']))

/** How many units one period has. */
export const IntervalCount = Type.Integer({
  ...{ minimum: 1, maximum: 120 },
  description: 'Intervals in a period: 3 with `month` is a quarter; 1 by default',
})

export const Micros = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000_000,
  description: 'The price of one hour; 10 000 micros are a cent',
})

/** The position in a list that people see: lower is earlier. */
export const Position = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

/** How many services have a product or a plan. */
export const ServiceCount = Nullable(
  Type.Integer({ description: 'Services that have not ended; null in lists' }),
)

/** Which part of a list of the catalogue is requested. */
export const ArchivedQuery = {
  archived: Type.Optional(Type.Boolean({ description: 'Only what is archived' })),
}

const NAME = '^(?!__proto__$)\\w{1,191}$'

/** Choices that a customer made for one item of the cart. */
export const Options = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  propertyNames: { type: 'string', pattern: NAME },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 2000 },
  maxProperties: 100,
})
