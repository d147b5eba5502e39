import type { Instant } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { serviceFailed } from '../events.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { assertMayBecome } from '../rules.ts'
import { recordGoal } from '../states/actions.ts'
import { updateTransition } from '../states/queries.ts'
import { assertNotEnding, goalOf } from '../states/rules.ts'
import { actionFor, restoringAction } from '../tasks/rules.ts'
import { changeState } from '../work.ts'
import { handsOf } from './hands.ts'

/** Records that staff or a system have done an action; if it is no longer wanted, they are asked to undo it. */
export async function recordMove(
  tx: Tx,
  service: ServiceRow,
  action: 'suspend' | 'resume' | 'end',
  now: Instant,
): Promise<void> {
  const goal = goalOf(service, now)
  if (!goal || actionFor(goal) !== action) {
    const restoring = restoringAction(service)
    const isAway = !goal && !service.endedAt && action !== restoring
    if (isAway) await handsOf(service)?.ask(tx, service, { action: restoring }, now)
    return
  }
  await recordGoal(tx, service, goal, now)
  const { tenantId, id: serviceId } = service
  await updateTransition(tx, { tenantId, serviceId }, { nextAt: now })
  // This job finds that the state is as wanted, or continues.
  await enqueue(tx, changeState, { tenantId, serviceId })
}

/** The text for customers; what staff or a system wrote is for staff. */
const CUSTOMER_TEXT = 'It could not be delivered. We are looking into it.'

/** Records that a service could not be delivered, and notifies its customer. Throws 409 for a service that ends. */
export async function failCreation(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertNotEnding(service)
  assertMayBecome(service, 'failed')
  const { tenantId, id: serviceId, userId, orderId, name, delivery } = service
  await updateService(tx, service, {
    ...{ failedAt: now, failureCode: 'not_delivered', failureMessage: CUSTOMER_TEXT },
  })
  const link = `/servers/${serviceId}`
  const data = { name, delivery }
  await notify(tx, { tenantId, userId, kind: 'service_failed', data, link }, now)
  await emit(tx, serviceFailed, { tenantId, serviceId, userId, orderId })
}
