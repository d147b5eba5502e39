import { randomUUID, timingSafeEqual } from 'node:crypto'
import { PanelError } from '../http/errors.ts'
import type { Arrival } from '../http/gate.ts'
import { Fields, parseBody } from '../http/input.ts'
import type { Method, Reply } from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { seededRandom } from '../state/clock.ts'
import { allocationsOf, type Data, isInstalled, variablesOf } from '../state/data.ts'
import { fullPermissions, newToken } from '../state/keys.ts'
import type { InstallOutcome, Resource } from '../state/rows.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { startAnew } from './reset.ts'

type Control = { method: Method; path: string; run: (panel: Panel, fields: Fields) => unknown }

const OUTCOMES: readonly string[] = ['succeed', 'fail', 'never'] satisfies InstallOutcome[]

/** What outsiders may do to the sandbox, below `/_sandbox/`. Each answers with JSON. */
const controls: readonly Control[] = [
  { method: 'POST', path: 'faults', run: addFault },
  { method: 'GET', path: 'faults', run: ({ faults }) => ({ faults: faults.waiting }) },
  { method: 'DELETE', path: 'faults', run: clearFaults },
  { method: 'POST', path: 'chaos', run: unleashChaos },
  { method: 'POST', path: 'clock', run: advanceClock },
  { method: 'POST', path: 'installs', run: planInstalls },
  { method: 'POST', path: 'wings', run: switchDaemon },
  { method: 'POST', path: 'allocations', run: limitAllocations },
  { method: 'POST', path: 'nodes', run: changeNode },
  { method: 'POST', path: 'roles', run: giveRoles },
  { method: 'POST', path: 'transfers', run: switchTransfer },
  { method: 'POST', path: 'eggs', run: changeEggs },
  { method: 'POST', path: 'keys', run: addKey },
  { method: 'POST', path: 'settings', run: changeSettings },
  { method: 'POST', path: 'reset', run: reset },
  { method: 'GET', path: 'journal', run: ({ journal }) => ({ entries: journal.entries }) },
  { method: 'GET', path: 'servers', run: listServers },
]

/** Answers a control. Errors are `{ error }` with 400, 401 or 404. */
export function steer(panel: Panel, arrival: Arrival): Reply {
  if (!isBearer(arrival.authorization, panel.start.controlToken)) {
    return { status: 401, body: { error: 'The control token is missing or wrong.' } }
  }
  const path = arrival.url.pathname.replace('/_sandbox/', '')
  const control = controls.find((it) => it.method === arrival.method && it.path === path)
  if (!control) return { status: 404, body: { error: `No control ${arrival.method} ${path}` } }
  try {
    return { status: 200, body: control.run(panel, new Fields(parseBody(arrival.body))) }
  } catch (error) {
    if (error instanceof PanelError || error instanceof RangeError) {
      return { status: 400, body: { error: error.message } }
    }
    throw error
  }
}

function addFault({ faults }: Panel, fields: Fields): unknown {
  const kind = fields.text('kind')
  if (!isFaultKind(kind)) throw new RangeError(`kind is one of ${FAULT_KINDS.join(', ')}`)
  const route = fields.text('route')
  if (route === '') throw new RangeError('route is missing, as in "POST /api/application/servers"')
  const ms = fields.numberOrNull('ms') ?? 1000
  const retryAfter = fields.numberOrNull('retryAfter') ?? 1
  faults.add({ route, kind, ms, retryAfter }, fields.numberOrNull('n') ?? 1)
  return { faults: faults.waiting }
}

/** A share of all calls goes wrong, in ways that come in the same order for the same seed. */
function unleashChaos({ faults }: Panel, fields: Fields): unknown {
  const share = fields.number('share')
  const kinds = fields.has('kinds') ? fields.texts('kinds') : FAULT_KINDS
  if (!kinds.every(isFaultKind)) throw new RangeError(`kinds are of ${FAULT_KINDS.join(', ')}`)
  faults.unleash({ share, kinds, random: seededRandom(fields.numberOrNull('seed') ?? 1) })
  return { share, kinds }
}

