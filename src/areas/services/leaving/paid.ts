import { findInvoice, type InvoiceRow } from '#billing'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { refundedOf } from '../held/queries.ts'
import type { ServiceRow } from '../queries.ts'
import { listPaidGivenUp, listPeriods, type PeriodRow } from '../renewals/queries.ts'
import { linesFor } from '../shares.ts'
import type { ChangePart, MadeChange } from '../upgrades/queries.ts'
import type { PaidTime } from './rules.ts'

/** What was paid for a service, tax included, and for which time, oldest first (R4.9). */
export async function paidTimesOf(
  tx: Tx,
  service: ServiceRow,
  changes: readonly MadeChange[],
): Promise<PaidTime[]> {
  const periods = await listPeriods(tx, service)
  const known = new Set(periods.map(({ invoiceId }) => invoiceId))
  const paid: PaidTime[] = []
  for (const { invoiceId, startsAt: start, endsAt: end } of periods) {
    paid.push(...(await soldFor(tx, service, invoiceId, { start, end })))
  }
  if (paid.length === 0) paid.push(...(await soldFor(tx, service, service.invoiceId, null)))
  const changed: PaidTime[] = []
  for (const change of changes) {
    const { invoiceId, paidAt } = change
    // A change to another cycle was paid with the first of its periods.
    if (!paidAt || (invoiceId && known.has(invoiceId))) continue
    // Before changes noted their parts, what one cost was for each second alike.
    const parts = change.parts ?? timeAfter(paidAt, periods)
    changed.push(...(await changedFor(tx, service, change, parts)))
  }
  const counted = [...paid, ...changed].sort((a, b) =>
    compareStarts(a.period?.start ?? '', b.period?.start ?? ''),
  )
  return [...(await givenUpFor(tx, service, known)), ...counted]
}

function compareStarts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** What an invoice sold for a period, or for good; nothing while it is not paid. */
async function soldFor(
  tx: Tx,
  service: ServiceRow,
  invoiceId: string | null,
  period: Period | null,
): Promise<PaidTime[]> {
  const invoice = await paidInvoice(tx, service, invoiceId)
  if (!invoice) return []
  const lines = await linesFor(tx, service, invoice)
  const isMove = invoice.kind === 'upgrade' && period !== null
  const before = isMove ? sumCents(lines.map((it) => Math.min(0, it))) : cents(0)
  const paidCents = cents(sumCents(lines) - before - (await refundedFor(tx, invoice, lines)))
  return [{ ...moneyOf(invoice), period, paidCents, movedCents: cents(-before) }]
}

/** The setup fees of periods whose value became a part of a change: those were not moved. */
async function givenUpFor(
  tx: Tx,
  service: ServiceRow,
  known: ReadonlySet<string | null>,
): Promise<PaidTime[]> {
  const seen = new Set(known)
  const paid: PaidTime[] = []
  for (const { invoiceId, startsAt: start, endsAt: end } of await listPaidGivenUp(tx, service)) {
    const invoice = seen.has(invoiceId) ? undefined : await paidInvoice(tx, service, invoiceId)
    seen.add(invoiceId)
    if (!invoice) continue
    const [, ...fees] = await linesFor(tx, service, invoice)
    const period = { start, end }
    paid.push({ ...moneyOf(invoice), period, paidCents: sumCents(fees), movedCents: cents(0) })
  }
  return paid
}

type Part = Pick<ChangePart, 'startsAt' | 'endsAt' | 'creditCents' | 'chargeCents'>

/** What a change cost or gave back for each of its periods. */
async function changedFor(
  tx: Tx,
  service: ServiceRow,
  { invoiceId, creditCents }: MadeChange,
  parts: readonly Part[],
): Promise<PaidTime[]> {
  const invoice = await paidInvoice(tx, service, invoiceId)
  const isApart = invoice !== undefined && (creditCents ?? 0) > 0
  const charges = parts.map((it) => it.chargeCents - (isApart ? 0 : it.creditCents))
  const credits = parts.map((it) => it.creditCents - (isApart ? 0 : it.chargeCents))
  const lines = invoice ? await linesFor(tx, service, invoice) : []
  const keptCents = invoice
    ? sumCents([...lines, -(await refundedFor(tx, invoice, lines))])
    : cents(0)
  const [charged, credited] = [sumCents(charges), sumCents(credits)]
  const movedCents = cents(0)
  return parts.flatMap(({ startsAt: start, endsAt: end }, index): PaidTime[] => {
    const period = { start, end }
    const costs = invoice && charged > 0 ? portion(keptCents, charges[index] ?? 0, charged) : 0
    const back =
      creditCents && credited > 0 ? portion(creditCents, credits[index] ?? 0, credited) : 0
    const given = { invoiceId: null, heldCents: cents(0) }
    // What was given back counts before what was charged: older invoices hold that much less.
    return [
      ...(back !== 0 ? [{ ...given, period, paidCents: cents(-back), movedCents }] : []),
      ...(costs !== 0 && invoice
        ? [{ ...moneyOf(invoice), period, paidCents: cents(costs), movedCents }]
        : []),
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

/** How much of a service's lines of an invoice was refunded or credited outside a change. */
async function refundedFor(
  tx: Tx,
  { tenantId, id, totalCents, creditedCents }: InvoiceRow,
  lines: readonly Cents[],
): Promise<Cents> {
  const [refunded = cents(0)] = (await refundedOf(tx, tenantId, [{ id, creditedCents }])).values()
  return refunded > 0 ? portion(refunded, sumCents(lines), totalCents) : cents(0)
}

function moneyOf({ id: invoiceId, paidCents, refundedCents, reversedCents }: InvoiceRow) {
  return { invoiceId, heldCents: cents(paidCents - refundedCents - reversedCents) }
}

async function paidInvoice(
  tx: Tx,
  { tenantId }: ServiceRow,
  invoiceId: string | null,
): Promise<InvoiceRow | undefined> {
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  // What another system has invoiced is not refunded by an invoice of this one.
  return invoice?.status === 'paid' && !invoice.imported ? invoice : undefined
}
