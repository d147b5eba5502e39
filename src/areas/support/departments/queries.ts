import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { DepartmentRow } from './rules.ts'

export type DepartmentKey = Pick<DepartmentRow, 'tenantId' | 'id'>

/** A department, archived or not: its tickets keep it. */
export function findDepartment(db: Db, { tenantId, id }: DepartmentKey) {
  return db
    .selectFrom('support.departments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The departments of a tenant in their order, archived ones last. */
export function listDepartments(db: Db, tenantId: string): Promise<DepartmentRow[]> {
  return db
    .selectFrom('support.departments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy(sql`archived_at is not null`)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The departments that customers choose from, in their order. */
export function listOffered(db: Db, tenantId: string): Promise<DepartmentRow[]> {
  return db
    .selectFrom('support.departments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
    .where('visibility', '=', 'customers')
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/**
 * Locks all departments of a tenant, always in the same order: whether one is the last depends on the
 * others.
 */
export function lockDepartments(tx: Tx, tenantId: string): Promise<DepartmentRow[]> {
  return tx
    .selectFrom('support.departments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Inserts a department; an existing one stays as it is. */
export async function insertDepartment(
  tx: Tx,
  row: Insertable<Tables['support.departments']>,
): Promise<void> {
  await tx
    .insertInto('support.departments')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'id']).doNothing())
    .execute()
}

type Change = Partial<
  Pick<
    Insertable<Tables['support.departments']>,
    'names' | 'position' | 'visibility' | 'groupIds' | 'defaultPriority' | 'archivedAt'
  >
>

/** Changes a department that the caller has locked. */
export function updateDepartment(tx: Tx, { tenantId, id }: DepartmentKey, change: Change) {
  return tx
    .updateTable('support.departments')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Those of the given groups of staff that exist. */
export async function listGroupsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('rbac.groups')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
