import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import {
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
  type PanelServer,
} from '#panel'
import { isUniqueViolation } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { findUser } from '#users'
import { leaseEnd, serverFacts } from '../provisioning/actions.ts'
import { leasePanelAccount, releasePanelAccount } from '../provisioning/queries.ts'
import { hasService, lockService, type ServiceRow, updateService } from '../queries.ts'
import type { FindingRow } from './queries.ts'

type Link = {
  readonly finding: FindingRow
  readonly client: PanelClient
  readonly service: ServiceRow
}

/**
 * Gives an imported service the server that another system has created for it, if that server is its customer's: many
 * systems use the same small numbers. The panel is updated first, so that after a crash in between the server is found
 * by our external id. No one is told, and only the ids and owner of the server change.
 */
export async function linkImported(
  context: JobContext,
  { finding, client, service }: Link,
): Promise<PanelFailure | null> {
  if (service.nodeId !== null || service.delivery !== 'server') return null
  const { nodeId, externalId: formerId } = finding
  const at = context.clock.now()
  const server =
    (await client.findServerByExternalId(service.externalId)) ??
    (formerId === null ? undefined : await client.findServerByExternalId(formerId))
  if (!server || server.id !== finding.serverId) {
    return refused('server_gone', 'It is not on this panel any more.', at)
  }
  const place = { tenantId: service.tenantId, nodeId, serverId: server.id }
  if (await context.transact((tx) => hasService(tx, place))) return inUse(at)
  const kept = await takeAccount(context, { client, service, server, nodeId })
  if (kept) return kept
  const { externalId } = service
  if (server.externalId !== externalId) await client.updateDetails(server.id, { externalId })
  try {
    return await context.transact(async (tx) => {
      const locked = await lockService(tx, service)
      if (locked?.nodeId !== null || locked.serverId !== null || locked.endedAt) return null
      await updateService(tx, locked, { nodeId, ...serverFacts(server) })
      return null
    })
  } catch (error) {
    if (isUniqueViolation(error, 'one_adoption_per_server')) return inUse(at)
    throw error
  }
}

type Taken = Omit<Link, 'finding'> & { readonly server: PanelServer; readonly nodeId: string }

/**
 * Stores the account that owns a server as that of its customer; returns a failure if it belongs to another customer.
 */
async function takeAccount(
  { db, transact, clock }: JobContext,
  { client, service, server, nodeId }: Taken,
): Promise<PanelFailure | null> {
  const { tenantId, userId } = service
  const now = clock.now()
  const differs = refused('owner_differs', 'It belongs to another account on the panel.', now)
  const user = await findUser(db, { tenantId, userId })
  const owner = user && !user.deletedAt ? await client.findUserByEmail(user.email) : undefined
  if (!owner || owner.id !== server.userId || owner.rootAdmin) return differs
  const key = { tenantId, nodeId, userId }
  const lease = { now, until: leaseEnd(now) }
  const account = await transact((tx) =>
    leasePanelAccount(tx, { ...key, externalId: `cust-${newId()}` }, lease),
  )
  if (!account) return refused('server_busy', 'Another server of this customer is set up.', now)
  const known = account.remoteUserId
  const linked =
    known !== null || owner.externalId === account.externalId
      ? owner
      : await outcomeOf(client.linkUser(owner, account.externalId))
  const failed = linked instanceof PanelError
  const remoteUserId = failed || known !== null ? null : owner.id
  await transact((tx) => releasePanelAccount(tx, key, { remoteUserId, madeHere: false }))
  if (failed) throw linked
  return known === null || known === owner.id ? null : differs
}

function inUse(at: Instant): PanelFailure {
  return refused('in_use', 'Another service has this server.', at)
}

function refused(code: string, detail: string, at: Instant): PanelFailure {
  return { code, detail, at }
}
