import { Type } from 'typebox'
import { settings } from '#tenants'

const Code = (fallback: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+\\-_/]{1,21}$', default: fallback })

/** How long an order waits for its money, unless the tenant says otherwise (R3.4). */
export const UNPAID_HOURS = 24

/** How a tenant invoices. */
export const billingSettings = settings(
  'billing',
  Type.Object({
    invoiceSeries: Code('INV'),
    creditNoteSeries: Code('CN'),
    topUpSeries: Code('TOP'),
    unpaidHours: Type.Integer({
      minimum: 1,
      maximum: 720,
      default: UNPAID_HOURS,
      description: 'After this many hours an order that nobody paid is given up',
    }),
    documentYears: Type.Integer({
      minimum: 6,
      maximum: 30,
      default: 10,
      description:
        'How many years after the one they were issued in documents of deleted people keep the buyer (R3.12)',
    }),
  }),
)
