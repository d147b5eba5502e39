import { type Static, Type } from 'typebox'
import { Country } from '#lib/schema.ts'
import { settings } from '#tenants'

const Limit = (fallback: number, description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: 10_000, default: fallback, description })

const Yes = (description: string) => Type.Boolean({ default: true, description })

/** What customers may have before they have paid, and how orders start. */
export const orderSettings = settings(
  'orders',
  Type.Object({
    confirmedAddress: Yes('Hourly plans, trials and free orders need a confirmed e-mail address'),
    hourlyNeedsMethod: Yes('Hourly plans need a saved payment method, or credit'),
    hourlyCreditHours: Limit(
      72,
      'Hours of all hourly services that credit must cover to replace a saved payment method; 0: never',
    ),
    trialNeedsMethod: Yes('Trials need a saved payment method'),
    maxOpenServices: Limit(
      5,
      'Open services per customer that are not paid in advance: hourly, trial or free',
    ),
    maxOpenOrders: Limit(5, 'Unpaid orders per customer at the same time', 1),
    openOrdersPerProduct: Limit(1, 'Unpaid orders per customer and product at the same time', 1),
    maxUnpaidOrdersPerDay: Limit(
      20,
      'Unpaid orders that a customer may place within 24 hours, including canceled ones',
      1,
    ),
    maxHeldUnits: Limit(
      5,
      'Units for which the unpaid orders of one customer hold stock and room on panels. A larger ' +
        'order is accepted and holds nothing until it is paid',
    ),
    holdMinutes: Type.Integer({
      minimum: 1,
      maximum: 1440,
      default: 30,
      description: 'Minutes for which an unpaid order holds stock, panel capacity and coupons',
    }),
    unconfirmedHoldMinutes: Type.Integer({
      minimum: 0,
      maximum: 1440,
      default: 5,
      description: 'The same for a customer whose e-mail address is not confirmed',
    }),
    holdAgainHours: Type.Integer({
      minimum: 0,
      maximum: 720,
      default: 24,
      description:
        'Hours in which further unpaid orders of a product do not extend the hold of the first one',
    }),
    staffOrderDays: Type.Integer({
      minimum: 1,
      maximum: 30,
      default: 7,
      description:
        'Days that a customer has to pay an order that staff placed for them, and for which it holds stock, ' +
        'panel capacity and coupons',
    }),
    withoutConsent: Type.Union([Type.Literal('refuse'), Type.Literal('wait')], {
      default: 'refuse',
      description:
        'What happens to the order of a consumer with a right of withdrawal who has not requested an ' +
        'immediate start: it is refused, or paid now and provisioned after the withdrawal period',
    }),
    withdrawalCountries: Type.Array(Country, {
      default: [],
      maxItems: 250,
      uniqueItems: true,
      description: 'Further countries whose consumers may withdraw, outside the EU and the EEA',
    }),
  }),
)
export type OrderTerms = Static<typeof orderSettings.schema>
