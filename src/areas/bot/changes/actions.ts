import { unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findFeed, lockFeed, updateFeed } from '../roles/queries.ts'
import type { TokenKey } from '../tokens/queries.ts'
import { deleteChangesThrough, findTrimEnd, markApplied } from './queries.ts'
import { NO_FEED } from './rules.ts'

/** How long a bot may be off without missing any change. */
const KEPT_MS = 30 * DAY_MS
/** How long applied changes are kept: a bot that reads all members goes on from where the feed was when it began. */
const SETTLED_MS = DAY_MS
const BATCH = 10_000

/**
 * Records that a bot has applied the feed up to a cursor. An older cursor changes nothing. Returns the recorded
 * cursor. Throws 422 for a cursor that the feed has not reached.
 */
export async function acknowledge(tx: Tx, key: TokenKey, cursor: number): Promise<number> {
  const { lastSequence } = (await findFeed(tx, key.tenantId)) ?? NO_FEED
  if (cursor > lastSequence) {
    throw unprocessable(
      'This cursor is ahead of the feed. Use the last one that it answered.',
      'cursor_ahead',
      [{ path: 'cursor', message: 'lies ahead' }],
    )
  }
  return markApplied(tx, key, cursor)
}

/** Deletes a batch of changes that every bot has applied, or that are too old. Returns whether there may be more. */
export async function trimFeed(tx: Tx, tenantId: string, now: Instant): Promise<boolean> {
  const feed = await lockFeed(tx, tenantId)
  if (!feed) return false
  const ages = { now, tooOld: later(now, -KEPT_MS), settled: later(now, -SETTLED_MS) }
  const end = await findTrimEnd(tx, tenantId, ages)
  if (end === null) return false
  const trimmedSequence = await deleteChangesThrough(tx, tenantId, { end, limit: BATCH })
  if (trimmedSequence === null) return false
  await updateFeed(tx, { tenantId, trimmedSequence })
  return trimmedSequence < end
}
