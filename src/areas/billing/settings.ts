import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'

const SERIES_CODE = '^[A-Za-z0-9+\\-_/]{1,21}$'

/** What the numbers of a series begin with (R3.3). */
export const SeriesCode = Type.String({ pattern: SERIES_CODE })

const Code = (fallback: string, description: string) =>
  Type.String({ pattern: SERIES_CODE, default: fallback, description })

/** How long an order waits for its payment, unless the tenant chose otherwise (R3.4). */
export const UNPAID_HOURS = 24

/** The kinds of invoice that may have a series of their own. */
const KIND_SERIES = Type.Object(
  {
    checkout: Type.Optional(SeriesCode),
    upgrade: Type.Optional(SeriesCode),
    renewal: Type.Optional(SeriesCode),
    manual: Type.Optional(SeriesCode),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'Separate series for some kinds of invoice',
  },
)

/** When each kind of invoice gets its number, unless the tenant chose otherwise (R3.4). */
export const NUMBERED_AT = {
  ...{ checkout: 'payment', upgrade: 'payment', top_up: 'payment' },
  ...{ renewal: 'issue', manual: 'issue' },
} as const satisfies Readonly<Record<string, 'issue' | 'payment'>>

const NumberedAt = Type.Optional(OneOf(['issue', 'payment']))

const NUMBER_AT = Type.Object(
  { checkout: NumberedAt, upgrade: NumberedAt, renewal: NumberedAt, manual: NumberedAt },
  {
    additionalProperties: false,
    default: {},
    description:
      'When each kind of invoice gets its number: when issued (default for renewal and manual), or with the ' +
      'first payment, pro forma until then (default for checkout and upgrade)',
  },
)

/** The tenant's settings for invoices. */
export const billingSettings = settings(
  'billing',
  Type.Object({
    invoiceSeries: Code('INV', 'Prefix of invoice numbers'),
    creditNoteSeries: Code('CN', 'Prefix of credit note numbers'),
    topUpSeries: Code('TOP', 'Prefix of the numbers of receipts for bought credit'),
    kindSeries: KIND_SERIES,
    numberAt: NUMBER_AT,
    moreSeries: Type.Array(SeriesCode, {
      default: [],
      maxItems: 20,
      description: 'Further series that an administrator can choose for an invoice',
    }),
    paymentDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 14,
      description: 'Days until a manual invoice without a due date is due',
    }),
    unpaidHours: Type.Integer({
      minimum: 1,
      maximum: 720,
      default: UNPAID_HOURS,
      description: 'Hours after which an unpaid order is canceled',
    }),
    maxUnpaidTopUpsPerDay: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Unpaid credit top-ups that a customer may start within 24 hours',
    }),
    documentYears: Type.Integer({
      minimum: 6,
      maximum: 30,
      default: 10,
      description:
        'Years after the year of issue for which documents of deleted accounts keep the buyer',
    }),
  }),
)
