import { invalid } from './errors.ts'

/** Currencies without and with three decimals; all others have two. */
const WITHOUT_DECIMALS = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)
const WITH_THREE = new Set('bhd jod kwd omr tnd'.split(' '))

/** The least that can be charged, in the smallest unit, where it is not about half a euro. */
const LEAST: Record<string, number> = {
  gbp: 30,
  czk: 1500,
  dkk: 250,
  huf: 17_500,
  pln: 200,
  sek: 300,
  nok: 300,
}
const MOST = 99_999_999

function decimalsOf(currency: string): 0 | 2 | 3 {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE.has(currency) ? 3 : 2
}

/** A currency in lower case. 400 for what cannot be one. */
export function readCurrency(text: string, param = 'currency'): string {
  const currency = text.toLowerCase()
  const known = Intl.supportedValuesOf('currency')
  if (known.includes(currency.toUpperCase())) return currency
  throw invalid(`Invalid currency: ${currency}.`, { param })
}

/** 400 for an amount (in the smallest unit) that cannot be charged in this currency. */
export function assertChargeable(amount: number, currency: string, param = 'amount'): void {
  const least = LEAST[currency] ?? (decimalsOf(currency) === 3 ? 500 : 50)
  if (amount < 0) {
    throw invalid('This value must be greater than or equal to 0.', {
      param,
      code: 'parameter_invalid_integer',
    })
  }
  if (amount < least) {
    const message = `Amount must be at least ${formatAmount(least, currency)}`
    throw invalid(message, { param, code: 'amount_too_small' })
  }
  if (amount > MOST) {
    const message = `Amount must be no more than ${formatAmount(MOST, currency)}`
    throw invalid(message, { param, code: 'amount_too_large' })
  }
  if (decimalsOf(currency) === 3 && amount % 10 !== 0) {
    throw invalid('The last digit of an amount with three decimals must be 0.', { param })
  }
}

/** `1234` of `eur` as `12.34 EUR`. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(-decimals)]
  const sign = amount < 0 ? '-' : ''
  return `${sign}${whole}${decimals > 0 ? `.${rest}` : ''} ${currency.toUpperCase()}`
}
