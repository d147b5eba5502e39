import type { InvoiceRow } from '#billing'
import { lastDayOf, type Period } from '#lib/periods.ts'
import { dayOf, type Instant } from '#lib/time.ts'
import { type Failure, notifyAdmins, notifyAll } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'

/** A service that could not be renewed, and why. */
export type RenewalFailure = { readonly service: ServiceRow; readonly failure: Failure }

/** Tells customers of the invoices that renew their services; invoices with nothing to pay are left out. */
export async function notifyOfInvoices(
  tx: Tx,
  tenantId: string,
  made: readonly { service: ServiceRow; invoice: InvoiceRow; period: Period }[],
  now: Instant,
): Promise<void> {
  const notices = made
    .filter(({ invoice }) => invoice.totalCents > 0)
    .map(({ service: { userId, name }, invoice, period }) => {
      const { id, number, totalCents: amountCents, currency, dueAt } = invoice
      const data = {
        name,
        number: number ?? 'pro forma',
        amountCents,
        currency,
        dueOn: dayOf(dueAt ?? now),
        startsOn: dayOf(period.start),
        endsOn: lastDayOf(period),
      }
      return { userId, kind: 'renewal_invoice' as const, data, link: `/invoices/${id}` }
    })
  await notifyAll(tx, tenantId, notices, now)
}

/** Tells owners who do not want a renewal when their service ends. */
export async function notifyOfEnds(
  tx: Tx,
  tenantId: string,
  services: readonly ServiceRow[],
  now: Instant,
): Promise<void> {
  const notices = services.map(({ userId, id, name, invoicedTo }) => {
    const data = { name, endsOn: dayOf(invoicedTo ?? now) }
    return { userId, kind: 'service_ending' as const, data, link: `/servers/${id}` }
  })
  await notifyAll(tx, tenantId, notices, now)
}

/** Tells administrators what could not be renewed: once per service and reason, one notification for each reason. */
export async function notifyOfFailures(
  tx: Tx,
  tenantId: string,
  failures: readonly RenewalFailure[],
  now: Instant,
): Promise<void> {
  const news = failures.filter(({ service, failure }) => service.renewalFailure !== failure.detail)
  for (const those of Map.groupBy(news, ({ failure }) => failure.detail).values()) {
    const [first, ...more] = those
    if (!first) continue
    const { id, name } = first.service
    const facts = { name, others: more.length, ...first.failure }
    const attention = { tenantId, topic: 'renewal_failed' as const, facts }
    await notifyAdmins(tx, { ...attention, link: `/admin/servers/${id}` }, now)
  }
}
