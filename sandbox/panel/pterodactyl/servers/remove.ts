import { allocationsOf, type Data } from '../../state/data.ts'
import type { Server } from '../../state/rows.ts'

/** Forgets a server; its allocations are free at once. */
export function removeServer(data: Data, server: Server): void {
  for (const allocation of allocationsOf(data, server.id)) {
    allocation.serverId = null
    allocation.notes = null
  }
  for (const { id } of data.subusers.where(({ serverId }) => serverId === server.id)) {
    data.subusers.delete(id)
  }
  data.servers.delete(server.id)
}
