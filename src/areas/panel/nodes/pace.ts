import { type Db, transact } from '#platform/database/index.ts'
import { requestLimitOf } from '../clients/registry.ts'
import { type NodeAt, paceFor, takeRequests } from './allowance.ts'
import { addressOf, type PanelDeps } from './connections.ts'
import { findNode } from './queries.ts'

/**
 * Takes a step of so many requests (5 at most) from what work in bulk may ask of a panel, over all
 * processes: true when it may begin now. One that may not is to be left where it is found again, not
 * waited for. A connection that was deleted keeps nobody from finding that out.
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
  return transact(db, (tx) => takeRequests(tx, { tenantId, nodeId }, { pace, requests }, now))
}
