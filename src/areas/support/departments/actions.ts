import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { json, type Tx } from '#platform/database/index.ts'
import {
  type DepartmentKey,
  findDepartment,
  insertDepartment,
  listGroupsAmong,
  listOffered,
  lockDepartments,
  updateDepartment,
} from './queries.ts'
import type { DepartmentRow } from './rules.ts'
import type { DepartmentChange, NewDepartment } from './schema.ts'

/** Adds a department. Throws 400 for a group that does not exist. */
export async function createDepartment(
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { names, groupIds = [], position = 0, ...rest }: NewDepartment,
  now: Instant,
): Promise<DepartmentRow> {
  await assertGroups(tx, tenantId, groupIds)
  const { visibility = 'customers', defaultPriority = 'normal' } = rest
  const key = { tenantId, id: newId() }
  const row = { ...key, names: json(names), groupIds, position, visibility, defaultPriority }
  await insertDepartment(tx, { ...row, createdAt: now })
  return found(await findDepartment(tx, key))
}

/**
 * Changes a department that is not archived. Throws 404, 400 for a group that does not exist, 409 `last_department`
 * if customers would have none left.
 */
export async function changeDepartment(
  tx: Tx,
  key: DepartmentKey,
  { names, groupIds, ...change }: DepartmentChange,
): Promise<DepartmentRow> {
  const all = await lockDepartments(tx, key.tenantId)
  const department = all.find(({ id }) => id === key.id)
  if (!department || department.archivedAt) throw notFound('Department')
  if (groupIds) await assertGroups(tx, key.tenantId, groupIds)
  if (change.visibility === 'staff') assertNotLast(all, department)
  return updateDepartment(tx, key, {
    ...change,
    ...(names && { names: json(names) }),
    ...(groupIds && { groupIds }),
  })
}

/** Archives a department; its tickets keep it. Throws 404, 409 `last_department`. */
export async function archiveDepartment(tx: Tx, key: DepartmentKey, now: Instant) {
  const all = await lockDepartments(tx, key.tenantId)
  const department = all.find(({ id }) => id === key.id)
  if (!department || department.archivedAt) throw notFound('Department')
  assertNotLast(all, department)
  await updateDepartment(tx, key, { archivedAt: now })
  return { id: key.id, deleted: true }
}

/** Offers an archived department again; one that is not archived stays as it is. Throws 404. */
export async function restoreDepartment(tx: Tx, key: DepartmentKey): Promise<DepartmentRow> {
  const all = await lockDepartments(tx, key.tenantId)
  if (!all.some(({ id }) => id === key.id)) throw notFound('Department')
  return updateDepartment(tx, key, { archivedAt: null })
}

/** The department that a customer chose; undefined for one that customers cannot choose. */
export async function chosenDepartment(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<DepartmentRow | undefined> {
  return (await listOffered(tx, tenantId)).find((it) => it.id === id)
}

/** The first department that customers can choose. For a tenant without any, this creates the first one. */
export async function firstDepartment(
  tx: Tx,
  tenantId: string,
  now: Instant,
): Promise<DepartmentRow> {
  const [first] = await listOffered(tx, tenantId)
  return first ?? makeFirst(tx, tenantId, now)
}

/** Two requests at the same time create only one, because its id is that of the tenant. */
async function makeFirst(tx: Tx, tenantId: string, now: Instant): Promise<DepartmentRow> {
  const key = { tenantId, id: tenantId }
  const row = { ...key, names: json({}), visibility: 'customers' as const, createdAt: now }
  await insertDepartment(tx, { ...row, defaultPriority: 'normal' })
  return found(await findDepartment(tx, key))
}

function assertNotLast(all: readonly DepartmentRow[], { id }: DepartmentRow): void {
  const isOffered = (it: DepartmentRow) => !it.archivedAt && it.visibility === 'customers'
  if (all.some((it) => it.id !== id && isOffered(it))) return
  const message =
    'Customers need one department to write to. Add another one, or switch tickets off in the settings.'
  throw conflict(message, 'last_department')
}

async function assertGroups(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = await listGroupsAmong(tx, tenantId, ids)
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `groupIds.${index}`, message: 'does not exist' }],
  )
  if (details.length > 0) throw badRequest('A group does not exist.', details)
}

function found(department: DepartmentRow | undefined): DepartmentRow {
  if (!department) throw notFound('Department')
  return department
}
