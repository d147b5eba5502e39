import { sql } from 'kysely'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

/** Of what a panel allows, for work in bulk; the rest is for what people wait for, and for others. */
const SHARE = 0.5
/** What may be saved up; with the share it stays below the limit in every window. */
const SAVED_SHARE = 0.1
/** The most that one step of work takes. Each waits until that is there, or small ones starved it. */
const LARGEST_STEP = 5
const MAX_HOLD_MS = 10 * MINUTE_MS

/** A panel connection. */
export type NodeAt = { tenantId: string; nodeId: string }

/** How fast work in bulk goes: the time that each request takes, and how far ahead it may be taken. */
export type Pace = { requestMs: number; aheadMs: number }

/** The pace of work in bulk against a panel that allows so many requests a minute. */
export function paceFor(limitPerMinute: number): Pace {
  const requestMs = MINUTE_MS / Math.max(1, limitPerMinute * SHARE)
  const saved = Math.max(LARGEST_STEP, Math.floor(limitPerMinute * SAVED_SHARE))
  return { requestMs, aheadMs: (saved - LARGEST_STEP) * requestMs }
}

/** Takes so many requests of the allowance, in all processes; false when there are not enough now. */
export async function takeRequests(
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

/** A panel wants to be left alone for so long: no process begins work in bulk before that. */
export async function holdBack(
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
