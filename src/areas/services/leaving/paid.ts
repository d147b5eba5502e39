import type { InvoiceRow } from '#billing'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type Cost, type Costs, costsOf, totalOf } from '../held/costs.ts'
import type { ServiceRow } from '../queries.ts'
import { listPaidGivenUp, listPeriods, type PeriodRow } from '../renewals/queries.ts'
import type { ChangePart, MadeChange } from '../upgrades/queries.ts'
import type { PaidTime } from './rules.ts'

/** What was paid for a service, tax included, and for which time, oldest first (R4.9). */
export async function paidTimesOf(
  tx: Tx,
  service: ServiceRow,
  changes: readonly MadeChange[],
): Promise<PaidTime[]> {
  const periods = await listPeriods(tx, service)
  const givenUp = await listPaidGivenUp(tx, service)
  const costs = await costsOf(tx, service, [...periods, ...changes, ...givenUp, service])
  const known = new Set(periods.map(({ invoiceId }) => invoiceId))
  const paid = periods.flatMap((row) => {
    // Free days were not paid for; what a change cost for them is with the changes.
    if (row.freePriceCents !== null) return []
    const period = { start: row.startsAt, end: row.endsAt }
    if (row.invoiceId) return soldFor(row.invoiceId, period, costs)
    return movedInto(period, { changes, older: [...periods, ...givenUp] }, costs)
  })
  if (paid.length === 0) paid.push(...soldFor(service.invoiceId, null, costs))
  const changed = changes.flatMap((change, index): PaidTime[] => {
    const { invoiceId, paidAt } = change
    // A change to another cycle was paid with the first of its periods.
    if (!paidAt || (invoiceId && known.has(invoiceId))) return []
    // Before changes recorded their parts, the cost of one was spread evenly over the time.
    const times = changedFor(change, change.parts ?? timeAfter(paidAt, periods), costs)
    const replacedAt = changes.slice(index + 1).find(({ anchorAt }) => anchorAt)?.anchorAt
    return replacedAt ? times.flatMap((time) => movedAt(time, replacedAt)) : times
  })
  const counted = [...paid, ...changed].sort(byTime)
  return [...feesOf(givenUp, known, costs), ...counted]
}