function clearFaults({ faults }: Panel): unknown {
  faults.reset()
  return { faults: faults.waiting }
}

function advanceClock(panel: Panel, fields: Fields): unknown {
  const seconds = fields.numberOrNull('advanceSeconds')
  if (seconds === null || seconds < 0) throw new RangeError('advanceSeconds is 0 or more')
  panel.clock.advance(seconds)
  const now = panel.clock.now()
  panel.installs.settle(panel.data, now)
  return { now: new Date(now).toISOString() }
}

function planInstalls({ installs }: Panel, fields: Fields): unknown {
  const outcome = fields.text('outcome')
  if (!isOutcome(outcome)) throw new RangeError(`outcome is one of ${OUTCOMES.join(', ')}`)
  const seconds = fields.numberOrNull('seconds')
  installs.plan({ outcome, ...(seconds !== null && { seconds }) }, fields.numberOrNull('n'))
  return { outcome, seconds }
}

function switchDaemon({ data }: Panel, fields: Fields): unknown {
  const node = data.nodes.find(fields.number('nodeId'))
  if (!node) throw new RangeError('nodeId is no node')
  const wanted = fields.flag('refuses', false) ? 'refuses' : 'down'
  node.daemon = fields.flag('down', true) ? wanted : 'up'
  return { nodeId: node.id, daemon: node.daemon }
}

/** Leaves a node this many free allocations: takes away the last ones, or adds ports. */
function limitAllocations({ data }: Panel, fields: Fields): unknown {
  const node = data.nodes.find(fields.number('nodeId'))
  const wanted = fields.numberOrNull('free')
  if (!node) throw new RangeError('nodeId is no node')
  if (wanted === null || wanted < 0) throw new RangeError('free is 0 or more')
  const own = data.allocations.where(({ nodeId }) => nodeId === node.id)
  const free = own.filter(({ serverId }) => serverId === null)
  for (const { id } of free.slice(wanted)) data.allocations.delete(id)
  const ip = own[0]?.ip ?? '203.0.113.250'
  const ports = new Set(own.map(({ port }) => port))
  for (let port = 25_565, missing = wanted - free.length; missing > 0 && port < 65_536; port += 1) {
    if (ports.has(port)) continue
    const alias = node.fqdn
    data.allocations.insert({ nodeId: node.id, ip, alias, port, notes: null, serverId: null })
    missing -= 1
  }
  return { nodeId: node.id, free: wanted }
}

/** Gives a machine other sizes and tags. */
function changeNode({ data }: Panel, fields: Fields): unknown {
  const node = data.nodes.find(fields.number('nodeId'))
  if (!node) throw new RangeError('nodeId is no node')
  node.memory = fields.numberOrNull('memory') ?? node.memory
  node.disk = fields.numberOrNull('disk') ?? node.disk
  node.cpu = fields.numberOrNull('cpu') ?? node.cpu
  if (fields.has('tags')) node.tags = fields.texts('tags')
  return { nodeId: node.id }
}

/** What a user administers beside the whole panel; on panels that know roles. */
function giveRoles({ data }: Panel, fields: Fields): unknown {
  const user = data.users.find(fields.number('userId'))
  if (!user) throw new RangeError('userId is no user')
  user.roles = fields.texts('roles')
  return { userId: user.id, roles: user.roles }
}

function switchTransfer({ data }: Panel, fields: Fields): unknown {
  const server = data.servers.find(fields.number('serverId'))
  if (!server) throw new RangeError('serverId is no server')
  server.transferring = fields.flag('running', true)
  return { serverId: server.id, running: server.transferring }
}

