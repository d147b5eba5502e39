import {
  creditInvoice,
  type GivenUp,
  type InvoiceRow,
  numberInvoice,
  type Reason,
  voidInvoice,
  writeOffImported,
  writeOffInvoice,
} from '#billing'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { insertGivenBack } from '../held/queries.ts'
import { type Unpaid, unpaidOf } from '../leaving/facts.ts'
import type { Leaving } from '../leaving/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { listPeriods, updatePeriod } from './queries.ts'

type Closing = {
  readonly unpaid: readonly Unpaid[]
  readonly leaving: Pick<Leaving, 'unpaid' | 'usedUntil'>
  readonly reason: Reason
}

/**
 * Closes the unpaid periods and debts of a locked service that ends, as decided: the unused part is credited and the
 * rest stays due, or all of it is written off (R4.6).
 */
export async function closeUnpaid(
  tx: Tx,
  { unpaid, leaving, reason }: Closing,
  now: Instant,
): Promise<void> {
  const { usedUntil } = leaving
  for (const it of unpaid) {
    const end = leaving.unpaid.find(({ id }) => id === it.id)
    if (!end) continue
    const { creditCents } = end
    if (end.writeOff) await writeOff(tx, it, reason, now)
    else if (end.keepCents > 0) await keepUsed(tx, it, { creditCents, usedUntil, reason }, now)
    else await voidPeriod(tx, it, reason, now)
  }
}

type Used = { creditCents: Cents; usedUntil: Instant | null; reason: Reason }

/** Credits the unused part of an unpaid period that was used; the period ends when its use did. */
async function keepUsed(
  tx: Tx,
  { row, invoice }: Unpaid,
  { creditCents, usedUntil, reason }: Used,
  now: Instant,
): Promise<void> {
  const isShorter = usedUntil !== null && usedUntil > row.startsAt && usedUntil < row.endsAt
  if (isShorter) await updatePeriod(tx, row, { endsAt: usedUntil })
  if (!invoice || creditCents === 0) return
  if (invoice.imported) {
    const given = { invoice, serviceId: row.serviceId, amountCents: creditCents, creditPaid: true }
    return giveUpPart(tx, given, now)
  }
  // An invoice that gets its number with its first payment cannot be credited in part before it has one.
  const { tenantId, id: invoiceId } = await numberInvoice(tx, invoice, now)
  const part = { tenantId, invoiceId, reason, amountCents: creditCents, heldToo: true }
  await creditInvoice(tx, part, now)
  const service = { tenantId, id: row.serviceId }
  await insertGivenBack(tx, service, { invoiceId, amountCents: creditCents }, now)
}

/**
 * Gives up one unpaid period and its invoice; what was paid on the invoice becomes credit. If other services owe the
 * same invoice, for example that of an order whose money a bank took back, only this service's share is credited.
 */
async function voidPeriod(
  tx: Tx,
  { row, invoice, isShared, shareCents }: Unpaid,
  reason: Reason,
  now: Instant,
): Promise<void> {
  await updatePeriod(tx, row, { voidedAt: now, dunningAt: null, voidReason: reason })
  if (!invoice) return
  if (invoice.imported) {
    const given = { invoice, serviceId: row.serviceId, amountCents: shareCents, creditPaid: true }
    return giveUpPart(tx, given, now)
  }
  const key = { tenantId: invoice.tenantId, invoiceId: invoice.id }
  // The service has ended whatever a bank decides; a lost dispute takes the money from the credit again.
  const wanted = { ...key, reason, heldToo: true }
  if (isShared) {
    if (shareCents > 0) {
      await creditInvoice(tx, { ...wanted, amountCents: shareCents }, now)
      const given = { invoiceId: invoice.id, amountCents: shareCents }
      await insertGivenBack(tx, { tenantId: row.tenantId, id: row.serviceId }, given, now)
    }
  } else if (invoice.paidCents === 0) await voidInvoice(tx, key, reason, now)
  else await creditInvoice(tx, wanted, now)
}

type GivenUpPart = GivenUp & { invoice: InvoiceRow; serviceId: string }

/** The amount to give up on an imported invoice, which may be for other things too, and its service. */
async function giveUpPart(
  tx: Tx,
  { invoice: { tenantId, id: invoiceId }, serviceId, ...given }: GivenUpPart,
  now: Instant,
): Promise<void> {
  const { amountCents } = given
  await writeOffImported(tx, { tenantId, invoiceId }, given, now)
  await insertGivenBack(tx, { tenantId, id: serviceId }, { invoiceId, amountCents }, now)
}

async function writeOff(
  tx: Tx,
  { row, invoice, isShared, shareCents }: Unpaid,
  reason: Reason,
  now: Instant,
): Promise<void> {
  await updatePeriod(tx, row, { voidedAt: now, dunningAt: null, voidReason: reason })
  if (invoice?.imported) {
    const given = { invoice, serviceId: row.serviceId, amountCents: shareCents, creditPaid: false }
    return giveUpPart(tx, given, now)
  }
  // While other services owe the invoice too, it is collected; the last one to end writes it off.
  if (!invoice || isShared) return
  await writeOffInvoice(tx, { tenantId: invoice.tenantId, invoiceId: invoice.id }, now)
}

/**
 * Gives up the invoices of the periods after the paid one, while they are unpaid, so that they can be created again, or
 * not at all (R4.8, R4.9). Returns the time from which no period is invoiced any more.
 */
export function withdrawPeriods(
  tx: Tx,
  service: ServiceRow,
  reason: Reason,
  now: Instant,
): Promise<Instant | null> {
  return withdrawBegunAfter(tx, service, { reason, after: null }, now)
}

/**
 * Likewise, only for periods that begin after a given time: one that has begun stays owed at its invoiced price,
 * because it is not a future renewal (R4.9).
 */
export async function withdrawBegunAfter(
  tx: Tx,
  service: ServiceRow,
  { reason, after }: { reason: Reason; after: Instant | null },
  now: Instant,
): Promise<Instant | null> {
  const { currentPeriodEnd } = service
  let { invoicedTo } = service
  const unpaid = new Map((await unpaidOf(tx, service)).map((it) => [it.id, it]))
  for (const period of (await listPeriods(tx, service)).reverse()) {
    const found = unpaid.get(period.id)
    const coming = currentPeriodEnd !== null && period.startsAt >= currentPeriodEnd
    const begun = after !== null && period.startsAt <= after
    if (!found || !coming || begun) break
    await voidPeriod(tx, found, reason, now)
    invoicedTo = period.startsAt
  }
  return invoicedTo
}
