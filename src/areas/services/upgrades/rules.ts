import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import { boundary, type Cycle, type Period, wholeSecond } from '#lib/periods.ts'
import type { TaxTreatment } from '#lib/tax.ts'
import {
  DAY_MS,
  type Day,
  dayOf,
  HOUR_MS,
  type Instant,
  later,
  millis,
  secondsBetween,
} from '#lib/time.ts'

/** Whether unused time is counted in seconds or in UTC days (R4.9). */
export type ProrationMode = 'second' | 'day'

/** A plan as one side of a change. Prices are in cents, in the tenant's price mode. */
export type ProratedPlan = {
  readonly description: string
  readonly priceCents: Cents
}

/** A later period that is paid, and how a change values it. */
export type LaterPeriod = {
  /** What the period cost net and was not refunded. */
  readonly creditCents: Cents
  /** The new plan's price less the coupons that cover that period. */
  readonly chargeCents: Cents
}

export type PlanChange = {
  readonly period: Period
  /** When the change happens; inside the period. */
  readonly at: Instant
  readonly mode: ProrationMode
  readonly currency: string
  /** `priceCents` is the value held: what the current plan cost for a whole period, discounted. */
  readonly from: ProratedPlan
  /** `priceCents` is the new plan's price less the coupons that also apply to the next renewal. */
  readonly to: ProratedPlan
  /** The most that is credited for the period, once a part of it was refunded; null when none was. */
  readonly heldCents: Cents | null
  /** The periods after this one that are paid already; each counts by itself. */
  readonly later: readonly LaterPeriod[]
}

/** A credit has quantity −1 and a price that is never negative. */
export type ProrationLine = {
  readonly description: string
  readonly quantity: number
  readonly unitPriceCents: Cents
  readonly netCents: Cents
}

/** What a change costs, in cents, before tax on exclusive prices, with it on inclusive ones. */
export type Proration = {
  readonly creditCents: Cents
  readonly chargeCents: Cents
  /** Charge less credit; negative for most downgrades. */
  readonly netCents: Cents
  readonly currency: string
  readonly lines: readonly ProrationLine[]
  /** The period's own part of credit and charge; the rest is for later periods. */
  readonly current: LaterPeriod
}

/** When a change of plan takes effect, by what it costs (R4.9). */
export type ChangeEffect = 'on_payment' | 'at_once' | 'next_period' | 'credit_note'

/**
 * Credit for the rest of the old plan and charge for the same time on the new one (R4.9). Each later
 * period that is paid already counts by itself. Period and anchor stay. RangeError for an instant
 * outside the period.
 */
export function prorate(change: PlanChange): Proration {
  const { unused, whole } = unusedTime(change)
  const chargeCents = portion(change.to.priceCents, unused, whole)
  const charges = [chargeCents, ...change.later.map((it) => it.chargeCents)]
  return proration(change, chargeCents, sumCents(charges))
}

/**
 * A change to a plan of another cycle: the same credit, the new plan's full price; the periods start again at the
 * change (R4.10).
 */
export function prorateNewCycle(
  change: PlanChange,
  cycle: Cycle,
): Proration & { readonly anchor: Instant; readonly period: Period } {
  const anchor = wholeSecond(change.at)
  const period = { start: anchor, end: boundary(anchor, cycle, 1) }
  const { priceCents } = change.to
  return { ...proration(change, priceCents, priceCents), anchor, period }
}

/** A component of a service before and after a change, in a period that is running and in later ones that are paid. */
export type ComponentChange = {
  readonly key: string
  /** What it is worth in the whole period. */
  readonly valueCents: Cents
  /** What it costs from now on in the whole period. */
  readonly priceCents: Cents
  /** The most that is credited for it, once a part of the period was refunded; null when none was. */
  readonly heldCents: Cents | null
  readonly later: readonly LaterPeriod[]
}

/** A component change with what is credited and charged: for the rest of the period, and in all. */
export type ProratedComponent = ComponentChange & {
  readonly current: LaterPeriod
  readonly creditCents: Cents
  readonly chargeCents: Cents
}

/**
 * Credit and charge of one component for the rest of a period, each rounded by itself (S2.2). Each later period that is
 * paid counts by itself (S2.6). RangeError for an instant outside the period.
 */
