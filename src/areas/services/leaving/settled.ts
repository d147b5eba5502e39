import { HOUSE_REASONS } from '#billing'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockService, type ServiceKey } from '../queries.ts'
import { closeUnpaid } from '../renewals/closing.ts'
import { invoiceLastHours } from '../renewals/run.ts'
import { leavingFactsOf } from './facts.ts'
import { leavingOf } from './rules.ts'

/**
 * Settles what a service that has just ended still owes. If it was terminated for non-payment, which a
 * payment could undo until now, that is everything (R4.6); else it is what a bank took back since the
 * end was requested. The service is locked. Runs twice harmlessly.
 */
export async function settleEnded(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  const service = await lockService(tx, key)
  if (!service?.endWantedAt) return
  const isUnpaid = service.endWantedReason === 'unpaid'
  const way = isUnpaid ? 'unpaid' : 'completed'
  const facts = await leavingFactsOf(tx, service, { way, at: service.endWantedAt })
  const leaving = leavingOf(facts)
  const reason = isUnpaid ? HOUSE_REASONS.terminatedUnpaid : HOUSE_REASONS.serviceEnded
  await closeUnpaid(tx, { unpaid: facts.unpaid, leaving, reason }, now)
  if (leaving.hours.length > 0) await invoiceLastHours(tx, service, now)
}
