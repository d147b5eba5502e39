import { serverInstalled } from '#panel'
import { onEvent } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { provision } from '../provisioning/jobs.ts'
import { findServiceOfServer, hurryProvisioning } from './queries.ts'

/**
 * A daemon says that an installation has ended, well or not: the panel is asked now instead of at the
 * next look, and what it says is what counts. A look that is under way goes on; the next one follows.
 */
export const installationReported = onEvent(
  serverInstalled,
  'services.installation-reported',
  async ({ db, clock, transact }, server) => {
    const service = await findServiceOfServer(db, server)
    if (!service) return
    const { tenantId, id: serviceId } = service
    await transact(async (tx) => {
      if (!(await hurryProvisioning(tx, { tenantId, serviceId, now: clock.now() }))) return
      await enqueue(tx, provision, { tenantId, serviceId }, { key: `reported ${serviceId}` })
    })
  },
)