export function prorateComponent(
  change: ComponentChange,
  time: Pick<PlanChange, 'period' | 'at' | 'mode'>,
): ProratedComponent {
  const { unused, whole } = unusedTime(time)
  const creditCents = portion(change.valueCents, unused, whole)
  const { heldCents, later: after } = change
  const current = {
    creditCents: heldCents === null ? creditCents : cents(Math.min(creditCents, heldCents)),
    chargeCents: portion(change.priceCents, unused, whole),
  }
  const periods = [current, ...after]
  return {
    ...change,
    current,
    creditCents: sumCents(periods.map((it) => it.creditCents)),
    chargeCents: sumCents(periods.map((it) => it.chargeCents)),
  }
}

/**
 * When a change takes effect (R4.9): a change with something to pay is paid first, one without a difference happens at
 * once, a cheaper plan waits for the next period unless the tenant gives the difference back as credit.
 */
export function effectOf(
  netCents: Cents,
  { immediateCredit }: { immediateCredit: boolean },
): ChangeEffect {
  if (netCents > 0) return 'on_payment'
  if (netCents === 0) return 'at_once'
  return immediateCredit ? 'credit_note' : 'next_period'
}

/**
 * Whether the credit must be a credit note on the old invoice: its tax is not that of the new plan,
 * and as a line it would make a tax group negative (R4.9).
 */
export function needsCreditNote(old: TaxTreatment, next: TaxTreatment): boolean {
  return (
    old.category !== next.category ||
    old.rateBasisPoints !== next.rateBasisPoints ||
    old.country !== next.country
  )
}

type KeptFrom = {
  server: Readonly<Record<string, string>>
  plan: Readonly<Record<string, string>>
}

/**
 * Values that the users of a server have set since it was created: those that are neither the old plan's nor the
 * default. They stay after a change of plan; all others are the new plan's.
 */
export function keptValues(
  variables: readonly { env: string; default: string }[],
  { server, plan }: KeptFrom,
): Record<string, string> {
  const kept = variables.flatMap(({ env, default: preset }) => {
    const value = Object.hasOwn(server, env) ? server[env] : undefined
    const planned = Object.hasOwn(plan, env) ? plan[env] : preset
    return value === undefined || value === planned ? [] : [[env, value] as const]
  })
  return Object.fromEntries(kept)
}

function proration(change: PlanChange, ownChargeCents: Cents, chargeCents: Cents): Proration {
  const { from, to, currency, later } = change
  const current = { creditCents: unusedValue(change), chargeCents: ownChargeCents }
  const creditCents = sumCents([current.creditCents, ...later.map((it) => it.creditCents)])
  return {
    current,
    creditCents,
    chargeCents,
    netCents: cents(chargeCents - creditCents),
    currency,
    lines: [lineOf(from.description, -1, creditCents), lineOf(to.description, 1, chargeCents)],
  }
}

/** The worth of the rest of the period, in cents: at most what is held, once a part was refunded. */
function unusedValue(change: PlanChange): Cents {
  const { unused, whole } = unusedTime(change)
  const { from, heldCents } = change
  const valueCents = portion(from.priceCents, unused, whole)
  return heldCents === null ? valueCents : cents(Math.min(valueCents, heldCents))
}

function lineOf(description: string, quantity: number, unitPriceCents: Cents): ProrationLine {
  return { description, quantity, unitPriceCents, netCents: cents(quantity * unitPriceCents) }
}

function unusedTime({
  period: { start, end },
  at,
  mode,
}: Pick<PlanChange, 'period' | 'at' | 'mode'>) {
  if (at < start || at >= end) throw new RangeError(`${at} is outside the period`)
  if (mode === 'second') {
    return { unused: secondsBetween(at, end), whole: secondsBetween(start, end) }
  }
  return {
    unused: daysBetween(dayOf(at), dayOf(end)),
    whole: daysBetween(dayOf(start), dayOf(end)),
  }
}

function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** How often the panel is asked whether a server fits the smaller product that was planned for it. */
const ROOM_LOOK_MS = 6 * HOUR_MS
const LONGEST_ROOM_WAIT_MS = 7 * DAY_MS

/**
 * When to check next whether there is room for a planned change, and when the checks end: a quarter of the period after
 * its start, so that the next one is invoiced with the result, and after a week at most. Undefined when that time is
 * over.
 */
export function nextRoomLook(
  { start, end }: Period,
  now: Instant,
): { at: Instant; until: Instant } | undefined {
  const quarter = (millis(end) - millis(start)) / 4
  const until = later(start, Math.min(quarter, LONGEST_ROOM_WAIT_MS))
  const at = later(now, Math.min(quarter / 4, ROOM_LOOK_MS))
  return at <= until ? { at, until } : undefined
}
