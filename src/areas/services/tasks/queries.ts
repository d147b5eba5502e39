import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type CountedPage, listOf } from '#platform/page.ts'
import type { ServiceKey } from '../queries.ts'
import type { DetailRow, TaskRow } from './rules.ts'
import type { TaskQuery } from './schema.ts'

export type TaskKey = Pick<TaskRow, 'tenantId' | 'id'>

type NewTask = Pick<
  TaskRow,
  'tenantId' | 'id' | 'serviceId' | 'action' | 'upgradeId' | 'createdAt' | 'dueAt'
>

/** Returns whether the task is new: a service has one pending task of each action. */
export async function insertTask(tx: Tx, row: NewTask): Promise<boolean> {
  const inserted = await tx
    .insertInto('services.tasks')
    .values(row)
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const OPEN = sql<boolean>`done_at is null and failed_at is null and canceled_at is null`

/** Tasks as staff see them, without the handover details of their customers. */
function views(db: Db, tenantId: string) {
  return db
    .selectFrom('services.tasks as task')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'task.tenantId')
        .onRef('service.id', '=', 'task.serviceId'),
    )
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'service.tenantId')
        .onRef('product.id', '=', 'service.productId'),
    )
    .innerJoin('store.plans as plan', (join) =>
      join.onRef('plan.tenantId', '=', 'service.tenantId').onRef('plan.id', '=', 'service.planId'),
    )
    .leftJoin('services.upgrades as upgrade', (join) =>
      join
        .onRef('upgrade.tenantId', '=', 'task.tenantId')
        .onRef('upgrade.id', '=', 'task.upgradeId'),
    )
    .leftJoin('store.products as other', (join) =>
      join
        .onRef('other.tenantId', '=', 'upgrade.tenantId')
        .onRef('other.id', '=', 'upgrade.productId'),
    )
    .leftJoin('store.plans as otherPlan', (join) =>
      join
        .onRef('otherPlan.tenantId', '=', 'upgrade.tenantId')
        .onRef('otherPlan.id', '=', 'upgrade.planId'),
    )
    .selectAll('task')
    .select(['service.name as serviceName', 'service.userId', 'service.productId'])
    .select(['product.name as productName', 'product.instructions', 'plan.name as planName'])
    .select(['other.id as otherProductId', 'other.name as otherProductName'])
    .select('otherPlan.name as otherPlanName')
    .where('task.tenantId', '=', tenantId)
}

export type TaskView = Awaited<ReturnType<typeof findTaskView>> & object

export function findTaskView(db: Db, { tenantId, id }: TaskKey) {
  return views(db, tenantId).where('task.id', '=', id).executeTakeFirst()
}

const STATE_IN_SQL = sql<string>`case
  when task.done_at is not null then 'done'
  when task.failed_at is not null then 'failed'
  when task.canceled_at is not null then 'canceled'
  when task.claimed_at is not null then 'claimed'
  else 'open' end`

/** The tasks of a tenant, newest first unless asked otherwise. */
export function listTasks(
  db: Db,
  tenantId: string,
  { state, action, serviceId, ...page }: TaskQuery,
  now: Instant,
): Promise<CountedPage<TaskView>> {
  let query = views(db, tenantId)
  const isPending = state === 'pending' || state === 'overdue'
  if (isPending) query = query.where(STATE_IN_SQL, 'in', ['open', 'claimed'])
  else if (state) query = query.where(STATE_IN_SQL, '=', state)
  if (state === 'overdue') query = query.where('task.dueAt', '<', now)
  if (action) query = query.where('task.action', '=', action)
  if (serviceId) query = query.where('task.serviceId', '=', serviceId)
  return listOf(db, query, page, 'task.id')
}

export function findTask(db: Db, { tenantId, id }: TaskKey): Promise<TaskRow | undefined> {
  return db
    .selectFrom('services.tasks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A task, locked. Its service must be locked before it, everywhere. */
export function lockTask(tx: Tx, { tenantId, id }: TaskKey): Promise<TaskRow | undefined> {
  return tx
    .selectFrom('services.tasks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The pending tasks of a locked service, oldest first. */
export function lockPendingTasks(tx: Tx, { tenantId, id }: ServiceKey): Promise<TaskRow[]> {
  return tx
    .selectFrom('services.tasks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where(OPEN)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function updateTask(
  tx: Tx,
  { tenantId, id }: TaskKey,
  change: Partial<Omit<TaskRow, 'tenantId' | 'id'>>,
): Promise<void> {
  await tx
    .updateTable('services.tasks')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Cancels the pending task of a change of plan. */
export async function cancelTaskOf(
  tx: Tx,
  { tenantId, id: upgradeId }: { tenantId: string; id: string },
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('services.tasks')
    .set({ canceledAt: now })
    .where('tenantId', '=', tenantId)
    .where('upgradeId', '=', upgradeId)
    .where(OPEN)
    .execute()
}

const MOST_COUNTED = 1000

/** The number of pending tasks that are overdue, at most 1000, with the earliest due time. */
export async function countOverdueTasks(
  db: Db,
  tenantId: string,
  now: Instant,
): Promise<{ count: number; oldestAt: Instant | null; deadlineAt: Instant | null }> {
  const overdue = db
    .selectFrom('services.tasks')
    .select(['createdAt', 'dueAt'])
    .where('tenantId', '=', tenantId)
    .where(OPEN)
    .where('dueAt', '<', now)
    .limit(MOST_COUNTED)
  return db
    .selectFrom(overdue.as('task'))
    .select(sql<number>`count(*)::integer`.as('count'))
    .select(({ fn }) => [
      fn.min('task.createdAt').as('oldestAt'),
      fn.min('task.dueAt').as('deadlineAt'),
    ])
    .executeTakeFirstOrThrow()
}

/** The pending or failed delivery task of a service; undefined if staff were not asked to deliver it. */
export function findDeliveryTask(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.tasks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('action', '=', 'create')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The handover details of the customers of services, in order. */
export function listDetails(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<DetailRow[]> {
  return db
    .selectFrom('services.handover_details')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', sql<string>`any(${[...serviceIds]}::uuid[])`)
    .orderBy('serviceId')
    .orderBy('position')
    .execute()
}

/** The handover details of a person's own services; secrets are left out. */
export function listDetailsOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.handover_details as detail')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'detail.tenantId')
        .onRef('service.id', '=', 'detail.serviceId'),
    )
    .select(['detail.serviceId', 'detail.label', 'detail.value'])
    .select(sql<boolean>`detail.sealed_value is not null`.as('hidden'))
    .where('service.tenantId', '=', tenantId)
    .where('service.userId', '=', userId)
    .orderBy('detail.serviceId')
    .orderBy('detail.position')
    .execute()
}

/** Replaces the handover details of a service. */
export async function replaceDetails(
  tx: Tx,
  service: ServiceKey,
  rows: readonly DetailRow[],
): Promise<void> {
  await deleteDetails(tx, service)
  if (rows.length > 0)
    await tx
      .insertInto('services.handover_details')
      .values([...rows])
      .execute()
}

export async function deleteDetails(tx: Tx, { tenantId, id }: ServiceKey): Promise<void> {
  await tx
    .deleteFrom('services.handover_details')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .execute()
}

/** Deletes the handover details of a person, and what staff and systems wrote about their services. */
export async function forgetHandovers(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  const own = tx
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  await tx
    .deleteFrom('services.handover_details')
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
  await tx
    .updateTable('services.tasks')
    .set({ failure: null })
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
  await tx
    .updateTable('services.deliveries')
    .set({ failure: null, reference: null })
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
}
