import { allocationsOf, backupsOf, type Data, databasesOf } from '../../state/data.ts'
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
  for (const { id } of databasesOf(data, server.id)) data.databases.delete(id)
  for (const { id } of backupsOf(data, server.id)) data.backups.delete(id)
  data.servers.delete(server.id)
}
