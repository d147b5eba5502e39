import { sql } from 'kysely'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

/** The share of a panel's limit for bulk work; the rest is for waiting people, and for others. */
const SHARE = 0.5
/** The share that may be saved up; together with `SHARE` it stays below the limit in every window. */
const SAVED_SHARE = 0.1
/**
 * The most requests one step takes. Each waits for this many; otherwise small steps starve large ones.
 */
const LARGEST_STEP = 5
const MAX_HOLD_MS = 10 * MINUTE_MS

/** A panel connection. */
export type NodeAt = { tenantId: string; nodeId: string }

/** The pace of bulk work: the time for each request, and how far ahead requests may be taken. */
export type Pace = { requestMs: number; aheadMs: number }

/** The pace of bulk work against a panel that allows this many requests per minute. */
export function paceFor(limitPerMinute: number): Pace {
  const requestMs = MINUTE_MS / Math.max(1, limitPerMinute * SHARE)
  const saved = Math.max(LARGEST_STEP, Math.floor(limitPerMinute * SAVED_SHARE))
  return { requestMs, aheadMs: (saved - LARGEST_STEP) * requestMs }
}

/** Takes this many requests of the allowance of all processes; false if there are not enough now. */
export async function spendRequests(
  tx: Tx,
  { tenantId, nodeId }: NodeAt,
  { pace, requests }: { pace: Pace; requests: number },
  now: Instant,
): Promise<boolean> {
  const takenMs = Math.ceil(requests * pace.requestMs)
  const row = await tx
    .insertInto('panel.paces')
    .values({ tenantId, nodeId, fullAt: later(now, takenMs) })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'nodeId'])
        .doUpdateSet({
          fullAt: sql<Instant>`greatest(paces.full_at, ${now}::timestamptz)
            + ${takenMs}::integer * interval '1 millisecond'`,
        })
        .where('panel.paces.fullAt', '<=', later(now, pace.aheadMs)),
    )
    .returning('nodeId')
    .executeTakeFirst()
  return row !== undefined
}

/** A panel asked for a pause: no process starts bulk work before its end. */
export async function pauseBulkWork(
  tx: Tx,
  { tenantId, nodeId }: NodeAt,
  { pace, retryAfterMs }: { pace: Pace; retryAfterMs: number },
  now: Instant,
): Promise<void> {
  const fullAt = later(now, Math.min(retryAfterMs, MAX_HOLD_MS) + pace.aheadMs)
  await tx
    .insertInto('panel.paces')
    .values({ tenantId, nodeId, fullAt })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'nodeId'])
        .doUpdateSet({ fullAt })
        .where('panel.paces.fullAt', '<', fullAt),
    )
    .execute()
}
