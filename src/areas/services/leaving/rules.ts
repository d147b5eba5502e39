import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import { boundary, type Cycle, type Period, periodNumberAt } from '#lib/periods.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'

/**
 * How a service ends: canceled by its owner, over with its last period, withdrawn from by a consumer,
 * terminated by staff (fraud too), terminated for non-payment, or given up because it has no server.
 */
export type Way = 'canceled' | 'completed' | 'withdrawn' | 'terminated' | 'unpaid' | 'given_up'

/** What decides until when a service was in use. */
export type UseFacts = {
  readonly activatedAt: Instant | null
  readonly suspendedAt: Instant | null
  /** Since when its server is missing from the panel. */
  readonly serverLostAt: Instant | null
}

/** Metered hours that are not invoiced yet: since when, and how their months are counted. */
export type MeteredHours = {
  readonly anchor: Instant
  readonly cycle: Cycle
  readonly invoicedTo: Instant
}

/** A period, or a debt, whose invoice is not paid. */
export type UnpaidTime = {
  readonly id: string
  /** The time it is for; null for what was sold for good. */
  readonly period: Period | null
  /** What its invoice still asks for this service, tax included. */
  readonly shareCents: Cents
}

/** Money that was paid, or given back, for a time of a service. */
export type PaidTime = {
  /** Null for what a change gave back: older invoices hold that much less. */
  readonly invoiceId: string | null
  /** The time it is for; null for what was sold for good. */
  readonly period: Period | null
  /** What it was sold for and was not refunded, tax included; below 0 for what a change gave back. */
  readonly paidCents: Cents
  /** How much of that was the value of what was held before: older invoices hold that money. */
  readonly movedCents: Cents
  /** What its invoice holds: paid, neither refunded nor taken back by a bank. Other services may share it. */
  readonly heldCents: Cents
}

export type LeavingFacts = {
  readonly way: Way
  /** When the service ends. */
  readonly at: Instant
  readonly use: UseFacts
  /** Null unless the plan is metered. */
  readonly metered: MeteredHours | null
  readonly unpaid: readonly UnpaidTime[]
  /** Oldest first. */
  readonly paid: readonly PaidTime[]
  /** Whether it began before the time to withdraw was over. */
  readonly immediateStart: boolean
  readonly creditOnCancel: boolean
  readonly writeOffUnpaid: boolean
}

/** What happens to an unpaid invoice: `keepCents` stay due; `writeOff` gives all of it up as a bad debt. */
export type UnpaidEnd = {
  readonly id: string
  readonly keepCents: Cents
  readonly creditCents: Cents
  readonly writeOff: boolean
}

/** What is owed and what is returned when a service ends. */
export type Leaving = {
  /** Until when the service was used; null when nothing counts as used. */
  readonly usedUntil: Instant | null
  /** The metered hours to invoice, one entry for each month that they touch. */
  readonly hours: readonly Period[]
  readonly unpaid: readonly UnpaidEnd[]
  /** What is returned from each invoice, newest first; never 0. */
  readonly returned: readonly { readonly invoiceId: string; readonly amountCents: Cents }[]
}

/**
 * What is owed and what is returned when a service ends, for every way of ending (R4.8): used hours are billed, the
 * used part of an unpaid period stays due, and the unused part of what was paid is returned, if this way of ending
 * returns money.
 */
export function leavingOf(facts: LeavingFacts): Leaving {
  const usedUntil = usedUntilOf(facts)
  const { metered } = facts
  return {
    usedUntil,
    hours: metered && usedUntil ? meteredPeriods(metered, usedUntil) : [],
    unpaid: facts.unpaid.map((it) => unpaidEnd(it, usedUntil, facts)),
    returned: returnsMoney(facts) ? returnedOf(facts, usedUntil) : [],
  }
}

/**
 * Until when a service is used if it ends at an instant: a suspended server, and one that is missing
 * from its panel, are not in use. Null for a service that never had a server.
 */
export function useEnd(use: UseFacts, at: Instant): Instant | null {
  const { activatedAt, suspendedAt, serverLostAt } = use
  if (!activatedAt && !serverLostAt) return null
  return [suspendedAt, serverLostAt].reduce<Instant>((end, it) => (it && it < end ? it : end), at)
}

