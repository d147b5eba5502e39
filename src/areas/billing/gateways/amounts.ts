import { cents } from '#lib/money.ts'
import { GatewayError } from './error.ts'
import { amountFor as mollieAmount } from './mollie/snapshots.ts'
import { amountFor as paypalAmount } from './paypal/snapshots.ts'
import type { Money } from './snapshots.ts'
import { amountFor as stripeAmount } from './stripe/amounts.ts'

/** Checks of amounts by provider; a bank takes any. The sandboxes take what their originals do. */
const PROVIDERS: Readonly<Record<string, (money: Money) => unknown>> = {
  stripe: stripeAmount,
  sandbox: stripeAmount,
  mollie: mollieAmount,
  sandbox_mollie: mollieAmount,
  paypal: paypalAmount,
  sandbox_paypal: paypalAmount,
}

/** An amount that ends in 0 in every currency: a provider that refuses it refuses the currency. */
const ROUND = cents(100_000)

export type AmountRefusal = 'currency_unsupported' | 'amount_not_allowed'

/** Why a provider would refuse an amount, known before anything is sent; null if it would not. */
export function amountRefusal(driver: string, money: Money): AmountRefusal | null {
  if (takes(driver, money)) return null
  return takesCurrency(driver, money.currency) ? 'amount_not_allowed' : 'currency_unsupported'
}

export function takesCurrency(driver: string, currency: string): boolean {
  return takes(driver, { amountCents: ROUND, currency })
}

function takes(driver: string, money: Money): boolean {
  try {
    PROVIDERS[driver]?.(money)
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}
