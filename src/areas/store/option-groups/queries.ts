import { sql, type Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type GroupRow = Row<'store.option_groups'>
export type GroupKey = Pick<GroupRow, 'tenantId' | 'id'>

/** A group, archived or not. */
export function findGroup(db: Db, { tenantId, id }: GroupKey): Promise<GroupRow | undefined> {
  return db
    .selectFrom('store.option_groups')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A group that is not archived. */
export async function findOpenGroup(db: Db, key: GroupKey): Promise<GroupRow | undefined> {
  const group = await findGroup(db, key)
  return group?.archivedAt === null ? group : undefined
}

/** The groups of a tenant, newest first; or the archived ones. */
export function listGroups(
  db: Db,
  { tenantId, archived }: { tenantId: string; archived: boolean },
  page: PageQuery,
) {
  const query = db
    .selectFrom('store.option_groups')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('archivedAt', archived ? 'is not' : 'is', null)
  return pageOf(query, page)
}

/** The products that groups are offered with, by group. */
export async function productIdsOf(
  db: Db,
  tenantId: string,
  groupIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('store.option_group_products')
    .select(['groupId', 'productId'])
    .where('tenantId', '=', tenantId)
    .where('groupId', '=', sql<string>`any(${[...groupIds]}::uuid[])`)
    .orderBy('groupId')
    .orderBy('productId')
    .execute()
  const byGroup = Map.groupBy(rows, ({ groupId }) => groupId)
  return new Map([...byGroup].map(([id, links]) => [id, links.map((it) => it.productId)]))
}

/** The options of groups in short, archived ones last. */
export function listBriefly(db: Db, tenantId: string, groupIds: readonly string[]) {
  return db
    .selectFrom('store.options')
    .select(['id', 'groupId', 'key', 'kind', 'name', 'archivedAt'])
    .where('tenantId', '=', tenantId)
    .where('groupId', '=', sql<string>`any(${[...groupIds]}::uuid[])`)
    .orderBy(sql`archived_at is not null`)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

type NewRow = Pick<GroupRow, 'tenantId' | 'id' | 'name' | 'position' | 'createdAt'>

export async function insertGroup(tx: Tx, row: NewRow): Promise<void> {
  await tx.insertInto('store.option_groups').values(row).execute()
}

export async function updateGroup(
  tx: Tx,
  { tenantId, id }: GroupKey,
  change: Updateable<Tables['store.option_groups']>,
): Promise<void> {
  await tx
    .updateTable('store.option_groups')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Archives a group; false if it does not exist, or is already archived. */
export async function archiveGroupRow(
  tx: Tx,
  { tenantId, id }: GroupKey,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('store.option_groups')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Offers the groups of one product, except archived ones, with another one too. */
export async function copyGroupsOf(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  productId: string,
): Promise<void> {
  await tx
    .insertInto('store.option_group_products')
    .columns(['tenantId', 'groupId', 'productId'])
    .expression((from) =>
      from
        .selectFrom('store.option_group_products as own')
        .innerJoin('store.option_groups as option_group', (join) =>
          join
            .onRef('option_group.tenantId', '=', 'own.tenantId')
            .onRef('option_group.id', '=', 'own.groupId'),
        )
        .select(['own.tenantId', 'own.groupId', sql<string>`${productId}::uuid`.as('productId')])
        .where('own.tenantId', '=', tenantId)
        .where('own.productId', '=', id)
        .where('option_group.archivedAt', 'is', null),
    )
    .execute()
}

/** Replaces the products with which a group is offered. */
export async function replaceProducts(
  tx: Tx,
  { tenantId, id: groupId }: GroupKey,
  productIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('store.option_group_products')
    .where('tenantId', '=', tenantId)
    .where('groupId', '=', groupId)
    .execute()
  const rows = productIds.map((productId) => ({ tenantId, groupId, productId }))
  await insertRows(tx, 'store.option_group_products', rows)
}
