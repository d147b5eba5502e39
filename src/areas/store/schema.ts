import { Type } from 'typebox'
import { Nullable, OneOf } from '#lib/schema.ts'

/** The unit a plan is billed in. */
export const Interval = OneOf(['one_time', 'hour', 'week', 'month', 'year'])

/** Where something stands in a list that people see: lower is earlier. */
export const Position = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

/** How many services have a product or a plan. */
export const ServiceCount = Nullable(
  Type.Integer({ description: 'Services that have not ended; null in lists' }),
)

/** Which part of a list of the catalogue is wanted. */
export const ArchivedQuery = {
  archived: Type.Optional(Type.Boolean({ description: 'Only what is archived' })),
}

const NAME = '^(?!__proto__$)\\w{1,191}$'

/** Choices a customer made for one thing in the cart. */
export const Options = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  propertyNames: { type: 'string', pattern: NAME },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 2000 },
  maxProperties: 100,
})
