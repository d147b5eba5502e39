import { Type } from 'typebox'
import { settings } from '#tenants'

/** What a shop allows in one order, and how long it remembers trials. */
export const storeSettings = settings(
  'store',
  Type.Object({
    maxUnitsPerOrder: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 1000,
      description: 'How many things one cart may hold, quantities added up',
    }),
    rememberTrialsMonths: Type.Integer({
      minimum: 1,
      maximum: 120,
      default: 24,
      description:
        'For how many months the shop remembers, as keyed hashes, which address, payment method and ' +
        'panel account tried a product; also after the account was deleted',
    }),
  }),
)
