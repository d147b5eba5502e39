import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'
import type { FreeDays } from './schema.ts'

/** Whether a service got this many free days for the same reason within the last 24 hours. */
export async function hasSameFreeDays(
  tx: Tx,
  { tenantId, id }: ServiceKey,
  { days, reason }: FreeDays,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .selectFrom('services.periods')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('voidedAt', 'is', null)
    .where('freeDays', '=', days)
    .where('freeReason', '=', reason)
    .where('createdAt', '>', later(now, -DAY_MS))
    .executeTakeFirst()
  return row !== undefined
}
