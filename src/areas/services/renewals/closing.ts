import { creditInvoice, findInvoice, voidInvoice, writeOffInvoice } from '#billing'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import type { ServiceKey, ServiceRow } from '../queries.ts'
import { serviceSettings } from '../settings.ts'
import { listPeriods, listUnpaid, type PeriodRow, updatePeriod } from './queries.ts'

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

/** Gives one unpaid period up, and its invoice with it; what was paid on it becomes credit. */
export async function voidPeriod(
  tx: Tx,
  period: PeriodRow,
  reason: string,
  now: Instant,
): Promise<void> {
  await updatePeriod(tx, period, { voidedAt: now, dunningAt: null })
  const { tenantId, invoiceId } = period
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (invoice?.status !== 'open' || !invoiceId) return
  const key = { tenantId, invoiceId }
  if (invoice.paidCents === 0) await voidInvoice(tx, key, reason, now)
  // The service is gone whatever a bank decides; a lost dispute takes it from the credit again.
  else await creditInvoice(tx, { ...key, reason, heldToo: true }, now)
}

async function writeOff(tx: Tx, period: PeriodRow, now: Instant): Promise<void> {
  await updatePeriod(tx, period, { voidedAt: now, dunningAt: null })
  const { tenantId, invoiceId } = period
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (invoice?.status === 'open' && invoiceId) {
    await writeOffInvoice(tx, { tenantId, invoiceId }, now)
  }
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
