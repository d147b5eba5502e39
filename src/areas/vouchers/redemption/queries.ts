import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

type AttemptRow = Row<'vouchers.attempts'>

/** The wrong codes of a customer since an instant, newest first. */
export function listAttempts(db: Db, { tenantId, userId }: UserKey, since: Instant) {
  return db
    .selectFrom('vouchers.attempts')
    .select(['failedAt', 'blockedUntil'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('failedAt', '>', since)
    .orderBy('failedAt', 'desc')
    .execute()
}

export async function insertAttempt(tx: Tx, attempt: AttemptRow): Promise<void> {
  await tx.insertInto('vouchers.attempts').values(attempt).execute()
}

export async function deleteAttempts(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('vouchers.attempts')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Deletes wrong codes from before an instant, of every shop, and returns how many there were. */
export async function deleteOldAttempts(tx: Tx, before: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('vouchers.attempts')
    .where(sql<boolean>`ctid in (
      select ctid from vouchers.attempts where failed_at < ${before}
      limit ${limit} for update skip locked)`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
