import { accessDenied } from '../../http/errors.ts'
import type { Panel } from '../../panel.ts'
import type { Server, User } from '../../state/rows.ts'

/** What a subuser may be allowed, by group, with a word on each. */
export const PERMISSION_GROUPS: Record<string, Record<string, string>> = {
  websocket: { connect: 'Connect to the websocket of a server: its console and its figures.' },
  control: {
    console: 'Send commands to the console.',
    start: 'Start the server.',
    stop: 'Stop the server.',
    restart: 'Restart the server.',
  },
  user: {
    create: 'Create subusers.',
    read: 'View subusers and their permissions.',
    update: 'Modify subusers.',
    delete: 'Delete subusers.',
  },
  file: {
    create: 'Create files and folders.',
    read: 'List the contents of folders.',
    'read-content': 'View the contents of files.',
    update: 'Change files and folders.',
    delete: 'Delete files and folders.',
    archive: 'Make and unpack archives.',
    sftp: 'Connect by SFTP.',
  },
  backup: {
    create: 'Create backups.',
    read: 'View backups.',
    delete: 'Delete backups.',
    download: 'Download backups.',
    restore: 'Restore backups.',
  },
  allocation: {
    read: 'View the allocations of the server.',
    create: 'Assign further allocations.',
    update: 'Change the primary allocation and notes.',
    delete: 'Remove allocations.',
  },
  startup: {
    read: 'View the startup variables.',
    update: 'Change the startup variables.',
    'docker-image': 'Change the docker image.',
  },
  database: {
    create: 'Create databases.',
    read: 'View databases.',
    update: 'Change the password of a database.',
    delete: 'Delete databases.',
    view_password: 'View the password of a database.',
  },
  schedule: {
    create: 'Create schedules.',
    read: 'View schedules.',
    update: 'Change schedules.',
    delete: 'Delete schedules.',
  },
  settings: { rename: 'Rename the server.', reinstall: 'Reinstall the server.' },
  activity: { read: 'View the activity log.' },
}

const KNOWN = new Set(
  Object.entries(PERMISSION_GROUPS).flatMap(([group, keys]) =>
    Object.keys(keys).map((key) => `${group}.${key}`),
  ),
)
const ADMIN_EXTRAS = [
  'admin.websocket.errors',
  'admin.websocket.install',
  'admin.websocket.transfer',
]

/** The permissions of a list that exist, with the one every subuser has. */
export function grantable(permissions: readonly string[]): string[] {
  const known = permissions.filter((permission) => KNOWN.has(permission))
  return [...new Set([...known, 'websocket.connect'])].sort()
}

/** What a user may do with a server; an owner and an administrator may do everything. */
export function permissionsOf({ data }: Panel, user: User, server: Server): string[] {
  if (user.rootAdmin) return ['*', ...ADMIN_EXTRAS]
  if (server.ownerId === user.id) return ['*']
  const subuser = data.subusers.first((it) => it.serverId === server.id && it.userId === user.id)
  return subuser?.permissions ?? []
}

/** Throws 403 when a user may not do this with a server. */
export function assertMay(panel: Panel, user: User, server: Server, permission: string): void {
  const permissions = permissionsOf(panel, user, server)
  if (!permissions.includes('*') && !permissions.includes(permission)) throw accessDenied()
}
