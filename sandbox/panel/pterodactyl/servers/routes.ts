import { containing, pageOf } from '../../http/query.ts'
import {
  type Call,
  ok,
  type Reply,
  type Route,
  reads,
  route,
  routeTo,
  writes,
} from '../../http/router.ts'
import type { Server } from '../../state/rows.ts'
import { createServer } from './create.ts'
import { serverByExternalId, serverIn } from './find.ts'
import { deleteServer, forceDelete, reinstall, suspend, unsuspend } from './state.ts'
import { updateBuild, updateDetails, updateStartup } from './update.ts'

const PATH = '/api/application/servers'
const ONE = `${PATH}/{server}`

/** What the products do differently with a server. */
type ServerOperations = {
  create: (call: Call) => Promise<Reply>
  build: (call: Call, server: Server) => Reply
}

export const serverRoutes = serverRoutesWith({
  create: (call) => createServer(call),
  build: updateBuild,
})

export function serverRoutesWith({ create, build }: ServerOperations): Route[] {
  return [
    route({ method: 'GET', path: PATH, access: reads('servers'), run: listServers }),
    route({ method: 'POST', path: PATH, access: writes('servers'), run: create }),
    routeTo({
      method: 'GET',
      path: `${PATH}/external/{external}`,
      access: reads('servers'),
      target: serverByExternalId,
      run: showServer,
    }),
    routeTo({
      method: 'GET',
      path: ONE,
      access: reads('servers'),
      target: serverIn,
      run: showServer,
    }),
    change('PATCH', '/details', updateDetails),
    change('PATCH', '/build', build),
    change('PATCH', '/startup', updateStartup),
    change('POST', '/suspend', suspend),
    change('POST', '/unsuspend', unsuspend),
    change('POST', '/reinstall', reinstall),
    change('DELETE', '', deleteServer),
    change('DELETE', '/force', forceDelete),
  ]
}

function change(
  method: 'PATCH' | 'POST' | 'DELETE',
  action: string,
  run: (call: Call, server: Server) => Reply,
): Route {
  return routeTo({
    method,
    path: `${ONE}${action}`,
    access: writes('servers'),
    target: serverIn,
    run,
  })
}

function showServer(call: Call, server: Server): Reply {
  return ok(call.view.present.server(call.view, server))
}

function listServers(call: Call): Reply {
  const filters = {
    uuid: containing<Server>((it) => it.uuid),
    uuidShort: containing<Server>((it) => it.uuid.slice(0, 8)),
    name: containing<Server>((it) => it.name),
    description: containing<Server>((it) => it.description),
    image: containing<Server>((it) => it.image),
    external_id: containing<Server>((it) => it.externalId),
  }
  const sorts = { id: (it: Server) => it.id, uuid: (it: Server) => it.uuid }
  const servers = call.panel.data.servers.all()
  return ok(
    pageOf(call, servers, { filters, sorts }, (it) => call.view.present.server(call.view, it)),
  )
}
