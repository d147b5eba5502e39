import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type ViewRow = Row<'desk.views'>
export type ViewKey = UserKey & { readonly id: string }

/** The views of these lists that somebody sees: their own and the shared ones. */
export function listViews(
  db: Db,
  { tenantId, userId }: UserKey,
  screens: readonly string[],
  page: PageQuery,
) {
  const query = db
    .selectFrom('desk.views')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('screen', '=', sql<string>`any(${[...screens]}::text[])`)
    .where((is) => is.or([is('userId', '=', userId), is('shared', '=', true)]))
  return pageOf(query, page)
}

/** A view that somebody sees: their own, or a shared one. */
export function findView(db: Db, { tenantId, userId, id }: ViewKey) {
  return db
    .selectFrom('desk.views')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where((is) => is.or([is('userId', '=', userId), is('shared', '=', true)]))
    .executeTakeFirst()
}

/** A view of its owner. */
export function lockView(tx: Tx, { tenantId, userId, id }: ViewKey) {
  return tx
    .selectFrom('desk.views')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** All views of a person: there are few. */
export function listViewsOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('desk.views')
    .select(['screen', 'name', 'query', 'hiddenColumns', 'shared', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('screen')
    .orderBy('name')
    .execute()
}

export async function insertView(tx: Tx, row: ViewRow): Promise<void> {
  await tx.insertInto('desk.views').values(row).execute()
}

export function updateView(tx: Tx, { tenantId, userId, id }: ViewKey, change: Partial<ViewRow>) {
  return tx
    .updateTable('desk.views')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined if the person has no such view. */
export function deleteView(tx: Tx, { tenantId, userId, id }: ViewKey) {
  return tx
    .deleteFrom('desk.views')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteViewsOf(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('desk.views')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
