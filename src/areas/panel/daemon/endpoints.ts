/** The kinds of requests of a daemon, by their meaning for us. */
export type Saying =
  | 'servers'
  | 'reset'
  | 'server'
  | 'install_script'
  | 'install'
  | 'state'
  | 'transfer'
  | 'archive'
  | 'sftp'
  | 'backup_parts'
  | 'backup'
  | 'restore'
  | 'activity'

export type Endpoint = {
  readonly method: 'GET' | 'POST'
  /** Below `/api/remote`; at most one segment is a uuid. */
  readonly path: string
  readonly saying: Saying
  readonly summary: string
  /** The operation's name in the API document, if the path alone makes no good one. */
  readonly operationId?: string
}

/** The remote API of Wings, both Pterodactyl's and Pelican's. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    ...{ method: 'GET', path: '/servers', saying: 'servers' },
    summary: 'A daemon starts and asks for its servers, page by page',
    operationId: 'panel.api.remote.servers.list',
  },
  {
    ...{ method: 'POST', path: '/servers/reset', saying: 'reset' },
    summary: 'A daemon has started: installations that ran are interrupted',
  },
  {
    ...{ method: 'GET', path: '/servers/:uuid', saying: 'server' },
    summary: 'A daemon asks how a server is configured',
  },
  {
    ...{ method: 'GET', path: '/servers/:uuid/install', saying: 'install_script' },
    summary: 'A daemon asks how a server is installed, and begins',
  },
  {
    ...{ method: 'POST', path: '/servers/:uuid/install', saying: 'install' },
    summary: 'A daemon reports how an installation ended',
  },
  {
    ...{ method: 'POST', path: '/servers/:uuid/container/status', saying: 'state' },
    summary: 'A daemon reports that a server started or stopped',
  },
  {
    ...{ method: 'POST', path: '/servers/:uuid/transfer/success', saying: 'transfer' },
    summary: 'A daemon reports that a server has come over to its machine',
  },
  {
    ...{ method: 'POST', path: '/servers/:uuid/transfer/failure', saying: 'transfer' },
    summary: 'A daemon reports that a server has not come over',
  },
  {
    ...{ method: 'POST', path: '/servers/:uuid/archive', saying: 'archive' },
    summary: 'An old daemon reports that a server is packed for its move',
  },
  {
    ...{ method: 'POST', path: '/sftp/auth', saying: 'sftp' },
    summary: 'A daemon asks whether a person may sign in by SFTP',
  },
  {
    ...{ method: 'GET', path: '/backups/:uuid', saying: 'backup_parts' },
    summary: 'A daemon asks where to put a backup',
  },
  {
    ...{ method: 'POST', path: '/backups/:uuid', saying: 'backup' },
    summary: 'A daemon reports how a backup ended',
    operationId: 'panel.api.remote.backups.report',
  },
  {
    ...{ method: 'POST', path: '/backups/:uuid/restore', saying: 'restore' },
    summary: 'A daemon reports that a backup was put back',
  },
  {
    ...{ method: 'POST', path: '/activity', saying: 'activity' },
    summary: 'A daemon reports the activity on its servers',
  },
]

/** The root of the remote API, below the address in a daemon's configuration (`remote`). */
export const REMOTE = '/api/remote'
const PREFIX = '/v1/panel'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text)
}

export type Said = {
  /** Below `/api/remote`, without repeated or trailing slashes. */
  readonly path: string
  /** With its `?`, as received; empty if there is none. */
  readonly query: string
  /** Null for a request of an unknown kind. */
  readonly saying: Saying | null
  readonly uuid: string | null
}

/** Reads the target of a request; null if it is not below `/v1/panel/api/remote`. */
export function readTarget(method: string, url: string): Said | null {
  const mark = url.indexOf('?')
  const query = mark < 0 ? '' : url.slice(mark)
  const whole = (mark < 0 ? url : url.slice(0, mark)).replace(/\/{2,}/g, '/').replace(/\/$/, '')
  const start = `${PREFIX}${REMOTE}/`
  if (!whole.startsWith(start) || !isPlain(whole)) return null
  const path = whole.slice(start.length - 1)
  for (const it of ENDPOINTS) {
    const uuid = it.method === method ? matched(it.path, path) : undefined
    if (uuid !== undefined) return { path, query, saying: it.saying, uuid }
  }
  return { path, query, saying: null, uuid: null }
}

/** Whether a path stays below its root in every interpretation. */
function isPlain(path: string): boolean {
  return !/\\|%2f|%5c/i.test(path) && !/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
}

/** The uuid in a matching path, null if the pattern has none, undefined without a match. */
function matched(pattern: string, path: string): string | null | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  let uuid: string | null = null
  for (const [index, part] of wanted.entries()) {
    const actual = given[index]
    if (part === ':uuid' && isUuid(actual)) uuid = actual
    else if (part !== actual) return undefined
  }
  return uuid
}