/** By start; a cycle that was replaced in the instant of its purchase comes first. */
function byTime({ period: a }: PaidTime, { period: b }: PaidTime): number {
  return compare(a?.start ?? '', b?.start ?? '') || compare(a?.end ?? '', b?.end ?? '')
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** What an invoice sold for a period, or for good; nothing while it is not paid. */
function soldFor(
  invoiceId: string | null,
  period: Period | null,
  { invoiceOf, ofInvoice }: Costs,
): PaidTime[] {
  const invoice = invoiceOf(invoiceId)
  if (invoice?.status !== 'paid') return []
  const lines = ofInvoice(invoice)
  const isMove = invoice.kind === 'upgrade' && period !== null
  const moved = lines.map(({ charged }) => (isMove ? Math.min(0, charged.totalCents) : 0))
  const movedCents = cents(-sumCents(moved))
  const paidCents = sumCents([keptOf(lines), movedCents])
  return [{ ...moneyOf(invoice), period, paidCents, movedCents }]
}

/**
 * The first period of another cycle that cost no more than the value held: it has no invoice of its own. The money is
 * on the invoices of the periods before it, of earlier changes or of periods that were paid ahead, with their tax.
 */
function movedInto(
  period: Period,
  { changes, older }: { changes: readonly MadeChange[]; older: readonly PeriodRow[] },
  { invoiceOf, ofInvoice }: Costs,
): PaidTime[] {
  const parts = changes.flatMap((change) => (change.invoiceId ? [] : (change.parts ?? [])))
  const part = parts.find((it) => it.startsAt === period.start && it.endsAt === period.end)
  if (!part) return []
  const newest = older.toSorted((a, b) => compare(b.startsAt, a.startsAt))
  const [ahead, before] = [
    newest.filter(({ startsAt }) => startsAt > period.start),
    newest.filter(({ startsAt }) => startsAt <= period.start),
  ]
  const sold = [...before, ...changes.toReversed(), ...ahead]
    .flatMap(({ invoiceId }) => invoiceOf(invoiceId) ?? [])
    .flatMap((invoice) => ofInvoice(invoice).map(({ charged }) => charged))
    .find(({ netCents }) => netCents > 0)
  if (!sold) return []
  const movedCents = portion(part.chargeCents, sold.totalCents, sold.netCents)
  return [{ invoiceId: null, heldCents: cents(0), period, paidCents: movedCents, movedCents }]
}

/** The setup fees of periods whose value became part of the payment for a change: the fees were not moved. */
function feesOf(
  givenUp: readonly PeriodRow[],
  known: ReadonlySet<string | null>,
  { invoiceOf, ofInvoice }: Costs,
): PaidTime[] {
  const seen = new Set(known)
  return givenUp.flatMap(({ invoiceId, startsAt: start, endsAt: end }): PaidTime[] => {
    const invoice = seen.has(invoiceId) ? undefined : invoiceOf(invoiceId)
    seen.add(invoiceId)
    if (invoice?.status !== 'paid') return []
    const paidCents = keptOf(ofInvoice(invoice).filter(({ isPeriod }) => !isPeriod))
    return [{ ...moneyOf(invoice), period: { start, end }, paidCents, movedCents: cents(0) }]
  })
}

/**
 * What a change cost, after a change of cycle has moved its unused part into a period of its own: the rest was used,
 * and its money is still on the invoice of the change.
 */
function movedAt(time: PaidTime, at: Instant): PaidTime[] {
  const { period, invoiceId } = time
  if (!period || period.end <= at) return [time]
  if (period.start < at) return [{ ...time, period: { ...period, end: at } }]
  return invoiceId ? [{ ...time, period: { start: at, end: at }, paidCents: cents(0) }] : []
}

type Part = Pick<ChangePart, 'startsAt' | 'endsAt' | 'creditCents' | 'chargeCents'>

/** What a change cost or gave back for each of its periods. */
function changedFor(
  change: MadeChange,
  parts: readonly Part[],
  { invoiceOf, ofChange }: Costs,
): PaidTime[] {
  const invoice = invoiceOf(change.invoiceId)
  const movedCents = cents(0)
  return ofChange(change, parts).flatMap(({ part, givenBackCents, ...cost }): PaidTime[] => {
    const period = { start: part.startsAt, end: part.endsAt }
    const paidCents = keptOf([cost])
    const given = { invoiceId: null, heldCents: cents(0) }
    // What was given back counts before what was charged: older invoices hold that much less.
    return [
      ...(givenBackCents === 0
        ? []
        : [{ ...given, period, paidCents: cents(-givenBackCents), movedCents }]),
      ...(paidCents === 0 || !invoice
        ? []
        : [{ ...moneyOf(invoice), period, paidCents, movedCents }]),
    ]
  })
}

/** What is left, after an instant, of the periods that had begun or were paid for by then. */
export function timeAfter(at: Instant, periods: readonly PeriodRow[]): Part[] {
  return periods.flatMap(({ startsAt: start, endsAt, paidAt }) => {
    const covered = start <= at || (paidAt !== null && paidAt <= at)
    if (!covered || endsAt <= at) return []
    const startsAt = start > at ? start : at
    const seconds = cents(secondsBetween(startsAt, endsAt))
    return { startsAt, endsAt, creditCents: cents(0), chargeCents: seconds }
  })
}

/** What was charged and not refunded, tax included, in cents. */
function keptOf(costs: readonly Cost[]): Cents {
  const charged = totalOf(costs.map((it) => it.charged)).totalCents
  return cents(charged - totalOf(costs.map((it) => it.refunded)).totalCents)
}

function moneyOf({ id: invoiceId, paidCents, refundedCents, reversedCents }: InvoiceRow) {
  return { invoiceId, heldCents: cents(paidCents - refundedCents - reversedCents) }
}
