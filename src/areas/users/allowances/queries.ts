import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type AllowanceKey = Pick<Row<'users.allowances'>, 'tenantId' | 'kind' | 'subject'>

/** Counts one use, in a period that begins with the first one. Undefined if `most` were used in it already. */
export function useAllowance(
  tx: Tx,
  key: AllowanceKey,
  { most, now, endsAt }: { most: number; now: Instant; endsAt: Instant },
) {
  const ended = sql<boolean>`allowances.ends_at <= ${now}`
  return tx
    .insertInto('users.allowances')
    .values({ ...key, used: 1, endsAt })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'kind', 'subject'])
        .doUpdateSet({
          used: sql<number>`case when ${ended} then 1 else allowances.used + 1 end`,
          endsAt: sql<Instant>`case when ${ended} then excluded.ends_at else allowances.ends_at end`,
        })
        .where(sql<boolean>`${ended} or allowances.used < ${most}`),
    )
    .returning('used')
    .executeTakeFirst()
}

/** Takes back one use, in the transaction that counted it. */
export async function returnAllowance(tx: Tx, key: AllowanceKey): Promise<void> {
  const { tenantId, kind, subject } = key
  await sql`
    delete from users.allowances
    where tenant_id = ${tenantId} and kind = ${kind} and subject = ${subject} and used = 1
  `.execute(tx)
  await sql`
    update users.allowances set used = used - 1
    where tenant_id = ${tenantId} and kind = ${kind} and subject = ${subject} and used > 1
  `.execute(tx)
}

/** When the current period of an allowance ends; undefined if none has begun. */
export function findAllowance(db: Db, { tenantId, kind, subject }: AllowanceKey, now: Instant) {
  return db
    .selectFrom('users.allowances')
    .select('endsAt')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('endsAt', '>', now)
    .executeTakeFirst()
}

/** Deletes the counts of a person's uses. */
export async function deleteAllowances(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.allowances')
    .where('tenantId', '=', tenantId)
    .where('subject', '=', userId)
    .execute()
}

/** Deletes allowances whose period has ended. Returns how many. */
export async function deleteEndedAllowances(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from users.allowances where (tenant_id, kind, subject) in (
      select tenant_id, kind, subject from users.allowances where ends_at <= ${now}
      limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
