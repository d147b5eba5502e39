import { notify } from '#notifications'
import { serverCrashed, serverInstalled } from '#panel'
import { onEvent } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { statusOf } from '../rules.ts'
import { provision } from '../work.ts'
import { findServiceOfServer, hurryProvisioning } from './queries.ts'

/**
 * A daemon reports that an installation has ended, well or not: the panel is asked now instead of at
 * the next look, and its answer decides. A look that is under way continues; the next one follows.
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
 * Notifies the owner that a server has crashed. A server that is being suspended or ended was stopped
 * by us, even if its daemon reports a crash.
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
