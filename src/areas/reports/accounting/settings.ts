import { type Static, Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'

/** What every shop books money on, besides sales and customers; each with its own account in a chart. */
const SHARED = [
  ...(['customerCredit', 'stripe', 'mollie', 'paypal', 'bank_transfer', 'otherGateways'] as const),
  ...(['disputedPayments', 'providerFees', 'badDebts', 'goodwillCredit'] as const),
  ...(['affiliateCommissions', 'affiliateBalances', 'moneyInTransit', 'openingBalances'] as const),
] as const

/** How a sale is taxed, which decides on its revenue account in DATEV. */
const TREATMENTS = [
  ...(['domesticStandard', 'domesticReduced', 'reverseCharge', 'oneStopShop'] as const),
  ...(['outsideEu', 'taxExempt', 'outOfScope'] as const),
] as const

/** The accounts of a chart for DATEV, by what is booked on them. */
const DATEV_ACCOUNTS = [...TREATMENTS, 'outsideEuTax', 'collectiveDebtor', ...SHARED] as const

/** The accounts of a chart for the FEC, by what is booked on them. */
const FEC_ACCOUNTS = ['customers', 'sales', 'vat', 'vatAbroad', ...SHARED] as const

export type SharedAccount = (typeof SHARED)[number]
export type Treatment = (typeof TREATMENTS)[number]
export type DatevAccount = (typeof DATEV_ACCOUNTS)[number]
export type FecAccount = (typeof FEC_ACCOUNTS)[number]

/** A text for each of some names. In the API document the names are listed once, and the form of the texts too. */
function ByName<N extends string>(names: readonly N[], pattern: string, description: string) {
  return Type.Unsafe<Partial<Record<N, string>>>({
    ...{ type: 'object', default: {}, description },
    propertyNames: { enum: [...names] },
    additionalProperties: { type: 'string', pattern },
  })
}

/** The numbers and accounts that exports for the programs of accountants need. */
export const accountingSettings = settings(
  'accounting',
  Type.Object({
    fiscalYearMonth: Type.Integer({
      minimum: 1,
      maximum: 12,
      default: 1,
      description: 'Month with whose first day the fiscal year begins: 1 is January',
    }),
    datevConfirmed: Type.Boolean({
      default: false,
      description:
        'Whether the accountant has confirmed the DATEV numbers and accounts; there is no DATEV export before',
    }),
    datevConsultant: Type.String({
      pattern: '^([1-9][0-9]{3,6})?$',
      default: '',
      description: 'Consultant number (Beraternummer), from 1001 to 9999999',
    }),
    datevClient: Type.String({
      pattern: '^([1-9][0-9]{0,4})?$',
      default: '',
      description: 'Client number (Mandantennummer), from 1 to 99999',
    }),
    datevChart: Type.Unsafe<'skr03' | 'skr04'>({
      ...OneOf(['skr03', 'skr04'], 'Chart of accounts, which decides on the default accounts'),
      default: 'skr03',
    }),
    datevAccountLength: Type.Integer({
      minimum: 4,
      maximum: 8,
      default: 4,
      description: 'Digits of a general ledger account (Sachkontenlänge); debtors have one more',
    }),
    datevDebtors: Type.Unsafe<'each' | 'collective'>({
      ...OneOf(
        ['each', 'collective'],
        'Whether each customer has a debtor account, or all of them share one',
      ),
      default: 'each',
    }),
    datevAccounts: ByName(DATEV_ACCOUNTS, '^[0-9]{4,9}$', 'Accounts other than those of the chart'),
    datevRates: Type.Array(Type.String({ pattern: '^[0-9]{1,2}([.][0-9]{1,2})?=[0-9]{4,8}$' }), {
      default: [],
      maxItems: 20,
      description: 'Revenue accounts of further domestic tax rates: `13=4013`',
    }),
    datevTaxKeys: ByName(
      TREATMENTS,
      '^[0-9]{1,4}$',
      'Tax keys (BU-Schlüssel) for revenue accounts that are not automatic accounts',
    ),
    fecConfirmed: Type.Boolean({
      default: false,
      description:
        'Whether the accountant has confirmed the accounts of the FEC; there is no FEC export before',
    }),
    fecAccounts: ByName(
      FEC_ACCOUNTS,
      '^[0-9]{3}[0-9A-Z]{0,12}$',
      'Accounts other than the usual ones of the Plan comptable général',
    ),
  }),
)

export type AccountingSettings = Static<typeof accountingSettings.schema>
