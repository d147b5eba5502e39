import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { PanelClient, PanelTest } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { messageOf } from '../clients/pterodactyl/errors.ts'
import { detectPanelType, panelClientFor, requestLimitOf } from '../clients/registry.ts'
import { holdBack, paceFor } from './allowance.ts'
import { openedKeys } from './keys.ts'
import { findNode, markDetected, markUnauthorized, type NodeRow } from './queries.ts'

/** What calls to panels are made with; every job context has it. */
export type PanelDeps = Pick<Deps, 'clock' | 'database' | 'secrets' | 'outbound' | 'log'>

/**
 * The client of a panel connection, for use outside transactions. Throws a `PanelError`:
 * `misconfigured` with the code `node_deleted` for a connection that is gone, and, where the
 * panel's type is yet to be found out, whatever keeps it from answering.
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

/** The client of a connection that was just read; throws as `clientOf`. */
export async function clientFor(deps: PanelDeps, node: NodeRow): Promise<PanelClient> {
  const address = addressOf(deps, node)
  const type = node.type === 'auto' ? (node.detectedType ?? (await detect(deps, node))) : node.type
  return panelClientFor({ type, ...address })
}

/** Where and how a connection's panel is called. */
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

/** A refused key is shown to administrators until a test goes well. */
async function noteDenial(deps: PanelDeps, node: NodeRow): Promise<void> {
  try {
    await transact(deps.database.of(node.tenantId), (tx) => markUnauthorized(tx, node))
  } catch (error) {
    // The caller's own failure is the one to tell of.
    deps.log.warn({ err: error, nodeId: node.id }, 'a refused panel key was not noted')
  }
}

/** A panel that is busy is left alone by every process, not only by the one that it told. */
async function noteLimit(deps: PanelDeps, node: NodeRow, retryAfterMs: number): Promise<void> {
  const { tenantId, id: nodeId } = node
  const held = { pace: paceFor(requestLimitOf(addressOf(deps, node))), retryAfterMs }
  const now = deps.clock.now()
  try {
    await transact(deps.database.of(tenantId), (tx) =>
      holdBack(tx, { tenantId, nodeId }, held, now),
    )
  } catch (error) {
    deps.log.warn({ err: error, nodeId }, 'the limit of a panel was not noted')
  }
}

/** What a test found; the type is `auto` where not even that could be told. */
export type Finding = Omit<PanelTest, 'type'> & Pick<NodeRow, 'type'>

/** Tries a connection: reaching it, its key, its permissions, its locations. Faults are answers. */
export async function testNode(deps: PanelDeps, node: NodeRow): Promise<Finding> {
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
