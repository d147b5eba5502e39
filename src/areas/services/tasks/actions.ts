import { findInvoice } from '#billing'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { activateService } from '../activation.ts'
import { failCreation, recordMove } from '../fulfilment/closing.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { assertMayBecome } from '../rules.ts'
import { updateTransition } from '../states/queries.ts'
import { assertNotEnding } from '../states/rules.ts'
import { completeUpgrade, failUpgrade } from '../upgrades/actions.ts'
import { findTask, lockTask, replaceDetails, type TaskKey, updateTask } from './queries.ts'
import { assertMayClose, assertPending, keptDetails, type TaskRow } from './rules.ts'
import type { NewDetail } from './schema.ts'

type Staff = { readonly userId: string }

/** A task and its service, locked in this order. Throws 404. */
async function lockTaskOf(tx: Tx, key: TaskKey): Promise<{ task: TaskRow; service: ServiceRow }> {
  const found = await findTask(tx, key)
  const service = found && (await lockService(tx, { ...key, id: found.serviceId }))
  const task = await lockTask(tx, key)
  if (!task || !service) throw notFound('Task')
  return { task, service }
}

/**
 * Assigns a task to a member of staff; a task that they already have stays theirs. Throws 404, and 409 for a task that
 * is closed or that another member has, unless it is taken over.
 */
export async function claimTask(
  tx: Tx,
  key: TaskKey,
  { userId, takeOver }: Staff & { takeOver: boolean },
  now: Instant,
): Promise<void> {
  const { task } = await lockTaskOf(tx, key)
  assertPending(task)
  if (task.claimedBy === userId) return
  if (!takeOver) assertMayClose(task, userId)
  await updateTask(tx, task, { claimedBy: userId, claimedAt: now })
}

/**
 * Records that a task is done, and notifies the customer of its service, who finds the details on its page. Throws 404,
 * and 409 for a task that is closed or assigned to another member, and for the delivery of a service that ends or is no
 * longer paid.
 */
export async function completeTask(
  tx: Tx,
  key: TaskKey,
  { userId, secrets, details }: Staff & { secrets: Secrets; details: readonly NewDetail[] | null },
  now: Instant,
): Promise<void> {
  const { task, service } = await lockTaskOf(tx, key)
  assertMayClose(task, userId)
  await updateTask(tx, task, { ...claimOf(task, userId, now), doneAt: now })
  if (details) await replaceDetails(tx, service, keptDetails(secrets, service, details))
  if (task.action === 'create') return deliver(tx, service, now)
  if (task.action === 'change') {
    const { tenantId, upgradeId } = task
    if (upgradeId) await completeUpgrade(tx, { tenantId, id: upgradeId }, now)
    return
  }
  await recordMove(tx, service, task.action, now)
}

function claimOf(task: TaskRow, userId: string, now: Instant) {
  return { claimedBy: task.claimedBy ?? userId, claimedAt: task.claimedAt ?? now }
}

async function deliver(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertNotEnding(service)
  assertMayBecome(service, 'active')
  const { tenantId, invoiceId } = service
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (invoice && invoice.status !== 'paid') {
    throw conflict('The payment of this service was taken back.', 'service_unpaid')
  }
  await activateService(tx, service, null, now)
}

/**
 * Records that a task cannot be done: a delivery has failed, of which the customer is notified; a change is given up
 * and its money becomes credit; any other action waits for an operator. Throws like `completeTask`.
 */
export async function failTask(
  tx: Tx,
  key: TaskKey,
  { userId, reason }: Staff & { reason: string },
  now: Instant,
): Promise<void> {
  const { task, service } = await lockTaskOf(tx, key)
  assertMayClose(task, userId)
  await updateTask(tx, task, { ...claimOf(task, userId, now), failedAt: now, failure: reason })
  const { tenantId, serviceId, upgradeId } = task
  const failure = { code: 'not_done', detail: reason, at: now }
  if (task.action === 'create') return failCreation(tx, service, now)
  if (task.action === 'change') {
    if (upgradeId) await failUpgrade(tx, { tenantId, id: upgradeId }, failure, now)
    return
  }
  await updateTransition(
    tx,
    { tenantId, serviceId },
    { nextAt: null, alertedAt: now, lastError: failure },
  )
}
