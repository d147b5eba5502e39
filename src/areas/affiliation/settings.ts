import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'

/** How a shop rewards people who refer customers. */
export const affiliationSettings = settings(
  'affiliation',
  Type.Object({
    enabled: Type.Boolean({
      default: true,
      description:
        'Whether people can become affiliates and earn commissions; earned commissions are kept',
    }),
    commissionBasisPoints: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 1000,
      description: 'Share of the net amount paid with money; products can have their own rate',
    }),
    payments: Type.Unsafe<'first' | 'recurring'>({
      ...OneOf(
        ['first', 'recurring'],
        'Whether a commission is earned on the first payment of a customer only, or on later ones too',
      ),
      default: 'first',
    }),
    recurringMonths: Type.Integer({
      minimum: 0,
      maximum: 120,
      default: 0,
      description:
        'Months after the first commission in which further ones are earned; 0: without limit',
    }),
    holdDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 30,
      description: 'Days after the payment until a commission is available',
    }),
    attributionDays: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'Days for which a click on a link counts; a change applies to new clicks',
    }),
    askConsent: Type.Boolean({
      default: true,
      description:
        'Whether the pages of the shop ask a visitor before they store a click on a link in a cookie',
    }),
    touch: Type.Unsafe<'last' | 'first'>({
      ...OneOf(['last', 'first'], 'Which click counts if a person followed several links'),
      default: 'last',
    }),
  }),
)
