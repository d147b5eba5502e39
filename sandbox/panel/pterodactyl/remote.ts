import { notFound, PanelError } from '../http/errors.ts'
import type { Arrival } from '../http/gate.ts'
import { isRecord } from '../http/input.ts'
import { matchPath, noContent, type Params, type Reply } from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { allocationsOf, serversOn, variablesOf } from '../state/data.ts'
import type { PanelNode, Server } from '../state/rows.ts'

/** What the daemons of the panel's machines call: `/api/remote`, as version 1.11 answers it. */
export const REMOTE = '/api/remote'

type Call = { panel: Panel; node: PanelNode; params: Params; url: URL; body: unknown }
type Route = { method: string; path: string; run: (call: Call) => Reply }

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/servers', run: listServers },
  { method: 'POST', path: '/servers/reset', run: reset },
  {
    method: 'GET',
    path: '/servers/{uuid}',
    run: (call) => ok(configurationOf(call, serverOf(call))),
  },
  { method: 'GET', path: '/servers/{uuid}/install', run: scriptOf },
  { method: 'POST', path: '/servers/{uuid}/install', run: installed },
  { method: 'POST', path: '/servers/{uuid}/container/status', run: stateTold },
  { method: 'POST', path: '/servers/{uuid}/transfer/success', run: transferred },
  { method: 'POST', path: '/servers/{uuid}/transfer/failure', run: transferred },
  { method: 'POST', path: '/sftp/auth', run: signIn },
  { method: 'POST', path: '/activity', run: () => ({ status: 200, body: '' }) },
]

/** Answers a daemon: its token says which machine it is. */
export function answerDaemon(panel: Panel, { method, url, authorization, body }: Arrival): Reply {
  const node = nodeOf(panel, authorization)
  const path = url.pathname.slice(REMOTE.length)
  for (const route of ROUTES) {
    const params = route.method === method ? matchPath(route.path, path) : null
    if (params) return route.run({ panel, node, params, url, body: readValue(body) })
  }
  throw notFound()
}

function nodeOf({ data }: Panel, authorization: string | undefined): PanelNode {
  const token = /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) {
    const detail = 'Access to this endpoint must include an Authorization header.'
    throw new PanelError(401, 'HttpException', detail, { 'www-authenticate': 'Bearer' })
  }
  const [id, secret, more] = token.split('.')
  if (!id || !secret || more !== undefined) {
    const detail = 'The Authorization header provided was not in a valid format.'
    throw new PanelError(400, 'BadRequestHttpException', detail)
  }
  const node = data.nodes.first((it) => it.daemonTokenId === id && it.daemonToken === secret)
  if (node) return node
  const detail = 'You are not authorized to access this resource.'
  throw new PanelError(403, 'AccessDeniedHttpException', detail)
}

