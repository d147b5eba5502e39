import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { compareNode, repairDrift } from '../work.ts'
import { countNamed, lockReport, type NodeKey, upsertReport, wantRepairs } from './queries.ts'
import type { RepairOrder } from './schema.ts'

/**
 * Begins to compare a panel with our services; a comparison that is under way continues, and is not
 * begun again.
 */
export async function beginComparison(tx: Tx, key: NodeKey, now: Instant): Promise<void> {
  const report = await lockReport(tx, key)
  if (report && !report.finishedAt) return
  await upsertReport(tx, key, { id: newId(), now })
  const { tenantId, nodeId } = key
  await enqueue(tx, compareNode, { tenantId, nodeId })
}

/**
 * Requests the repair of findings, the given ones or all of the kind; returns how many. Throws 404 for
 * a finding that does not exist on this panel, 409 while the comparison runs and before the first one.
 */
export async function orderRepairs(
  tx: Tx,
  key: NodeKey,
  { kind, findingIds }: RepairOrder,
  now: Instant,
): Promise<number> {
  const report = await lockReport(tx, key)
  if (findingIds && (await countNamed(tx, key, { kind, ids: findingIds })) < findingIds.length) {
    throw notFound('Finding')
  }
  if (!report?.finishedAt) {
    throw conflict('Wait for the comparison to finish.', 'comparison_not_finished')
  }
  const queued = await wantRepairs(tx, key, { kind, ids: findingIds ?? null }, now)
  const { tenantId, nodeId } = key
  if (queued > 0) await enqueue(tx, repairDrift, { tenantId, nodeId })
  return queued
}
