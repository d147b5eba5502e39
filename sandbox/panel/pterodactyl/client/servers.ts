import { createHmac, randomUUID } from 'node:crypto'
import { PanelError } from '../../http/errors.ts'
import { containing, pageOf } from '../../http/query.ts'
import {
  type Call,
  client,
  noContent,
  ok,
  type Reply,
  type Route,
  route,
} from '../../http/router.ts'
import type { Panel } from '../../panel.ts'
import { validate } from '../../rules/validate.ts'
import { powerOf, type Signal, sendSignal } from '../../state/power.ts'
import type { PanelNode, Server } from '../../state/rows.ts'
import { serverRoute, userOf } from './access.ts'
import { assertMay, PERMISSION_GROUPS, permissionsOf } from './permissions.ts'
import { presentClientServer } from './present.ts'

const TOKEN_SECONDS = 600
const FIGURES_KEPT_MS = 20_000
const SIGNALS: Record<Signal, string> = {
  start: 'control.start',
  stop: 'control.stop',
  restart: 'control.restart',
  kill: 'control.stop',
}

export const clientServerRoutes: Route[] = [
  route({ method: 'GET', path: '/api/client', access: client, run: listServers }),
  route({
    method: 'GET',
    path: '/api/client/permissions',
    access: client,
    run: () => {
      const groups = Object.entries(PERMISSION_GROUPS).map(([group, keys]) => [
        group,
        { description: `Permissions of the group ${group}.`, keys },
      ])
      const permissions = Object.fromEntries(groups)
      return ok({ object: 'system_permissions', attributes: { permissions } })
    },
  }),
  serverRoute({
    method: 'GET',
    action: '',
    permission: 'websocket.connect',
    exempt: 'all',
    run: showServer,
  }),
  serverRoute({
    method: 'GET',
    action: '/websocket',
    permission: 'websocket.connect',
    exempt: 'admins while installing',
    run: openWebsocket,
  }),
  serverRoute({
    method: 'GET',
    action: '/resources',
    permission: 'websocket.connect',
    run: showFigures,
  }),
  serverRoute({
    method: 'POST',
    action: '/command',
    permission: 'control.console',
    run: sendCommand,
  }),
  serverRoute({
    method: 'POST',
    action: '/power',
    permission: 'websocket.connect',
    run: switchPower,
  }),
]

function listServers(call: Call): Reply {
  const { key, panel, query } = call
  const user = userOf(panel, key)
  const owns = (server: Server) => server.ownerId === user.id
  const shares = (server: Server) =>
    !!panel.data.subusers.first((it) => it.serverId === server.id && it.userId === user.id)
  const type = query.get('type')
  const servers = panel.data.servers.where((server) => {
    if (type === 'owner') return owns(server)
    if (type === 'admin') return user.rootAdmin && !owns(server) && !shares(server)
    if (type === 'admin-all') return user.rootAdmin
    return owns(server) || shares(server)
  })
  const filters = {
    uuid: containing<Server>((it) => it.uuid),
    name: containing<Server>((it) => it.name),
    description: containing<Server>((it) => it.description),
    external_id: containing<Server>((it) => it.externalId),
    '*': (it: Server, value: string) =>
      [it.name, it.uuid, it.externalId ?? ''].some((text) =>
        text.toLowerCase().includes(value.toLowerCase()),
      ),
  }
  const rules = { filters, maxPerPage: 100, keepsQuery: true }
  return ok(pageOf(call, servers, rules, (it) => presentClientServer(call, it)))
}

function showServer(call: Call, server: Server): Reply {
  const user = userOf(call.panel, call.key)
  const meta = {
    is_server_owner: user.id === server.ownerId,
    user_permissions: permissionsOf(call.panel, user, server),
  }
  return ok({ ...presentClientServer(call, server), meta })
}

/** The address of a server's console, with a token its daemon can verify for ten minutes. */
function openWebsocket({ key, panel, url }: Call, server: Server): Reply {
  const user = userOf(panel, key)
  const node = panel.data.nodes.get(server.nodeId)
  const issuedAt = Math.floor(panel.clock.now() / 1000)
  const token = signed(node, {
    iss: url.origin,
    aud: [`${node.scheme}://${node.fqdn}:${node.daemonListen}`],
    jti: randomUUID().replaceAll('-', ''),
    iat: issuedAt,
    nbf: issuedAt - 300,
    exp: issuedAt + TOKEN_SECONDS,
    server_uuid: server.uuid,
    permissions: permissionsOf(panel, user, server),
    user_uuid: user.uuid,
    unique_id: randomUUID().replaceAll('-', '').slice(0, 16),
  })
  const scheme = node.scheme === 'https' ? 'wss' : 'ws'
  const socket = `${scheme}://${node.fqdn}:${node.daemonListen}/api/servers/${server.uuid}/ws`
  return ok({ data: { token, socket } })
}

/** What a server uses; figures are kept for 20 seconds, so a change shows late. */
function showFigures({ now, panel }: Call, server: Server): Reply {
  const kept = server.figures
  if (kept && now - kept.at < FIGURES_KEPT_MS) return ok(kept.body)
  const isDown = panel.data.nodes.get(server.nodeId).daemon !== 'up'
  if (isDown && panel.flavour.daemon.undone) throw panel.flavour.daemon.unreachable()
  const power = powerOf(server, now)
  const state = isDown ? 'missing' : power.state
  const uptimeMs = isDown ? 0 : power.uptimeMs
  const on = state !== 'offline' && !isDown
  const body = {
    object: 'stats',
    attributes: {
      current_state: state,
      is_suspended: server.status === 'suspended',
      resources: {
        memory_bytes: on ? Math.floor((server.limits.memory || 1024) * 0.4) * 1_048_576 : 0,
        cpu_absolute: on ? 12.5 : 0,
        disk_bytes: Math.floor((server.limits.disk || 10_240) * 0.1) * 1_048_576,
        network_rx_bytes: on ? uptimeMs * 10 : 0,
        network_tx_bytes: on ? uptimeMs * 5 : 0,
        uptime: uptimeMs,
      },
    },
  }
  server.figures = { at: now, body }
  return ok(body)
}

function sendCommand({ input, now, panel }: Call, server: Server): Reply {
  validate({ input, rules: { command: ['required|string|min:1'] } })
  assertReachable(panel, server)
  if (powerOf(server, now).state === 'offline') {
    const detail = 'Server must be online in order to send commands.'
    throw new PanelError(502, 'HttpException', detail)
  }
  return noContent
}

function switchPower({ input, key, now, panel }: Call, server: Server): Reply {
  const { signal } = input
  validate({ input, rules: { signal: ['required|string|in:start,stop,restart,kill'] } })
  if (!isSignal(signal)) return noContent
  assertMay(panel, userOf(panel, key), server, SIGNALS[signal])
  assertReachable(panel, server)
  sendSignal(server, signal, now)
  return noContent
}

function assertReachable({ data, flavour }: Panel, { nodeId }: Server): void {
  if (data.nodes.get(nodeId).daemon !== 'up') throw flavour.daemon.unreachable()
}

function isSignal(signal: unknown): signal is Signal {
  return typeof signal === 'string' && Object.hasOwn(SIGNALS, signal)
}

function signed(node: PanelNode, claims: Record<string, unknown>): string {
  const parts = [{ typ: 'JWT', alg: 'HS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const text = parts.join('.')
  return `${text}.${createHmac('sha256', node.daemonToken).update(text).digest('base64url')}`
}
