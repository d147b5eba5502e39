import { invalidCursor } from '#lib/problem.ts'
import { clientOf } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { listOwners, listOwnersAnywhere } from './queries.ts'
import type { ServersQuery } from './schema.ts'

const LAST_PAGE = 100_000

/**
 * One page of the servers of a panel, each with the service that has it; `unowned` leaves out those with one.
 * Asks the panel: not in a transaction. Throws 400 for a bad cursor, and a `PanelError`.
 */
export async function serversOn(
  deps: Deps,
  db: Db,
  { tenantId, nodeId }: { tenantId: string; nodeId: string },
  { cursor, unowned }: ServersQuery,
) {
  const page = pageIn(cursor)
  const client = await clientOf(deps, db, { tenantId, nodeId })
  const { servers, isLast } = await client.listServerPage(page)
  const here = await listOwners(
    db,
    { tenantId, nodeId },
    servers.map(({ id }) => id),
  )
  const anywhere = await listOwnersAnywhere(
    deps.database.everywhere,
    servers.flatMap(({ externalId }) => externalId ?? []),
  )
  const data = servers.flatMap(({ id, name, externalId, status, nodeId: machineId, limits }) => {
    const owner = anywhere.get(externalId ?? '')
    const serviceId = here.get(id) ?? (owner?.tenantId === tenantId ? owner.id : null)
    const isOwned = serviceId !== null || owner !== undefined
    if (unowned && isOwned) return []
    const { memoryMb, diskMb } = limits
    const server = { id, name, externalId, status, machineId, memoryMb, diskMb, serviceId }
    return [{ ...server, adoptable: !isOwned && status === 'installed' }]
  })
  return { data, nextCursor: isLast ? null : String(page + 1) }
}

function pageIn(cursor: string | undefined): number {
  if (cursor === undefined) return 1
  const page = Number(cursor)
  if (!/^[1-9]\d*$/.test(cursor) || page > LAST_PAGE) throw invalidCursor()
  return page
}
