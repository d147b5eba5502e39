import { type Db, transact } from '#platform/database/index.ts'
import { requestLimitOf } from '../clients/registry.ts'
import { type NodeAt, paceFor, spendRequests } from './allowance.ts'
import { addressOf, type PanelDeps } from './connections.ts'
import { findNode } from './queries.ts'

/**
 * Takes a step of this many requests (5 at most) from a panel's allowance for bulk work, over all
 * processes: true if it may begin now. A step that may not begin should stay queued and be tried
 * later, not waited for. Returns true for a deleted connection, so that the caller finds out.
 */
export async function mayBegin(
  deps: PanelDeps,
  db: Db,
  { tenantId, nodeId }: NodeAt,
  requests: number,
): Promise<boolean> {
  const node = await findNode(db, { tenantId, id: nodeId })
  if (!node) return true
  const pace = paceFor(requestLimitOf(addressOf(deps, node)))
  const now = deps.clock.now()
  return transact(db, (tx) => spendRequests(tx, { tenantId, nodeId }, { pace, requests }, now))
}
