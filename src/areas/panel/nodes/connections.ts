import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { PanelClient, PanelTest } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { messageOf } from '../clients/pterodactyl/errors.ts'
import { detectPanelType, panelClientFor, requestLimitOf } from '../clients/registry.ts'
import { paceFor, pauseBulkWork } from './allowance.ts'
import { openedKeys } from './keys.ts'
import {
  findNode,
  listRefused,
  markDetected,
  markTested,
  markUnauthorized,
  type NodeRow,
} from './queries.ts'
import { statusAfter } from './rules.ts'

/** What is needed to call panels; every job context has it. */
export type PanelDeps = Pick<Deps, 'clock' | 'database' | 'secrets' | 'outbound' | 'log'>

/**
 * The client of a panel connection, for use outside transactions. Throws a `PanelError`:
 * `misconfigured` with the code `node_deleted` for a connection that is gone or, if the panel's
 * type is not yet known, the error that prevents the panel from answering.
 */
export async function clientOf(
  deps: PanelDeps,
  db: Db,
  { tenantId, nodeId }: { tenantId: string; nodeId: string },
): Promise<PanelClient> {
  const node = await findNode(db, { tenantId, id: nodeId })
  if (node) return clientFor(deps, node)
  const detail = 'The panel connection was deleted.'
  throw new PanelError('misconfigured', { code: 'node_deleted', detail })
}

/** The client of a connection that was just read; throws as `clientOf` does. */
export async function clientFor(deps: PanelDeps, node: NodeRow): Promise<PanelClient> {
  const address = addressOf(deps, node)
  const type = node.type === 'auto' ? (node.detectedType ?? (await detect(deps, node))) : node.type
  return panelClientFor({ type, ...address })
}

/** The address and options to call a connection's panel. */
export function addressOf(deps: PanelDeps, node: NodeRow) {
  return {
    url: node.url,
    outbound: deps.outbound.for({ tenantId: node.tenantId, purpose: 'panel' }),
    version: `${node.id} ${node.version}`,
    onDenied: () => noteDenial(deps, node),
    onLimited: (retryAfterMs: number) => noteLimit(deps, node, retryAfterMs),
    ...openedKeys(deps.secrets, node),
  }
}

async function detect(deps: PanelDeps, node: NodeRow) {
  try {
    const type = await detectPanelType(addressOf(deps, node))
    await transact(deps.database.of(node.tenantId), (tx) => markDetected(tx, node, type))
    return type
  } catch (error) {
    if (error instanceof PanelError && error.kind === 'unauthorized') await noteDenial(deps, node)
    throw error
  }
}

/** Records a refused key, which is shown to administrators until a test succeeds. */
async function noteDenial(deps: PanelDeps, node: NodeRow): Promise<void> {
  try {
    await transact(deps.database.of(node.tenantId), (tx) => markUnauthorized(tx, node))
  } catch (error) {
    // The error to report is the caller's own.
    deps.log.warn({ err: error, nodeId: node.id }, 'a refused panel key was not noted')
  }
}

/** Records a busy panel, so that every process pauses, not only the one that was told. */
async function noteLimit(deps: PanelDeps, node: NodeRow, retryAfterMs: number): Promise<void> {
  const { tenantId, id: nodeId } = node
  const held = { pace: paceFor(requestLimitOf(addressOf(deps, node))), retryAfterMs }
  const now = deps.clock.now()
  try {
    await transact(deps.database.of(tenantId), (tx) =>
      pauseBulkWork(tx, { tenantId, nodeId }, held, now),
    )
  } catch (error) {
    deps.log.warn({ err: error, nodeId }, 'the limit of a panel was not noted')
  }
}

/** The result of a test; the type is `auto` if not even that could be determined. */
type Finding = Omit<PanelTest, 'type'> & Pick<NodeRow, 'type'>

/** Tests a connection: reachability, key, permissions, locations. Faults are results. */
async function testNode(deps: PanelDeps, node: NodeRow): Promise<Finding> {
  const address = addressOf(deps, node)
  const startedMs = performance.now()
  let { type } = node
  try {
    if (type === 'auto') type = await detectPanelType(address)
    return await panelClientFor({ type, ...address }).test()
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    const latencyMs = Math.round(performance.now() - startedMs)
    const found = { locations: [], missingPermissions: [] }
    return { ok: false, type, ...found, fault: error.kind, message: messageOf(error), latencyMs }
  }
}

/** Tests a connection and stores its status. Faults are results. */
export async function testAndRecord(deps: PanelDeps, node: NodeRow): Promise<Finding> {
  const found = await testNode(deps, node)
  const { fault, type } = found
  const status = statusAfter({ ...found, ...(fault && { fault }) })
  const detectedType = node.type === 'auto' && type !== 'auto' ? type : null
  const tested = { status, detectedType, testedAt: deps.clock.now() }
  await transact(deps.database.of(node.tenantId), (tx) => markTested(tx, node, tested))
  return found
}

/**
 * Tests the connections of a tenant whose keys their panels last refused, because nothing else is sent to them. Staff
 * who retry have usually just corrected the key or its permissions on the panel.
 */
export async function retestRefused(deps: PanelDeps, db: Db, tenantId: string): Promise<void> {
  const refused = await listRefused(db, tenantId)
  await Promise.all(refused.map((node) => testAndRecord(deps, node)))
}
