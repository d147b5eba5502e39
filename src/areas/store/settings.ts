import { Type } from 'typebox'
import { settings } from '#tenants'

/** What a shop allows in one order, and how long it stores trials. */
export const storeSettings = settings(
  'store',
  Type.Object({
    maxUnitsPerOrder: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 1000,
      description: 'Maximum sum of quantities in one cart',
    }),
    rememberTrialsMonths: Type.Integer({
      minimum: 1,
      maximum: 120,
      default: 24,
      description:
        'Months for which keyed hashes of the address, payment method and panel account of a trial are ' +
        'kept, also after the account was deleted',
    }),
  }),
)
