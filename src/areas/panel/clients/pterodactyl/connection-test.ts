import type { PanelLocation, PanelTest, PanelType } from '../contract.ts'
import { PanelError } from '../panel-error.ts'
import { numberOf, pageOf, relatedOf } from './envelope.ts'
import { messageOf } from './errors.ts'
import { locationOf } from './nodes.ts'
import type { Call, Connection, Transport } from './transport.ts'

export const ONE = { per_page: '1' }
const CLIENT_API = 'client_api'

type Probe = readonly [permission: string, call: Omit<Call, 'probe'>]

/** Each permission the service needs on any panel, and a call that the panel refuses without it. */
export const PROBES: readonly Probe[] = [
  ['users:read', { method: 'GET', path: '/users', query: ONE }],
  ['servers:read', { method: 'GET', path: '/servers', query: ONE }],
  ['nodes:read', { method: 'GET', path: '/nodes', query: ONE }],
  // An empty body fails validation, which follows the check of the permission: nothing is created.
  ['users:write', { method: 'POST', path: '/users', body: {} }],
  ['servers:write', { method: 'POST', path: '/servers', body: {} }],
]

/** What a test does differently on each kind of panel. */
export type TestDialect = {
  type: PanelType
  probes: readonly Probe[]
  /** Permissions whose lack is not refused: the answer only leaves out a part. */
  hidden: readonly [permission: string, mayRead: (transport: Transport) => Promise<boolean>][]
  /** Undefined if the key may not read them, for which it needs `locationPermission`. */
  locations(transport: Transport): Promise<PanelLocation[] | undefined>
  locationPermission: string
  /** The message for a panel that passes the test. */
  remark?: string
}

const PTERODACTYL: TestDialect = {
  type: 'pterodactyl',
  probes: [...PROBES, ['nests:read', { method: 'GET', path: '/nests', query: ONE }]],
  hidden: [['eggs:read', mayReadEggs]],
  locations: readLocations,
  locationPermission: 'locations:read',
}

/**
 * Asks the panel for one object of each kind that the service needs. A fault is a result, not an
 * error; only a test without any fault closes an open breaker.
 */
export async function testConnection(
  connection: Connection,
  transport: Transport,
  dialect: TestDialect = PTERODACTYL,
): Promise<PanelTest> {
  const { timing, application, client } = connection.state
  const startedMs = timing.nowMs()
  const result = await faultsOf(connection, transport, dialect).catch((error: unknown) => {
    if (!(error instanceof PanelError)) throw error
    const ok = error.kind === 'rate_limited'
    const found = { locations: [], missingPermissions: [] }
    return { ok, ...found, fault: error.kind, message: messageOf(error) }
  })
  const latencyMs = Math.round(timing.nowMs() - startedMs)
  if (result.ok && !result.fault) {
    application.breaker.close()
    client.breaker.close()
  }
  const rateLimit = application.bucket.advertisedLimit
  return { type: dialect.type, latencyMs, ...result, ...(rateLimit && { rateLimit }) }
}

type Findings = Pick<PanelTest, 'ok' | 'locations' | 'missingPermissions' | 'fault' | 'message'>

async function faultsOf(
  connection: Connection,
  transport: Transport,
  { probes, hidden, locations: read, locationPermission, remark }: TestDialect,
): Promise<Findings> {
  const refusals: [string, PanelError][] = []
  for (const [permission, probe] of probes) {
    const refusal = await refusalOf(transport, probe)
    if (refusal) refusals.push([permission, refusal])
  }
  const [first] = refusals
  // If everything is refused, the cause is the address or the account, not single permissions.
  if (first && refusals.length === probes.length) throw first[1]
  const missingPermissions = refusals.map(([permission]) => permission)
  for (const [permission, mayRead] of hidden) {
    if (!(await mayRead(transport))) missingPermissions.push(permission)
  }
  if (!(await mayReadAllocations(transport))) missingPermissions.push('allocations:read')
  const locations = await read(transport)
  if (!locations && !missingPermissions.includes(locationPermission)) {
    missingPermissions.push(locationPermission)
  }
  if (connection.clientApiKey && !(await clientKeyWorks(transport))) {
    missingPermissions.push(CLIENT_API)
  }
  const ok = missingPermissions.length === 0
  const message = ok ? remark : lackOf(missingPermissions)
  return { ok, locations: locations ?? [], missingPermissions, ...(message && { message }) }
}

function lackOf(permissions: string[]): string {
  if (permissions.join() === CLIENT_API) {
    return 'The client key is not one of an administrator account of the panel.'
  }
  return `The key lacks permissions: ${permissions.join(', ')}.`
}

/** The refusal of a probe, if the panel refuses the key for it. Other failures are thrown. */
async function refusalOf(transport: Transport, probe: Call): Promise<PanelError | undefined> {
  try {
    await transport.call({ ...probe, probe: true }, pageOf)
    return undefined
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    if (error.kind === 'forbidden') return error
    if (error.kind === 'invalid' && probe.method === 'POST') return undefined
    throw error
  }
}

/** The value that was read, or undefined if the key may not read it. */
export async function orRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof PanelError && error.kind === 'forbidden') return undefined
    throw error
  }
}

async function mayReadEggs({ call }: Transport): Promise<boolean> {
  const query = { ...ONE, include: 'eggs' }
  const readable = call({ method: 'GET', path: '/nests', query, probe: true }, (body) =>
    pageOf(body).rows.every((nest) => relatedOf(nest, 'eggs') !== undefined),
  )
  // A key that may not even read nests was detected before.
  return (await orRefused(readable)) ?? true
}

/** Allocations belong to machines: without a machine there is nothing to ask for. */
async function mayReadAllocations(transport: Transport): Promise<boolean> {
  const { call } = transport
  const first = call({ method: 'GET', path: '/nodes', query: ONE, probe: true }, (body) => {
    const [node] = pageOf(body).rows
    return node && numberOf(node, 'id')
  })
  const nodeId = await orRefused(first)
  if (nodeId === undefined) return true
  const path = `/nodes/${nodeId}/allocations`
  return (await refusalOf(transport, { method: 'GET', path, query: ONE })) === undefined
}

function readLocations({ listAll }: Transport): Promise<PanelLocation[] | undefined> {
  const query = { sort: 'id' }
  return orRefused(listAll({ path: '/locations', query, probe: true }, locationOf))
}

async function clientKeyWorks({ order }: Transport): Promise<boolean> {
  const query = { ...ONE, type: 'admin-all' }
  try {
    await order({ api: 'client', method: 'GET', path: '', query, probe: true })
    return true
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    if (error.kind === 'forbidden' || error.kind === 'unauthorized') return false
    throw error
  }
}
