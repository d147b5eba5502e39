import { notFound, PanelError } from '../../http/errors.ts'
import {
  type Call,
  client,
  type Method,
  type Params,
  type Reply,
  type Route,
  routeTo,
} from '../../http/router.ts'
import type { Panel } from '../../panel.ts'
import { isInstalled } from '../../state/data.ts'
import type { Key, Server, User } from '../../state/rows.ts'
import { assertMay, permissionsOf } from './permissions.ts'

const ONE = '/api/client/servers/{server}'

type ServerRoute = {
  method: Method
  /** What follows the server in the path. */
  action: string
  permission: string
  /** Who may call it while the server is suspended, installing or moving. */
  exempt?: 'all' | 'admins while installing'
  run: (call: Call, server: Server, params: Params) => Reply
}

/** A client route about one server: 404 unless one may see it; then its state, then rights. */
export function serverRoute({ method, action, permission, exempt, run }: ServerRoute): Route {
  return routeTo({
    method,
    path: `${ONE}${action}`,
    access: client,
    target: (panel, params, key) => ({ server: visibleServer(panel, params, key), params }),
    run: (call, { server, params }) => {
      const user = userOf(call.panel, call.key)
      if (exempt !== 'all') {
        const forAdmins = exempt === 'admins while installing' && user.rootAdmin
        assertUsable(call.panel, server, forAdmins)
      }
      assertMay(call.panel, user, server, permission)
      return run(call, server, params)
    },
  })
}

export function userOf({ data }: Panel, key: Key): User {
  return data.users.get(key.userId)
}

/** The server with this uuid or identifier. A stranger's is a 404 like one that does not exist. */
function visibleServer(panel: Panel, { server: name = '' }: Params, key: Key): Server {
  const server = panel.data.servers.first(({ uuid }) => uuid === name || uuid.slice(0, 8) === name)
  if (!server || permissionsOf(panel, userOf(panel, key), server).length === 0) throw notFound()
  return server
}

/** Throws 409 when a server is not to be used now; the order of reasons is the panel's. */
function assertUsable({ data }: Panel, server: Server, installingIsFine: boolean): void {
  const fine = installingIsFine
  if (server.status === 'suspended') {
    throw conflict(
      'This server is currently suspended and the functionality requested is unavailable.',
    )
  }
  if (data.nodes.get(server.nodeId).maintenanceMode) {
    throw conflict(
      'The node of this server is currently under maintenance and the functionality requested is unavailable.',
    )
  }
  if (!isInstalled(server) && !fine) {
    throw conflict(
      'This server has not yet completed its installation process, please try again later.',
    )
  }
  if (server.status === 'restoring_backup' && !fine) {
    throw conflict('This server is currently restoring from a backup, please try again later.')
  }
  if (server.transferring && !fine) {
    throw conflict(
      'This server is currently being transferred to a new machine, please try again later.',
    )
  }
}

function conflict(detail: string): PanelError {
  return new PanelError(409, 'ServerStateConflictException', detail)
}
