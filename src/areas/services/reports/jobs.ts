import { notify } from '#notifications'
import { serverCrashed, serverInstalled } from '#panel'
import { onEvent } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { provision } from '../provisioning/jobs.ts'
import { statusOf } from '../rules.ts'
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

/**
 * Its owner hears that a server has crashed. One that is being suspended or ended was stopped by us,
 * whatever its daemon makes of that.
 */
export const crashReported = onEvent(
  serverCrashed,
  'services.crash-reported',
  async ({ db, clock, transact }, server) => {
    const service = await findServiceOfServer(db, server)
    if (!service || statusOf(service) !== 'active') return
    const { tenantId, id, userId, name, suspendReasons, endWantedAt } = service
    if (suspendReasons.length > 0 || endWantedAt) return
    const notice = { tenantId, userId, kind: 'server_crashed' as const, data: { name } }
    await transact((tx) => notify(tx, { ...notice, link: `/servers/${id}` }, clock.now()))
  },
)
