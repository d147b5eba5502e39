import { MINUTE_MS } from '#lib/time.ts'
import { clientOf, type PanelDeps, PanelError, type PanelLocation, type PanelNode } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { remembered } from '../live-status/remembered.ts'
import { listPanelSubusers } from '../members/queries.ts'
import { findPanelAccount } from '../provisioning/queries.ts'
import type { ServiceView } from '../queries.ts'
import { serverOnPanel } from '../startup/last-seen.ts'
import type { ServerConnection } from './schema.ts'

const AWAY: ServerConnection = { available: false, ports: [], location: null, sftp: null }

type Machines = { nodes: readonly PanelNode[]; locations: readonly PanelLocation[] }

/** Machines and names change rarely; a panel is asked for them once a minute at most. */
const machines = remembered<Machines | null>(MINUTE_MS, null)
const usernames = remembered<string | null>(MINUTE_MS, null)

type Placed = ServiceView & { nodeId: string; serverUuid: string }

/** How the server of a service is reached by one of its users. An unavailable panel is not an error. */
export async function connectionOf(
  deps: PanelDeps,
  db: Db,
  service: ServiceView,
  { tenantId, userId }: UserKey,
): Promise<ServerConnection> {
  const { nodeId, serverUuid } = service
  const server = await serverOnPanel(deps, db, service)
  if (!server || !nodeId || !serverUuid) return AWAY
  const placed = { ...service, nodeId, serverUuid }
  const seesFiles = service.role === 'owner' || service.permissions.includes('files')
  const [known, username] = await Promise.all([
    machines.of(deps, `${tenantId} ${nodeId}`, () => machinesOf(deps, db, placed)),
    seesFiles
      ? usernames.of(deps, `${tenantId} ${service.id} ${userId}`, () =>
          usernameOf(deps, db, placed, userId),
        )
      : null,
  ])
  const node = known?.nodes.find(({ id }) => id === server.nodeId)
  const location = known?.locations.find(({ id }) => node?.locationIds.includes(id))
  return {
    available: true,
    ports: server.allocations.map(({ id, ip, alias, port }) => ({
      ...{ ip, alias, port, primary: id === server.allocationId },
    })),
    location: service.location?.name ?? location?.name ?? null,
    sftp:
      node && username
        ? { host: node.fqdn, port: node.sftpPort, username: `${username}.${server.identifier}` }
        : null,
  }
}

function machinesOf(deps: PanelDeps, db: Db, service: Placed): Promise<Machines | null> {
  return asked(deps, async () => {
    const client = await clientOf(deps, db, service)
    const [nodes, locations] = await Promise.all([client.listNodes(), client.listLocations()])
    return { nodes, locations }
  })
}

/** A user's name on the panel of a server; null if they have no account there that we created. */
function usernameOf(
  deps: PanelDeps,
  db: Db,
  service: Placed,
  userId: string,
): Promise<string | null> {
  const { tenantId, nodeId, serverUuid, role } = service
  return asked(deps, async () => {
    const client = await clientOf(deps, db, service)
    if (role === 'owner') {
      const account = await findPanelAccount(db, { tenantId, nodeId, userId })
      const user = account && (await client.findUserByExternalId(account.externalId))
      return user?.username ?? null
    }
    const own = (await listPanelSubusers(db, service)).find((it) => it.userId === userId)
    const subusers = own ? await client.listSubusers(serverUuid) : []
    return subusers.find(({ uuid }) => uuid === own?.subuserUuid)?.username ?? null
  })
}

/** The answer of a panel; null while it is unavailable. */
async function asked<T>(deps: PanelDeps, ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PanelError))
      deps.log.warn({ err: error }, 'the connection of a server could not be read')
    return null
  }
}
