import { creditInvoice, findInvoice, type InvoiceRow, voidInvoice, writeOffInvoice } from '#billing'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { findService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { serviceSettings } from '../settings.ts'
import { linesFor } from '../shares.ts'
import {
  listPeriods,
  listPeriodsOfInvoice,
  listUnpaid,
  type PeriodRow,
  updatePeriod,
} from './queries.ts'

/**
 * Gives up the unpaid periods and debts of a service that has ended: their invoices are credited in full or,
 * where the tenant wants it so, written off (R4.6). Hours that were used stay owed. The service is
 * locked.
 */
export async function closePeriods(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const { unpaidRenewal } = await settingsOf(tx, service.tenantId, serviceSettings)
  for (const period of await listUnpaid(tx, service)) {
    if (service.interval === 'hour') await updatePeriod(tx, period, { dunningAt: null })
    else if (unpaidRenewal === 'write_off') await writeOff(tx, period, now)
    else await voidPeriod(tx, period, 'The service has ended', now)
  }
}

/**
 * Gives one unpaid period up, and its invoice with it; what was paid on it becomes credit. Of an invoice
 * that others owe too, as that of an order whose money a bank took back, only this one's share goes.
 */
async function voidPeriod(tx: Tx, period: PeriodRow, reason: string, now: Instant): Promise<void> {
  await updatePeriod(tx, period, { voidedAt: now, dunningAt: null })
  const invoice = await openInvoiceOf(tx, period)
  if (!invoice) return
  const key = { tenantId: invoice.tenantId, invoiceId: invoice.id }
  // The service is gone whatever a bank decides; a lost dispute takes it from the credit again.
  const wanted = { ...key, reason, heldToo: true }
  if (await isOwedByOthers(tx, period, invoice)) {
    const amountCents = await shareOfPeriod(tx, period, invoice)
    if (amountCents > 0) await creditInvoice(tx, { ...wanted, amountCents }, now)
  } else if (invoice.paidCents === 0) await voidInvoice(tx, key, reason, now)
  else await creditInvoice(tx, wanted, now)
}

/** What an invoice still asks for one service, at most what is left of it. */
async function shareOfPeriod(
  tx: Tx,
  { tenantId, serviceId }: PeriodRow,
  invoice: InvoiceRow,
): Promise<Cents> {
  const service = await findService(tx, { tenantId, id: serviceId })
  if (!service) return cents(0)
  const share = sumCents(await linesFor(tx, service, invoice))
  return cents(Math.min(share, invoice.totalCents - invoice.creditedCents))
}

async function isOwedByOthers(
  tx: Tx,
  { tenantId, serviceId }: PeriodRow,
  { id: invoiceId }: InvoiceRow,
): Promise<boolean> {
  const periods = await listPeriodsOfInvoice(tx, { tenantId, invoiceId })
  return periods.some((it) => it.serviceId !== serviceId && it.paidAt === null)
}

async function writeOff(tx: Tx, period: PeriodRow, now: Instant): Promise<void> {
  await updatePeriod(tx, period, { voidedAt: now, dunningAt: null })
  const invoice = await openInvoiceOf(tx, period)
  // While others owe it too it is collected; the last one to go writes it off.
  if (!invoice || (await isOwedByOthers(tx, period, invoice))) return
  await writeOffInvoice(tx, { tenantId: invoice.tenantId, invoiceId: invoice.id }, now)
}

async function openInvoiceOf(
  tx: Tx,
  { tenantId, invoiceId }: PeriodRow,
): Promise<InvoiceRow | undefined> {
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  return invoice?.status === 'open' ? invoice : undefined
}

type Renewed = ServiceKey & { currentPeriodEnd: Instant | null; invoicedTo: Instant | null }

/**
 * Gives up the invoices of the periods after the one that is paid for, as long as nobody has paid them,
 * so that they can be made again, or not at all (R4.8, R4.9). Answers from where on none is left.
 */
export function withdrawPeriods(
  tx: Tx,
  service: Renewed,
  reason: string,
  now: Instant,
): Promise<Instant | null> {
  return withdrawBegunAfter(tx, service, { reason, after: null }, now)
}

/**
 * The same for periods that begin after an instant only: one that has begun stays owed at the price at
 * which it was invoiced, for it is no renewal to come (R4.9).
 */
export async function withdrawBegunAfter(
  tx: Tx,
  { currentPeriodEnd, ...service }: Renewed,
  { reason, after }: { reason: string; after: Instant | null },
  now: Instant,
): Promise<Instant | null> {
  let invoicedTo = service.invoicedTo
  for (const period of (await listPeriods(tx, service)).reverse()) {
    const coming = currentPeriodEnd !== null && period.startsAt >= currentPeriodEnd
    const begun = after !== null && period.startsAt <= after
    if (period.paidAt || !coming || begun) break
    await voidPeriod(tx, period, reason, now)
    invoicedTo = period.startsAt
  }
  return invoicedTo
}
