import { cents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { type Instant, instant } from '#lib/time.ts'
import {
  type PlanChange,
  type ProrationMode,
  prorate,
} from '../../src/areas/services/upgrades/rules.ts'

/** A period between two instants. */
export function span(start: string, end: string): Period {
  return { start: instant(start), end: instant(end) }
}

/** A month of 31 days. */
export const march = span('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z')

type Prices = { from: number; to: number }

/** A change of plan in a period, from a price to another. */
export function change(
  period: Period,
  at: Instant,
  { from, to }: Prices,
  mode: ProrationMode = 'second',
): PlanChange {
  return {
    period,
    at,
    mode,
    currency: 'EUR',
    from: { description: 'Small', priceCents: cents(from) },
    to: { description: 'Large', priceCents: cents(to) },
    heldCents: null,
    later: [],
  }
}

/** What a change credits, charges and costs. */
export function figures(of: PlanChange): number[] {
  const { creditCents, chargeCents, netCents } = prorate(of)
  return [creditCents, chargeCents, netCents]
}
