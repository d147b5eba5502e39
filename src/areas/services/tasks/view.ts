import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { namesOf } from '#users'
import { findTaskView, listDetails, type TaskKey, type TaskView } from './queries.ts'
import { isPending, maskedDetail, taskStateOf } from './rules.ts'
import type { Task } from './schema.ts'

/** One task as staff see it. Throws 404. */
export async function taskOf(db: Db, key: TaskKey, now: Instant): Promise<Task> {
  const row = await findTaskView(db, key)
  const [task] = row ? await tasksOf(db, key.tenantId, [row], now) : []
  if (!task) throw notFound('Task')
  return task
}

/** Tasks as staff see them: with their customers, and handover details without secrets. */
export async function tasksOf(
  db: Db,
  tenantId: string,
  rows: readonly TaskView[],
  now: Instant,
): Promise<Task[]> {
  const userIds = rows.flatMap(({ userId, claimedBy }) => [
    userId,
    ...(claimedBy ? [claimedBy] : []),
  ])
  const serviceIds = rows.map(({ serviceId }) => serviceId)
  const [people, details] = await Promise.all([
    namesOf(db, tenantId, userIds),
    listDetails(db, tenantId, serviceIds),
  ])
  const byService = Map.groupBy(details, ({ serviceId }) => serviceId)
  return rows.map((row) => {
    const {
      otherProductId,
      otherProductName,
      otherPlanName,
      tenantId: _,
      upgradeId: __,
      ...task
    } = row
    const other = { productName: otherProductName ?? '', planName: otherPlanName ?? '' }
    return {
      ...task,
      state: taskStateOf(row),
      overdue: isPending(row) && row.dueAt < now,
      customerName: people.get(row.userId)?.name ?? '',
      customerEmail: people.get(row.userId)?.email ?? '',
      claimedByName: row.claimedBy ? (people.get(row.claimedBy)?.name ?? '') : null,
      change: otherProductId ? { productId: otherProductId, ...other } : null,
      details: (byService.get(row.serviceId) ?? []).map(maskedDetail),
    }
  })
}
