import { randomUUID } from 'node:crypto'
import { type Item, listOf, timestamp } from '../../http/envelope.ts'
import { notFound, refused } from '../../http/errors.ts'
import { pageOf } from '../../http/query.ts'
import { type Call, noContent, ok, type Params, type Reply, type Route } from '../../http/router.ts'
import { validate } from '../../rules/validate.ts'
import { backupsOf, type Data, databasesOf } from '../../state/data.ts'
import { randomText } from '../../state/keys.ts'
import type { Backup, Database, Server } from '../../state/rows.ts'
import { serverRoute } from './access.ts'

const BACKUPS_OF_A_PAGE = 20

/** What people keep beside the files of their server: databases and backups. */
export const storedRoutes: Route[] = [
  serverRoute({
    method: 'GET',
    action: '/databases',
    permission: 'database.read',
    run: ({ panel: { data } }, server) => ok(listOf(databasesOf(data, server.id).map(asDatabase))),
  }),
  serverRoute({
    method: 'POST',
    action: '/databases',
    permission: 'database.create',
    run: addDatabase,
  }),
  serverRoute({
    method: 'DELETE',
    action: '/databases/{database}',
    permission: 'database.delete',
    run: ({ panel: { data } }, server, params) => {
      data.databases.delete(databaseIn(data, server, params).id)
      return noContent
    },
  }),
  serverRoute({ method: 'GET', action: '/backups', permission: 'backup.read', run: listBackups }),
  serverRoute({ method: 'POST', action: '/backups', permission: 'backup.create', run: addBackup }),
  serverRoute({
    method: 'DELETE',
    action: '/backups/{backup}',
    permission: 'backup.delete',
    run: ({ panel: { data } }, server, params) => {
      data.backups.delete(backupIn(data, server, params).id)
      return noContent
    },
  }),
]

function addDatabase({ fields, input, now, panel }: Call, server: Server): Reply {
  const { data } = panel
  validate({
    input,
    rules: { database: ['required|string|between:1,48'], remote: ['required|string'] },
  })
  const { databaseLimit } = server
  if (databaseLimit !== null && databasesOf(data, server.id).length >= databaseLimit) {
    throw refused(
      'Operation aborted: creating a new database would put this server over the defined limit.',
      'TooManyDatabasesException',
    )
  }
  const database = data.databases.insert({
    serverId: server.id,
    name: `s${server.id}_${fields.text('database')}`,
    username: `u${server.id}_${randomText(10)}`,
    remote: fields.text('remote'),
    createdAt: now,
  })
  return ok(asDatabase(database))
}

function asDatabase({ id, name, username, remote }: Database): Item {
  return {
    object: 'server_database',
    attributes: {
      id: String(id),
      host: { address: '127.0.0.1', port: 3306 },
      ...{ name, username, connections_from: remote, max_connections: null },
    },
  }
}

function databaseIn(data: Data, server: Server, { database }: Params): Database {
  const found = databasesOf(data, server.id).find(({ id }) => String(id) === database)
  if (!found) throw notFound()
  return found
}

function listBackups(call: Call, server: Server): Reply {
  const backups = backupsOf(call.panel.data, server.id)
  const page = pageOf(call, backups, { maxPerPage: BACKUPS_OF_A_PAGE, keepsQuery: true }, asBackup)
  return ok({ ...page, meta: { ...page.meta, backup_count: backups.length } })
}

function addBackup({ fields, now, panel }: Call, server: Server): Reply {
  const { data } = panel
  if (backupsOf(data, server.id).length >= server.backupLimit) {
    throw refused(
      `Cannot create a new backup, this server has reached its limit of ${server.backupLimit} backups.`,
      'TooManyBackupsException',
    )
  }
  const backup = data.backups.insert({
    uuid: randomUUID(),
    serverId: server.id,
    name: fields.textOrNull('name') ?? `Backup at ${timestamp(now)}`,
    createdAt: now,
  })
  return ok(asBackup(backup))
}

function asBackup({ uuid, name, createdAt }: Backup): Item {
  const at = timestamp(createdAt)
  return {
    object: 'backup',
    attributes: {
      ...{ uuid, name, is_successful: true, is_locked: false, ignored_files: [], checksum: null },
      ...{ bytes: 1024, created_at: at, completed_at: at },
    },
  }
}

function backupIn(data: Data, server: Server, { backup }: Params): Backup {
  const found = backupsOf(data, server.id).find(({ uuid }) => uuid === backup)
  if (!found) throw notFound()
  return found
}
