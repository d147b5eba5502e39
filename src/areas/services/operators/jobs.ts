import { HOUR_MS, later, MINUTE_MS } from '#lib/time.ts'
import { clientOf } from '#panel'
import { isDatabaseAway } from '#platform/database/index.ts'
import { job, schedule } from '#platform/jobs.ts'
import { findService } from '../queries.ts'
import { makeSuspension } from '../states/suspension.ts'
import { enforceSuspension } from '../work.ts'
import { refundFailedOf } from './failed.ts'
import { listTenantsWithFailed } from './failed-queries.ts'

/** Suspends or resumes a server on the panel, as recorded for its service. */
export const enforceSuspensionJob = job(
  enforceSuspension,
  async (context, { tenantId, serviceId }) => {
    const { db } = context
    const service = await findService(db, { tenantId, id: serviceId })
    if (!service?.nodeId) return
    const client = await clientOf(context, db, { tenantId, nodeId: service.nodeId })
    await makeSuspension(context, client, service)
  },
  { retrySeconds: 10 },
)

/**
 * Refunds services that failed for good, in shops that have enabled this. A fault in one tenant does not stop the
 * others.
 */
export const refundFailed = schedule('services.refund-failed', 10 * MINUTE_MS, async (context) => {
  const { db, now, signal, log } = context
  for (const tenantId of await listTenantsWithFailed(db, later(now, -HOUR_MS))) {
    if (signal.aborted) return
    try {
      await refundFailedOf(context, tenantId)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error, tenantId }, 'services that failed could not be refunded')
    }
  }
})