function readValue(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function ok(body: unknown): Reply {
  return { status: 200, body }
}

/** A server by its uuid; another machine's is a 403, as Pelican has it. */
function serverOf({ panel, node, params }: Call): Server {
  const server = panel.data.servers.first(({ uuid }) => uuid === params.uuid)
  if (!server) throw notFound()
  if (server.nodeId === node.id) return server
  const detail = 'Requesting node does not have permission to access this server.'
  throw new PanelError(403, 'HttpForbiddenException', detail)
}

function listServers(call: Call): Reply {
  const { panel, node, url } = call
  const perPage = Number(url.searchParams.get('per_page') ?? 50)
  // Daemons begin at page 0.
  const page = Math.max(1, Number(url.searchParams.get('page') ?? 1))
  const all = serversOn(panel.data, node.id)
  const from = (page - 1) * perPage
  const data = all.slice(from, from + perPage)
  const lastPage = Math.max(1, Math.ceil(all.length / perPage))
  return ok({
    data: data.map((server) => ({ uuid: server.uuid, ...configurationOf(call, server) })),
    meta: {
      ...{ current_page: page, last_page: lastPage, per_page: perPage, total: all.length },
      ...{
        from: data.length > 0 ? from + 1 : null,
        to: data.length > 0 ? from + data.length : null,
      },
    },
  })
}

function configurationOf({ panel: { data } }: Call, server: Server) {
  const { uuid, limits } = server
  const allocations = allocationsOf(data, server.id)
  const main = allocations.find(({ id }) => id === server.allocationId)
  const mappings = Object.groupBy(allocations, ({ ip }) => ip)
  return {
    settings: {
      ...{ uuid, meta: { name: server.name, description: server.description } },
      suspended: server.status === 'suspended',
      environment: Object.fromEntries(
        variablesOf(data, server.eggId).map((it) => [
          it.envVariable,
          server.variables.get(it.id) ?? it.defaultValue,
        ]),
      ),
      invocation: server.startup,
      skip_egg_scripts: server.skipScripts,
      build: { memory_limit: limits.memory, cpu_limit: limits.cpu, disk_space: limits.disk },
      allocations: {
        default: { ip: main?.ip ?? '', port: main?.port ?? 0 },
        mappings: Object.fromEntries(
          Object.entries(mappings).map(([ip, its = []]) => [ip, its.map(({ port }) => port)]),
        ),
      },
      mounts: [],
    },
    process_configuration: {
      startup: { done: [], user_interaction: [], strip_ansi: false },
      stop: { type: 'command', value: 'stop' },
      configs: [],
    },
  }
}

function scriptOf(call: Call): Reply {
  const { script } = call.panel.data.eggs.get(serverOf(call).eggId)
  return ok({ container_image: script.container, entrypoint: script.entry, script: script.install })
}

/** A suspended server stays suspended, so the result cannot be seen. */
function installed(call: Call): Reply {
  const server = serverOf(call)
  const { body, panel } = call
  if (!isRecord(body) || typeof body.successful !== 'boolean') {
    throw new PanelError(422, 'ValidationException', 'The successful field is required.')
  }
  server.installation = null
  if (server.status === 'suspended') return noContent
  const failure = body.reinstall === true ? 'reinstall_failed' : 'install_failed'
  server.status = body.successful ? null : failure
  server.updatedAt = panel.clock.now()
  return noContent
}

function stateTold(call: Call): Reply {
  serverOf(call)
  return ok([])
}

/** Servers that are being installed count as installed from then on, half done or not. */
function reset({ panel, node }: Call): Reply {
  for (const server of serversOn(panel.data, node.id)) {
    if (server.status !== 'installing' && server.status !== 'restoring_backup') continue
    server.status = null
    server.installation = null
  }
  return noContent
}

function transferred(call: Call): Reply {
  const server = serverOf(call)
  if (!server.transferring) {
    throw new PanelError(409, 'ConflictHttpException', 'Server is not being transferred.')
  }
  server.transferring = false
  return noContent
}

/** The password of everybody in the sandbox who was not given another one. */
export const SFTP_PASSWORD = 'sftp password'

function signIn({ panel: { data }, node, body }: Call): Reply {
  const fields = isRecord(body) ? body : {}
  const { username = '', password } = fields as { username?: string; password?: string }
  const dot = username.lastIndexOf('.')
  if (dot < 0) {
    const detail = 'No valid server identifier was included in the request.'
    throw new PanelError(400, 'BadRequestHttpException', detail)
  }
  const user = data.users.first((it) => it.username === username.slice(0, dot))
  const server = data.servers.first((it) => it.uuid.startsWith(username.slice(dot + 1)))
  const isRight = password === (user?.password ?? SFTP_PASSWORD)
  if (!user || !server || server.nodeId !== node.id || !isRight) {
    const detail = 'Authorization credentials were not correct, please try again.'
    throw new PanelError(403, 'HttpForbiddenException', detail)
  }
  const subuser = data.subusers.first((it) => it.serverId === server.id && it.userId === user.id)
  const permissions = server.ownerId === user.id || user.rootAdmin ? ['*'] : subuser?.permissions
  if (!permissions || !(permissions.includes('*') || permissions.includes('file.sftp'))) {
    const detail = 'You do not have permission to access SFTP for this server.'
    throw new PanelError(403, 'HttpForbiddenException', detail)
  }
  if (server.status === 'suspended') {
    throw new PanelError(409, 'ServerStateConflictException', 'This server is currently suspended.')
  }
  return ok({ user: user.uuid, server: server.uuid, permissions })
}
