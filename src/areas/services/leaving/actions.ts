import { HOUSE_REASONS, type Reason } from '#billing'
import { type Cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { giveBack } from '../held/actions.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { closeUnpaid } from '../renewals/closing.ts'
import { invoiceLastHours } from '../renewals/run.ts'
import { isUndelivered } from '../rules.ts'
import { wantEnd } from '../states/actions.ts'
import { leavingFactsOf } from './facts.ts'
import { type Leaving, leavingOf, type Way } from './rules.ts'

type EndReason = NonNullable<ServiceRow['endReason']>

export type Ending = {
  readonly way: Exclude<Way, 'unpaid'>
  readonly endReason: EndReason
  /** The reason on the credit notes. */
  readonly reason: Reason
  readonly keepsData: boolean
  /** Where money goes back to, if this way of ending returns any. */
  readonly to?: 'payment' | 'credit'
  /** When the service ends; by default now. A period that is over ended when it was over. */
  readonly at?: Instant
}

/**
 * Ends a locked service: everything that is owed and returned is written in this transaction, as `leavingOf` decides,
 * and its server is deleted (R4.8). Returns what that is, and the sum returned in cents. Throws 409 for a service that
 * has ended, or is about to.
 */
export async function leave(
  tx: Tx,
  service: ServiceRow,
  { way, endReason, reason, keepsData, to = 'credit', ...ending }: Ending,
  now: Instant,
): Promise<{ leaving: Leaving; returnedCents: Cents }> {
  const { at = now } = ending
  const facts = await leavingFactsOf(tx, service, { way, at })
  const leaving = leavingOf(facts)
  await wantEnd(tx, service, { reason: endReason, keepsData, at }, now)
  const returned: Cents[] = []
  for (const { invoiceId, amountCents } of leaving.returned) {
    const invoice = { tenantId: service.tenantId, id: invoiceId }
    returned.push(await giveBack(tx, service, invoice, { amountCents, to, reason }, now))
  }
  await closeUnpaid(tx, { unpaid: facts.unpaid, leaving, reason }, now)
  if (leaving.usedUntil) await invoiceLastHours(tx, service, now)
  // Nothing counts as used: no hour is left to invoice.
  else if (facts.metered) await updateService(tx, service, { invoicedTo: at })
  return { leaving, returnedCents: sumCents(returned) }
}

/**
 * Ends a locked service whose last period is over, as of the end of that period; what staff never delivered is paid
 * back.
 */
export async function endAt(tx: Tx, service: ServiceRow, at: Instant, now: Instant): Promise<void> {
  const isCanceled = service.cancelAtPeriodEnd
  await leave(
    tx,
    service,
    {
      ...{ way: 'completed', endReason: isCanceled ? 'canceled' : 'completed' },
      ...{ reason: HOUSE_REASONS.serviceEnded, keepsData: true, at },
      ...(isUndelivered(service) && { way: 'given_up' as const, to: 'payment' as const }),
    },
    now,
  )
}
