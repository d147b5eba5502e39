import { Type } from 'typebox'
import { MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import { settings } from '#tenants'

/** How much of vouchers a customer may redeem. */
export const voucherSettings = settings(
  'vouchers',
  Type.Object({
    redeemedPerDayCents: Type.Integer({
      minimum: 1,
      maximum: MAX_UNIT_PRICE_CENTS,
      default: 50_000,
      description:
        'How much a customer can redeem within 24 hours, in each currency; also the highest amount of a new voucher',
    }),
  }),
)
