import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

/** Tables whose rows end by themselves, at `expires_at`. */
export type Expiring =
  | 'users.sessions'
  | 'users.email_tokens'
  | 'users.pending_sign_ins'
  | 'users.passkey_challenges'
  | 'users.connection_starts'

/** Deletes rows that ended before a time, with the rows that depend on them. Returns how many. */
export async function deleteEnded(
  tx: Tx,
  table: Expiring,
  before: Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where expires_at < ${before}
      limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
