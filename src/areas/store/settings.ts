import { Type } from 'typebox'
import { settings } from '#tenants'

/** What a shop allows in one order. */
export const storeSettings = settings(
  'store',
  Type.Object({
    maxUnitsPerOrder: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 1000,
      description: 'How many things one cart may hold, quantities added up',
    }),
  }),
)
