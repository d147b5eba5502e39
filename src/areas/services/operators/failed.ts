import { hasOpenDispute } from '#billing'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { settingsOf } from '#tenants'
import { updateProvisioning } from '../provisioning/queries.ts'
import { lockService, type ServiceKey } from '../queries.ts'
import { serviceSettings } from '../settings.ts'
import { refundService } from './actions.ts'
import { countRefunded, isRefundable, listRefundable, wasPutOff } from './failed-queries.ts'

/** Up to this many services of a tenant are handled in one run; the next run takes the others. */
const BATCH = 200

type To = 'payment' | 'credit'

/**
 * Refunds services of a tenant that failed for good, if its settings say so. Once a day, staff are told of those that
 * wait for them, because the daily limit is reached or a refund is refused. Each refund is a transaction.
 */
export async function refundFailedOf(context: JobContext, tenantId: string): Promise<void> {
  const { db, transact, now, signal } = context
  const settings = await settingsOf(db, tenantId, serviceSettings)
  const { refundFailed: to, refundFailedAfterHours, refundFailedPerDay } = settings
  if (to === 'off') return
  const yesterday = later(now, -DAY_MS)
  const failedBy = later(now, -refundFailedAfterHours * HOUR_MS)
  const due = await listRefundable(db, tenantId, {
    ...{ failedBy, putOffBefore: yesterday, limit: BATCH },
  })
  let left = refundFailedPerDay - (await countRefunded(db, tenantId, yesterday))
  const waiting: ServiceKey[] = []
  for (const id of due) {
    if (signal.aborted) return
    const key = { tenantId, id }
    if (left <= 0) {
      waiting.push(key)
      continue
    }
    const outcome = await refundOne(context, key, to)
    if (outcome === 'refunded') left -= 1
    if (outcome === 'refused') waiting.push(key)
  }
  if (waiting.length > 0) await transact((tx) => putOff(tx, tenantId, waiting, now))
}

async function refundOne(
  { transact, now, log }: JobContext,
  key: ServiceKey,
  to: To,
): Promise<'refunded' | 'refused' | 'gone'> {
  const { tenantId, id: serviceId } = key
  try {
    return await transact(async (tx) => {
      const service = await lockService(tx, key)
      if (!service || !(await isRefundable(tx, key))) return 'gone'
      if (await hasOpenDispute(tx, service)) return 'refused'
      await refundService(tx, service, { to }, now)
      await updateProvisioning(tx, { tenantId, serviceId }, { refundedAt: now })
      return 'refunded'
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    log.warn({ err: error, serviceId }, 'a service that failed could not be refunded')
    return 'refused'
  }
}

async function putOff(
  tx: Tx,
  tenantId: string,
  services: readonly ServiceKey[],
  now: Instant,
): Promise<void> {
  const isKnown = await wasPutOff(tx, tenantId, later(now, -DAY_MS))
  for (const { id: serviceId } of services) {
    await updateProvisioning(tx, { tenantId, serviceId }, { refundPutOffAt: now })
  }
  if (isKnown) return
  const facts = { count: services.length }
  const link = '/admin/servers'
  await notifyAdmins(tx, { tenantId, topic: 'failed_not_refunded', facts, link }, now)
}
