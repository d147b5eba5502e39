import { type Static, Type } from 'typebox'
import { Country } from '#lib/schema.ts'
import { settings } from '#tenants'

const Limit = (fallback: number, description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: 10_000, default: fallback, description })

const Yes = (description: string) => Type.Boolean({ default: true, description })

/** What customers may have before their money has arrived, and how orders start. */
export const orderSettings = settings(
  'orders',
  Type.Object({
    confirmedAddress: Yes(
      'Plans by the hour, trials and orders that cost nothing need a confirmed e-mail address',
    ),
    hourlyNeedsMethod: Yes('Plans by the hour need a saved payment method, or credit'),
    hourlyCreditHours: Limit(
      72,
      'Credit for so many hours of all hourly services stands for a saved payment method; 0: never',
    ),
    trialNeedsMethod: Yes('Trials need a saved payment method'),
    maxOpenServices: Limit(
      5,
      'Open services per customer that are not paid in advance: by the hour, on trial, or for nothing',
    ),
    maxOpenOrders: Limit(5, 'Unpaid orders per customer at the same time', 1),
    openOrdersPerProduct: Limit(1, 'Unpaid orders per customer and product at the same time', 1),
    maxUnpaidOrdersPerDay: Limit(
      20,
      'Orders that a customer may place within 24 hours and not pay, canceled ones included',
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
      description: 'For how long an unpaid order holds stock, room on panels and coupons',
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
        'For this many hours a further order does not extend what the first unpaid one held',
    }),
    withoutConsent: Type.Union([Type.Literal('refuse'), Type.Literal('wait')], {
      default: 'refuse',
      description:
        'What becomes of the order of a consumer who may withdraw and has not asked for an immediate ' +
        'start: it is refused, or paid now and provisioned when the time to withdraw is over',
    }),
    withdrawalCountries: Type.Array(Country, {
      default: [],
      maxItems: 250,
      uniqueItems: true,
      description: 'Countries outside the EU and the EEA whose consumers may withdraw, too',
    }),
  }),
)
export type OrderTerms = Static<typeof orderSettings.schema>
