import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { UserRow } from '../queries.ts'

export type VatCheckRow = Row<'users.vat_checks'>

type VatColumns = Partial<Pick<UserRow, 'vatStatus' | 'vatCheckAt' | 'vatCheckTries'>>

export async function updateVatStatus(
  tx: Tx,
  { tenantId, userId }: UserKey,
  changes: VatColumns,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

export async function insertVatCheck(tx: Tx, row: VatCheckRow): Promise<void> {
  await tx.insertInto('users.vat_checks').values(row).execute()
}

/** The register's latest answer about a person's number. */
export function findVatCheck(
  db: Db,
  { tenantId, userId }: UserKey,
  vatNumber: string,
): Promise<VatCheckRow | undefined> {
  return db
    .selectFrom('users.vat_checks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('vatNumber', '=', vatNumber)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The latest answers about several people's present numbers, by their ids. */
export async function lastVatChecks(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, VatCheckRow>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users.users as person')
    .innerJoinLateral(
      (it) =>
        it
          .selectFrom('users.vat_checks')
          .selectAll('users.vat_checks')
          .whereRef('tenantId', '=', 'person.tenantId')
          .whereRef('userId', '=', 'person.id')
          .whereRef('vatNumber', '=', 'person.vatNumber')
          .orderBy('id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .selectAll('last')
    .where('person.tenantId', '=', tenantId)
    .where('person.id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.userId, row]))
}

/** All answers about a person's numbers, newest first. */
export function listVatChecks(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('users.vat_checks')
    .select(['vatNumber', 'status', 'requester', 'consultationNumber', 'checkedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteVatChecks(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.vat_checks')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Locks people whose number has to be checked; concurrent runs get other people. */
export function lockVatNumbersToCheck(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('users.users')
    .select(['tenantId', 'id as userId'])
    .where('vatCheckAt', '<=', now)
    .where('deletedAt', 'is', null)
    .orderBy('vatCheckAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Requests a check of these people's numbers now, unless one is requested already. */
export async function wantChecks(
  tx: Tx,
  people: { readonly tenantId: string; readonly userIds: readonly string[] },
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({ vatCheckAt: now, vatCheckTries: 0 })
    .where('tenantId', '=', people.tenantId)
    .where('id', '=', sql<string>`any(${[...people.userIds]}::uuid[])`)
    .where('vatNumber', 'is not', null)
    .where('vatCheckAt', 'is', null)
    .where('deletedAt', 'is', null)
    .execute()
}
