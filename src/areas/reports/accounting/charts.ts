import type { DatevAccount, FecAccount, SharedAccount } from './settings.ts'

type Chart<Name extends string> = Readonly<Record<Name, string>>

/** The usual accounts of the two charts that DATEV comes with. */
const DATEV: Readonly<Record<'skr03' | 'skr04', Chart<Exclude<DatevAccount, 'collectiveDebtor'>>>> =
  {
    skr03: {
      ...{ domesticStandard: '8400', domesticReduced: '8300', reverseCharge: '8336' },
      ...{ oneStopShop: '8331', outsideEu: '8338', taxExempt: '8195', outOfScope: '8200' },
      ...{ outsideEuTax: '1736', customerCredit: '1710', bank_transfer: '1200' },
      ...{ stripe: '1360', mollie: '1360', paypal: '1360', otherGateways: '1360' },
      ...{
        disputedPayments: '1590',
        providerFees: '4970',
        badDebts: '2400',
        goodwillCredit: '4900',
      },
      ...{ affiliateCommissions: '4760', affiliateBalances: '1700' },
      ...{ moneyInTransit: '1360', openingBalances: '9000' },
    },
    skr04: {
      ...{ domesticStandard: '4400', domesticReduced: '4300', reverseCharge: '4336' },
      ...{ oneStopShop: '4331', outsideEu: '4338', taxExempt: '4185', outOfScope: '4200' },
      ...{ outsideEuTax: '3700', customerCredit: '3250', bank_transfer: '1800' },
      ...{ stripe: '1460', mollie: '1460', paypal: '1460', otherGateways: '1460' },
      ...{
        disputedPayments: '1370',
        providerFees: '6855',
        badDebts: '6930',
        goodwillCredit: '6300',
      },
      ...{ affiliateCommissions: '6770', affiliateBalances: '3500' },
      ...{ moneyInTransit: '1460', openingBalances: '9000' },
    },
  }

/** The usual accounts of the Plan comptable général. */
const FEC: Chart<FecAccount> = {
  ...{ customers: '411', sales: '706', vat: '44571', vatAbroad: '44572', customerCredit: '4191' },
  ...{ stripe: '512', mollie: '512', paypal: '512', bank_transfer: '512', otherGateways: '512' },
  ...{ disputedPayments: '471', providerFees: '627', badDebts: '654', goodwillCredit: '658' },
  ...{ affiliateCommissions: '622', affiliateBalances: '467' },
  ...{ moneyInTransit: '580', openingBalances: '890' },
}

/** The accounts of a shop for DATEV: its own, or those of the chart, all with the same number of digits. */
export function datevAccounts({
  datevChart,
  datevAccountLength,
  datevAccounts: own,
}: {
  readonly datevChart: 'skr03' | 'skr04'
  readonly datevAccountLength: number
  readonly datevAccounts: Partial<Record<DatevAccount, string>>
}): Chart<DatevAccount> {
  const collectiveDebtor = String(10 ** datevAccountLength)
  const chart = { ...DATEV[datevChart], collectiveDebtor, ...own }
  const padded = Object.entries(chart).map(([name, number]) => [
    name,
    number.padEnd(datevAccountLength, '0'),
  ])
  return Object.fromEntries(padded) as Chart<DatevAccount>
}

/** The accounts of a shop for the FEC: its own, or the usual ones. */
export function fecAccounts(own: Partial<Record<FecAccount, string>>): Chart<FecAccount> {
  return { ...FEC, ...own }
}

const KINDS: Readonly<Record<string, SharedAccount>> = {
  ...{ credit: 'customerCredit', heldCredit: 'customerCredit', disputed: 'disputedPayments' },
  ...{ fees: 'providerFees', badDebt: 'badDebts', goodwill: 'goodwillCredit' },
  ...{ affiliateExpense: 'affiliateCommissions', affiliatePending: 'affiliateBalances' },
  ...{ affiliateAvailable: 'affiliateBalances', affiliatePayouts: 'moneyInTransit' },
  ...{ importedRefunds: 'moneyInTransit', opening: 'openingBalances' },
}

/** An account of the ledger as charts of accounts see it. */
export type Standing =
  | { readonly kind: 'receivable'; readonly userId: string }
  | { readonly kind: 'revenue' }
  | { readonly kind: 'tax'; readonly country: string; readonly rateBasisPoints: number }
  | {
      readonly kind: 'shared'
      readonly account: SharedAccount
      /** The customer whose credit it is. */
      readonly userId: string | null
    }

const GATEWAYS = ['stripe', 'mollie', 'paypal', 'bank_transfer'] as const

/** What an account of the ledger is, by its code; `drivers` are those of the gateways, by their ids. */
export function standingOf(code: string, drivers: ReadonlyMap<string, string>): Standing {
  const [kind = '', owner = '', rate = ''] = code.split(':')
  if (kind === 'receivable') return { kind, userId: owner }
  if (kind === 'revenue') return { kind }
  if (kind === 'tax') return { kind, country: owner, rateBasisPoints: Number(rate) }
  if (kind === 'cash') {
    const driver = drivers.get(owner)
    const account = GATEWAYS.find((it) => it === driver) ?? 'otherGateways'
    return { kind: 'shared', account, userId: null }
  }
  const account = KINDS[kind]
  if (!account) throw new Error(`No chart of accounts has a place for ${code}`)
  return { kind: 'shared', account, userId: account === 'customerCredit' ? owner : null }
}
