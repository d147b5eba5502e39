import { boundary, type Cycle, leadMs, periodNumberAt } from '#lib/periods.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, later, millis } from '#lib/time.ts'
import {
  DEFAULT_DUNNING,
  deleteDataAt,
  dunningSchedule,
} from '../../src/areas/services/renewals/dunning.ts'

/** What happens to a service, or to the invoice of one of its periods. */
export const KINDS = [
  ...(['purchase', 'invoice', 'reminder', 'charge', 'payment', 'suspension'] as const),
  ...(['return', 'end', 'deletion'] as const),
]
export type Kind = (typeof KINDS)[number]
export type Happening = readonly [kind: Kind, atMs: number]

/** A month of a shop: `[startMs, endMs)`, both in milliseconds UTC. */
export type Month = { readonly startMs: number; readonly endMs: number }

/** A number from 0 up to, not including, 1. */
export type Random = () => number

/** What is assumed of people. Shares are of 1. */
export const PEOPLE = {
  /** How often a plan of each cycle is bought. */
  cycles: [
    [0.05, { interval: 'week', intervalCount: 1 }],
    [0.75, { interval: 'month', intervalCount: 1 }],
    [0.1, { interval: 'month', intervalCount: 3 }],
    [0.1, { interval: 'year', intervalCount: 1 }],
  ] as readonly (readonly [share: number, cycle: Cycle])[],
  /** Has a payment method that is charged when the period begins. */
  savedMethod: 0.7,
  firstCharge: 0.93,
  laterCharge: 0.35,
  /** Of those who pay by hand: before it is due, before the suspension, before the end. */
  byHand: { early: 0.85, late: 0.1, veryLate: 0.03 },
  /** Of all services, so many are new in a month. */
  purchases: 0.04,
  /** How much is bought in each hour of a day (UTC). */
  hours: [6, 4, 3, 2, 2, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 21, 20, 17, 13, 9],
} as const

/** Since so long ago services are sold, in days. */
const SOLD_FOR_DAYS = 900

/** A moment of a day by chance, as people buy; in milliseconds. */
export function momentOfDay(random: Random): number {
  const whole = PEOPLE.hours.reduce((sum, weight) => sum + weight, 0)
  let rest = random() * whole
  const hour = PEOPLE.hours.findIndex((weight) => {
    rest -= weight
    return rest < 0
  })
  return (hour + random()) * HOUR_MS
}

/** What happens in a month to one service that was sold before it, by the rules of R4.1 to R4.6. */
export function monthOf(month: Month, random: Random): Happening[] {
  const soldAt = month.startMs - Math.ceil(random() * SOLD_FOR_DAYS) * DAY_MS + momentOfDay(random)
  const anchor = instant(Math.floor(soldAt / 1000) * 1000)
  const cycle = cycleOf(random)
  const { terminateDays, deleteDataDays } = DEFAULT_DUNNING
  // What was due before the month may be dunned in it, what is due after it be invoiced in it.
  const since = month.startMs - (terminateDays + deleteDataDays) * DAY_MS
  const until = month.endMs + leadMs(cycle)
  const happened: Happening[] = []
  let number = since > millis(anchor) ? periodNumberAt(anchor, cycle, instant(since)) : 0
  let ended = false
  while (!ended) {
    // The first period is paid for when it is bought.
    number += 1
    const dueAt = boundary(anchor, cycle, number)
    if (millis(dueAt) >= until) break
    const invoicedAtMs = millis(dueAt) - leadMs(cycle)
    const of = periodOf(dueAt, invoicedAtMs, random)
    happened.push(...of)
    ended = of.some(([kind]) => kind === 'end')
  }
  return happened.filter(([, atMs]) => atMs >= month.startMs && atMs < month.endMs)
}

function cycleOf(random: Random): Cycle {
  let rest = random()
  const found = PEOPLE.cycles.find(([share]) => {
    rest -= share
    return rest < 0
  })
  return (found ?? PEOPLE.cycles[1])?.[1] ?? { interval: 'month', intervalCount: 1 }
}

/** From the invoice of a period to its payment, or to the end of the service (R4.4, R4.6). */
function periodOf(dueAt: Instant, invoicedAtMs: number, random: Random): Happening[] {
  const { attemptsAt, remindersAt, suspendAt, terminateAt } = dunningSchedule(dueAt)
  const happened: Happening[] = [['invoice', invoicedAtMs]]
  const paidAtMs =
    random() < PEOPLE.savedMethod
      ? charged(attemptsAt, happened, random)
      : paidByHand({ invoicedAtMs, dueAt, suspendAt, terminateAt }, random)
  for (const at of remindersAt.map(millis)) {
    if (at > invoicedAtMs && at < paidAtMs) happened.push(['reminder', at])
  }
  if (paidAtMs > millis(suspendAt)) happened.push(['suspension', millis(suspendAt)])
  if (paidAtMs > millis(terminateAt)) {
    happened.push(['end', millis(terminateAt)], ['deletion', millis(deleteDataAt(terminateAt))])
    return happened
  }
  happened.push(['payment', paidAtMs])
  if (paidAtMs > millis(suspendAt)) happened.push(['return', paidAtMs])
  return happened
}

/** Charges a saved method until one goes through; answers when that was, or never. */
function charged(attemptsAt: readonly Instant[], happened: Happening[], random: Random): number {
  for (const [index, at] of attemptsAt.entries()) {
    happened.push(['charge', millis(at)])
    if (random() < (index === 0 ? PEOPLE.firstCharge : PEOPLE.laterCharge)) return millis(at)
  }
  return Number.POSITIVE_INFINITY
}

type Dates = { invoicedAtMs: number; dueAt: Instant; suspendAt: Instant; terminateAt: Instant }

function paidByHand(dates: Dates, random: Random): number {
  const { early, late, veryLate } = PEOPLE.byHand
  const [due, suspended, ended] = [dates.dueAt, dates.suspendAt, dates.terminateAt].map(millis) as [
    number,
    number,
    number,
  ]
  const between = (from: number, to: number) => {
    const days = Math.floor((random() * (to - from)) / DAY_MS)
    const day = millis(later(instant(from), days * DAY_MS))
    return Math.min(to, Math.max(from, day - (day % DAY_MS) + momentOfDay(random)))
  }
  const choice = random()
  if (choice < early) return between(dates.invoicedAtMs, due)
  if (choice < early + late) return between(due, suspended)
  if (choice < early + late + veryLate) return between(suspended, ended)
  return Number.POSITIVE_INFINITY
}
