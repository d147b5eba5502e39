import { cents } from '#lib/money.ts'
import { GatewayError } from '../error.ts'
import type { Money } from '../snapshots.ts'

const THREE_DECIMALS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

// Stripe counts these in hundredths, though they have no decimals: our number would mean another
// amount.
const COUNTED_OTHERWISE = new Set(['ISK', 'UGX'])

// Smallest charge per currency, in its smallest unit, from Stripe's table of currencies.
const LEAST: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17500,
  INR: 50,
  JPY: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1000,
  USD: 50,
}

/** The smallest amount Stripe charges; 1 if its table has none, and Stripe may still refuse. */
export function leastAmount(currency: string): number {
  return LEAST[currency.toUpperCase()] ?? 1
}

/** An amount in Stripe's form. Throws `amount_not_allowed` if Stripe would refuse or misread it. */
export function amountFor({ amountCents, currency }: Money): { amount: number; currency: string } {
  const code = currency.toUpperCase()
  if (COUNTED_OTHERWISE.has(code)) {
    throw new GatewayError('amount_not_allowed', `Stripe: amounts in ${code} are not supported.`)
  }
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new GatewayError('amount_not_allowed', 'Stripe: the amount must be above 0.')
  }
  if (THREE_DECIMALS.has(code) && amountCents % 10 !== 0) {
    throw new GatewayError(
      'amount_not_allowed',
      `Stripe: the last digit of an amount in ${code} must be 0.`,
    )
  }
  return { amount: amountCents, currency: code.toLowerCase() }
}

/** An amount from Stripe's form. */
export function moneyOf(amount: number, currency: string): Money {
  return { amountCents: cents(amount), currency: currency.toUpperCase() }
}
