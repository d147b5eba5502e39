import { later, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { compareNode, repairDrift } from '../work.ts'
import {
  findWanted,
  leaseReport,
  listDueReports,
  type NodeKey,
  type ReportRow,
  updateReport,
} from './queries.ts'
import { repairOne } from './repair.ts'
import { comparePage, leaseEnd, secondsUntil } from './walk.ts'

/** For how long one job continues; the rest gets a job of its own. */
const PATIENCE_MS = 60 * SECOND_MS
const TIMEOUT_SECONDS = 600
const BATCH = 100

/** Compares a panel with our services, page by page. */
export const compareNodeJob = job(
  compareNode,
  async (context: JobContext, key) => {
    const endMs = performance.now() + PATIENCE_MS
    const now = context.clock.now()
    const lease = { now, until: leaseEnd(now) }
    let report = await context.transact((tx) => leaseReport(tx, key, lease))
    while (report) {
      const next = await comparePage(context, report)
      if (!next) return
      const wait = secondsUntil(next.at, context.clock.now())
      if (wait > 0 || context.signal.aborted || performance.now() > endMs) {
        return goOnLater(context, next.report, wait)
      }
      report = next.report
    }
  },
  { concurrency: 2, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

/** Ends the lease, and enqueues a job for the next page. */
async function goOnLater(
  { transact }: JobContext,
  report: ReportRow,
  startAfterSeconds: number,
): Promise<void> {
  const { tenantId, nodeId } = report
  await transact(async (tx) => {
    await updateReport(tx, report, { leaseUntil: null })
    const options = { startAfterSeconds, key: nodeId }
    await enqueue(tx, compareNode, { tenantId, nodeId }, options)
  })
}

/** Finds comparisons whose job was lost with its process. */
export const resumeComparisons = schedule(
  'services.resume-comparisons',
  30 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    const due = await listDueReports(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, nodeId } of due) {
        await enqueue(tx, compareNode, { tenantId, nodeId }, { key: `resume ${nodeId}` })
      }
    })
  },
)

/** Repairs the requested findings of a panel, one after the other. */
export const repairDriftJob = job(
  repairDrift,
  async (context: JobContext, key) => {
    const endMs = performance.now() + PATIENCE_MS
    let after: string | null = null
    for (;;) {
      const finding = await findWanted(context.db, key, after)
      if (!finding) return
      await repairOne(context, finding)
      after = finding.id
      if (context.signal.aborted || performance.now() > endMs) {
        return repairLater(context, key)
      }
    }
  },
  { concurrency: 2, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

function repairLater({ transact }: JobContext, key: NodeKey): Promise<void> {
  return transact((tx) => enqueue(tx, repairDrift, key))
}
