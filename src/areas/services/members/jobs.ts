import { clientOf, type PanelClient, PanelError } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job } from '#platform/jobs.ts'
import { serviceActivated, serviceReactivated } from '../events.ts'
import { invitationAccepted } from '../invitations/events.ts'
import { findService, type ServiceRow } from '../queries.ts'
import { syncMembers } from '../work.ts'
import {
  deletePanelSubuser,
  listPanelSubusers,
  listSharedWith,
  upsertPanelSubuser,
} from './queries.ts'
import { panelPermissionsOf, type SubuserStep, subuserSteps } from './rules.ts'

/**
 * Updates the users of a server on the panel to those its service is shared with. This needs a
 * connection with a client key: without one, members use what Moorage offers.
 */
export const syncMembersJob = job(
  syncMembers,
  async (context: JobContext, { tenantId, serviceId }) => {
    const { db, log } = context
    const service = await findService(db, { tenantId, id: serviceId })
    if (!service?.nodeId || !service.serverUuid || service.endedAt) return
    // A suspended server is not accessible, and its panel allows no changes: this is done once it is
    // resumed.
    if (service.suspendedAt) return
    const { serverUuid } = service
    try {
      const client = await clientOf(context, db, { tenantId, nodeId: service.nodeId })
      const members = await listSharedWith(db, service)
      const own = await listPanelSubusers(db, service)
      if (members.length === 0 && own.length === 0) return
      const steps = subuserSteps(members, own, await client.listSubusers(serverUuid))
      for (const step of steps) await take(context, { client, service, serverUuid }, step)
    } catch (error) {
      const cannot = error instanceof PanelError && error.kind === 'misconfigured'
      if (!cannot) throw error
      log.info({ serviceId, code: error.failure.code }, 'members were not taken to the panel')
    }
  },
  { retrySeconds: 10 },
)

type Server = { client: PanelClient; service: ServiceRow; serverUuid: string }

async function take(
  { transact }: JobContext,
  { client, service, serverUuid }: Server,
  step: SubuserStep,
): Promise<void> {
  const { tenantId, id: serviceId } = service
  if (step.step === 'forget' || step.step === 'delete') {
    if (step.step === 'delete') await client.deleteSubuser(serverUuid, step.uuid)
    const { userId } = step.own
    await transact((tx) => deletePanelSubuser(tx, { tenantId, serviceId, userId }))
    return
  }
  const { userId, email, permissions } = step.member
  const row = { tenantId, serviceId, userId, email }
  const wanted = panelPermissionsOf(permissions)
  let uuid: string
  if (step.step === 'create') {
    // Written before the call: a subuser that is found on the panel after a crash is known to be ours.
    await transact((tx) => upsertPanelSubuser(tx, { ...row, subuserUuid: null }))
    uuid = (await client.createSubuser(serverUuid, email, wanted)).uuid
  } else {
    uuid = (await client.updateSubuser(serverUuid, step.uuid, wanted)).uuid
  }
  await transact((tx) => upsertPanelSubuser(tx, { ...row, subuserUuid: uuid }))
}

type Shared = { tenantId: string; serviceId: string }

async function sync({ transact }: JobContext, { tenantId, serviceId }: Shared): Promise<void> {
  await transact((tx) => enqueue(tx, syncMembers, { tenantId, serviceId }, { key: serviceId }))
}

/** A service has a new member. */
export const memberCame = onEvent(invitationAccepted, 'services.member-came', sync)

/** Its server exists: members that already share it are added to the server. */
export const serverCame = onEvent(serviceActivated, 'services.server-came', sync)

/** Its server is resumed: changes of members during the suspension are made now. */
export const serverBack = onEvent(serviceReactivated, 'services.server-back', sync)