/** Renames or deletes an egg, changes a variable of it, or adds a copy of one under another name. */
function changeEggs({ data }: Panel, fields: Fields): unknown {
  const original = data.eggs.find(fields.numberOrNull('copyOf') ?? fields.number('eggId'))
  if (!original) throw new RangeError('eggId is no egg')
  const name = fields.textOrNull('name') ?? original.name
  if (fields.has('copyOf')) {
    const egg = data.eggs.insert({ ...original, uuid: randomUUID(), name })
    for (const it of variablesOf(data, original.id)) {
      data.eggVariables.insert({ ...it, eggId: egg.id })
    }
    return { eggId: egg.id, name }
  }
  if (fields.has('variable')) changeVariable(data, original.id, fields)
  const deleted = fields.flag('deleted', false)
  if (deleted) data.eggs.delete(original.id)
  else original.name = name
  return { eggId: original.id, name, deleted }
}

/** Gives a variable of an egg other rules, or the egg a variable more. */
function changeVariable(data: Data, eggId: number, fields: Fields): void {
  const envVariable = fields.text('variable.env')
  const rules = fields.texts('variable.rules')
  const known = variablesOf(data, eggId).find((it) => it.envVariable === envVariable)
  if (known) {
    known.rules = rules
    return
  }
  const [sample] = data.eggVariables.all()
  if (!sample) throw new RangeError('There is no variable to make one like')
  const shown = { userViewable: true, userEditable: false, defaultValue: '' }
  data.eggVariables.insert({ ...sample, ...shown, eggId, envVariable, name: envVariable, rules })
}

/** Makes a key: of the administrator unless `userId` says whose, with every right unless told. */
function addKey({ data, flavour }: Panel, fields: Fields): unknown {
  const kind = fields.textOrNull('kind') ?? 'application'
  if (kind !== 'application' && kind !== 'account') {
    throw new RangeError('kind is application or account')
  }
  const userId = fields.numberOrNull('userId') ?? data.users.first((it) => it.rootAdmin)?.id ?? 0
  if (!data.users.find(userId)) throw new RangeError('userId is no user')
  const asked = Object.entries(fields.record('permissions'))
  const permissions = fields.has('permissions')
    ? Object.fromEntries(asked.map(([resource, level]) => [resource as Resource, Number(level)]))
    : fullPermissions()
  const token = fields.textOrNull('token') ?? newToken(flavour.keyPrefix[kind])
  data.keys.insert({ token, kind, userId, permissions, allowedIps: fields.texts('allowedIps') })
  return { token }
}

function changeSettings(panel: Panel, fields: Fields): unknown {
  for (const api of ['application', 'client'] as const) {
    const limit = fields.numberOrNull(`rateLimits.${api}`)
    if (limit !== null) panel.throttle.set({ [api]: limit })
  }
  panel.twoFactorRequired = fields.flag('twoFactorRequired', panel.twoFactorRequired)
  if (fields.has('revokeKey')) {
    const revoked = fields.text('revokeKey')
    for (const { id } of panel.data.keys.where(({ token }) => token === revoked)) {
      panel.data.keys.delete(id)
    }
  }
  return { twoFactorRequired: panel.twoFactorRequired }
}

function reset(panel: Panel): unknown {
  startAnew(panel)
  return { reset: true }
}

function listServers({ data }: Panel): unknown {
  const servers = data.servers.all().map((server) => ({
    id: server.id,
    uuid: server.uuid,
    externalId: server.externalId,
    name: server.name,
    status: server.status,
    installed: isInstalled(server),
    userId: server.ownerId,
    nodeId: server.nodeId,
    eggId: server.eggId,
    allocationId: server.allocationId,
    allocationIds: allocationsOf(data, server.id).map(({ id }) => id),
    limits: server.limits,
  }))
  return { servers }
}

function isFaultKind(kind: string): kind is FaultKind {
  return (FAULT_KINDS as readonly string[]).includes(kind)
}

function isOutcome(outcome: string): outcome is InstallOutcome {
  return OUTCOMES.includes(outcome)
}

function isBearer(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
