import type { Cents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import type { Row } from '#platform/database/index.ts'

/** What a plan costs in one currency. `priceMicros` is the price per hour if hours are metered. */
export type PlanPrice = {
  readonly currency: string
  readonly priceCents: Cents
  readonly setupFeeCents: Cents
  readonly priceMicros: number | null
}

/** A plan, and its prices in currencies other than its own. */
export type PlanRow = Row<'store.plans'> & { readonly prices: PlanPrice[] }

/** What a plan costs in a currency; undefined if it is not sold in that currency. */
export function priceIn(
  { prices, ...plan }: PlanPrice & { readonly prices: readonly PlanPrice[] },
  currency: string,
): PlanPrice | undefined {
  const { priceCents, setupFeeCents, priceMicros } = plan
  if (plan.currency === currency) return { currency, priceCents, setupFeeCents, priceMicros }
  return prices.find((price) => price.currency === currency)
}

type Terms = Pick<PlanRow, 'interval' | 'trialDays' | 'currency' | 'priceMicros' | 'prices'>

/** Throws 422 for terms that contradict each other. */
export function assertConsistent({ interval, trialDays, prices, ...plan }: Terms): void {
  const hourly = interval === 'hour'
  if ([plan, ...prices].some(({ priceMicros }) => (priceMicros !== null) !== hourly)) {
    const message = hourly
      ? 'A plan by the hour needs priceMicros in every currency.'
      : 'priceMicros is for plans by the hour only.'
    throw unprocessable(message, 'price_micros_mismatch')
  }
  if (trialDays > 0 && (interval === 'one_time' || hourly)) {
    throw unprocessable('Only a plan that renews can have a trial.', 'trial_not_possible')
  }
  const currencies = new Set([plan.currency, ...prices.map(({ currency }) => currency)])
  if (currencies.size <= prices.length) {
    throw unprocessable('A plan has one price in a currency.', 'price_twice')
  }
}

type Cycle = Pick<PlanRow, 'interval' | 'intervalCount'>

/**
 * Throws 422 if a plan's cycle would change: services that were sold on the plan are billed by that
 * cycle.
 */
export function assertSameCycle(plan: Cycle, change: Partial<Cycle>): void {
  const { interval, intervalCount } = { ...plan, ...change }
  if (interval !== plan.interval || intervalCount !== plan.intervalCount) {
    const message = "A plan's interval is fixed. Create another plan instead."
    throw unprocessable(message, 'plan_cycle_fixed')
  }
}
