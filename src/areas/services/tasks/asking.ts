import { newId } from '#lib/id.ts'
import { dayOf, type Instant } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { findProduct } from '#store'
import { taskCreated } from '../events.ts'
import type { ServiceRow } from '../queries.ts'
import { insertTask } from './queries.ts'
import { taskDueAt } from './rules.ts'
import type { TaskAction } from './schema.ts'

/**
 * Asks staff to do something for a locked service: creates a task, of which they are notified. A pending task for the
 * same action stays. Returns when it is due.
 */
export async function createStaffTask(
  tx: Tx,
  { tenantId, id: serviceId, productId, userId, name }: ServiceRow,
  { action, upgradeId = null }: { action: TaskAction; upgradeId?: string | null },
  now: Instant,
): Promise<Instant> {
  const product = await findProduct(tx, { tenantId, id: productId })
  const dueAt = taskDueAt(product?.promiseHours, now)
  const id = newId()
  const task = { tenantId, id, serviceId, action, upgradeId, createdAt: now, dueAt }
  if (!(await insertTask(tx, task))) return dueAt
  const facts = { name, action, dueOn: dayOf(dueAt) }
  const attention = { tenantId, topic: 'task_created' as const, facts }
  await notifyAdmins(tx, { ...attention, link: `/admin/tasks/${id}` }, now)
  await emit(tx, taskCreated, { tenantId, id, userId })
  return dueAt
}

/** Asks staff to deliver a paid service, and tells its customer by when it will be delivered. */
export async function requestDelivery(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const dueAt = await createStaffTask(tx, service, { action: 'create' }, now)
  const { tenantId, id, userId, name } = service
  const data = { name, dueOn: dayOf(dueAt) }
  const link = `/servers/${id}`
  await notify(tx, { tenantId, userId, kind: 'delivery_begun', data, link }, now)
}