/**
 * Until when use counts. A consumer who withdraws owes nothing if nothing began before the time to withdraw was over
 * (directive 2011/83/EU, art. 14(4)).
 */
function usedUntilOf({ way, at, use, immediateStart }: LeavingFacts): Instant | null {
  return way === 'withdrawn' && !immediateStart ? null : useEnd(use, at)
}

/** The months that metered hours touch, each up to the end of use (R4.11). */
export function meteredPeriods(
  { anchor, cycle, invoicedTo }: MeteredHours,
  usedUntil: Instant,
): Period[] {
  const periods: Period[] = []
  for (let start = invoicedTo; start < usedUntil; ) {
    const monthEnd = boundary(anchor, cycle, periodNumberAt(anchor, cycle, start) + 1)
    const end = monthEnd < usedUntil ? monthEnd : usedUntil
    periods.push({ start, end })
    start = end
  }
  return periods
}

/** The used part of an unpaid period stays due, pro rata per second; the rest is credited (R4.6). */
function unpaidEnd(
  { id, period, shareCents }: UnpaidTime,
  usedUntil: Instant | null,
  { way, writeOffUnpaid, metered }: LeavingFacts,
): UnpaidEnd {
  if (way === 'unpaid' && writeOffUnpaid && !metered) {
    return { id, keepCents: cents(0), creditCents: cents(0), writeOff: true }
  }
  const keepCents = period && usedUntil ? usedPart(shareCents, period, usedUntil) : cents(0)
  return { id, keepCents, creditCents: cents(shareCents - keepCents), writeOff: false }
}

function usedPart(amountCents: Cents, { start, end }: Period, usedUntil: Instant): Cents {
  if (usedUntil <= start) return cents(0)
  const whole = secondsBetween(start, end)
  if (usedUntil >= end || whole === 0) return amountCents
  return portion(amountCents, secondsBetween(start, usedUntil), whole)
}

function returnsMoney({ way, creditOnCancel }: LeavingFacts): boolean {
  return way === 'withdrawn' || way === 'given_up' || (way === 'canceled' && creditOnCancel)
}

/**
 * The unused part of what was paid, newest first. If an invoice does not hold an amount itself, because a value held
 * before paid for it or a change credited it, it is returned from earlier invoices.
 */
function returnedOf({ paid, way }: LeavingFacts, usedUntil: Instant | null): Leaving['returned'] {
  const returned = new Map<string, Cents>()
  let carried = 0
  for (const [index, it] of [...paid.entries()].reverse()) {
    const { invoiceId, period, heldCents } = it
    const valueCents = worthOf(it, paid.slice(0, index), paid.slice(index + 1))
    // What was sold for good has no unused part: it is returned in full, or not at all.
    const forGoodCents = way === 'canceled' ? cents(0) : valueCents
    const wanted = (period ? unusedPart(valueCents, period, usedUntil) : forGoodCents) + carried
    const before = returned.get(invoiceId ?? '') ?? 0
    const amountCents = cents(Math.max(0, Math.min(wanted, heldCents - before)))
    carried = wanted - amountCents
    if (invoiceId && amountCents > 0) returned.set(invoiceId, cents(before + amountCents))
  }
  return [...returned].map(([invoiceId, amountCents]) => ({ invoiceId, amountCents }))
}

/**
 * What a payment is worth: value that was held before counts up to the amount that older invoices still hold, or held
 * until a later change of the same period gave part of it back.
 */
function worthOf(
  { paidCents, movedCents, period }: PaidTime,
  older: readonly PaidTime[],
  later: readonly PaidTime[],
): Cents {
  const held = new Map(older.map(({ invoiceId, heldCents }) => [invoiceId, heldCents]))
  const givenBack = later
    .filter((it) => it.paidCents < 0 && it.period?.end === period?.end)
    .map((it) => -it.paidCents)
  const heldCents = sumCents([...held.values(), ...givenBack])
  return cents(paidCents - movedCents + Math.min(movedCents, heldCents))
}

/** The unused part of an amount: all but the used seconds. */
function unusedPart(amountCents: Cents, period: Period, usedUntil: Instant | null): Cents {
  return cents(amountCents - (usedUntil ? usedPart(amountCents, period, usedUntil) : 0))
}
