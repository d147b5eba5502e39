import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'

/** What a shop gives people who bring it customers. */
export const affiliationSettings = settings(
  'affiliation',
  Type.Object({
    enabled: Type.Boolean({
      default: true,
      description: 'Whether people can enrol, and earn commission; what was earned stays theirs',
    }),
    commissionBasisPoints: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 1000,
      description: 'The share of the net amount that came in as money; products may have their own',
    }),
    payments: Type.Unsafe<'first' | 'recurring'>({
      ...OneOf(
        ['first', 'recurring'],
        'Whether commission arises on the first payment of a customer only, or on later ones too',
      ),
      default: 'first',
    }),
    recurringMonths: Type.Integer({
      minimum: 0,
      maximum: 120,
      default: 0,
      description:
        'For how many months after the first commission later ones arise; 0: without end',
    }),
    holdDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 30,
      description: 'Days after the payment until commission can be used',
    }),
    attributionDays: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'For how many days a click on a link counts; it holds for clicks to come',
    }),
    askConsent: Type.Boolean({
      default: true,
      description:
        'Whether the pages of the shop ask a visitor before they store a click on a link in a cookie',
    }),
    touch: Type.Unsafe<'last' | 'first'>({
      ...OneOf(['last', 'first'], 'Which click counts where somebody followed several links'),
      default: 'last',
    }),
  }),
)
