import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { type Instant, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { Outcome } from '#platform/webhooks/sending.ts'
import { findDeliveryTarget } from '#store'
import { activateService } from '../activation.ts'
import { deliveryFailed } from '../events.ts'
import { failCreation, recordMove } from '../fulfilment/closing.ts'
import { lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { mayBecome } from '../rules.ts'
import { updateTransition } from '../states/queries.ts'
import { replaceDetails } from '../tasks/queries.ts'
import { keptDetails } from '../tasks/rules.ts'
import { completeUpgrade, failUpgrade } from '../upgrades/actions.ts'
import { sendDelivery } from '../work.ts'
import {
  type DeliveryKey,
  findDelivery,
  insertAttempt,
  isOtherUnderWay,
  lockDelivery,
  lockPendingDeliveries,
  updateDelivery,
} from './queries.ts'
import {
  assertPending,
  type DeliveryRow,
  isPending,
  leaseEnd,
  meaningOf,
  nextTry,
} from './rules.ts'
import type { Done, Result } from './schema.ts'

const BUSY_MS = 2 * SECOND_MS

/** A delivery and its service, locked in this order; undefined for an unknown one. */
async function lockBoth(tx: Tx, key: DeliveryKey) {
  const found = await findDelivery(tx, key)
  const service = found && (await lockService(tx, { ...key, id: found.serviceId }))
  const delivery = service && (await lockDelivery(tx, key))
  return delivery && { delivery, service }
}

/**
 * Leases a delivery to send it once; undefined if it is not due or is being sent. It waits while another delivery of
 * its service is being sent: a system never gets two at once for one service.
 */
export async function leaseDelivery(
  tx: Tx,
  key: DeliveryKey,
  now: Instant,
): Promise<DeliveryRow | undefined> {
  const both = await lockBoth(tx, key)
  if (!both) return undefined
  const { delivery, service } = both
  const isLeased = delivery.leaseUntil !== null && delivery.leaseUntil > now
  const isDue = delivery.nextAt !== null && delivery.nextAt <= now
  if (!isPending(delivery) || isLeased || !isDue) return undefined
  if (await isOtherUnderWay(tx, service, { id: key.id, now })) {
    await sendAt(tx, delivery, later(now, BUSY_MS), now)
    return undefined
  }
  const { sentAt, tries } = delivery
  const taken = { leaseUntil: leaseEnd(now), sentAt: sentAt ?? now, tries: tries + 1 }
  await updateDelivery(tx, key, taken)
  return { ...delivery, ...taken }
}

/** Sends a delivery at a given time: by a job, or by the schedule if the job is lost. */
async function sendAt(tx: Tx, delivery: DeliveryKey, nextAt: Instant, now: Instant): Promise<void> {
  const { tenantId, id: deliveryId } = delivery
  await updateDelivery(tx, delivery, { nextAt })
  const startAfterSeconds = Math.ceil((millis(nextAt) - millis(now)) / SECOND_MS)
  await enqueue(tx, sendDelivery, { tenantId, deliveryId }, { startAfterSeconds })
}

type Tried = Pick<Outcome, 'statusCode' | 'durationMs' | 'retryAfterMs'> & {
  readonly error: string | null
  /** The beginning of the answer. */
  readonly text: string | null
}

/**
 * Records a try and the meaning of its answer: the delivery is done, will be confirmed by a call-back, is refused for
 * good, or is tried again. `random`, from 0 to 1, spreads the next try. A delivery that was closed meanwhile stays as
 * it is.
 */
export async function recordTry(
  tx: Tx,
  key: DeliveryKey,
  { tried, random, secrets }: { tried: Tried; random: number; secrets: Secrets },
  now: Instant,
): Promise<void> {
  const both = await lockBoth(tx, key)
  if (!both) return
  const { delivery, service } = both
  const { tenantId, id: deliveryId } = delivery
  const { statusCode, error, durationMs, retryAfterMs, text } = tried
  const startedAt = instant(millis(now) - durationMs)
  const attempt = { tenantId, id: newId(), deliveryId, startedAt }
  await insertAttempt(tx, { ...attempt, statusCode, error, durationMs })
  await updateDelivery(tx, key, { leaseUntil: null })
  if (!isPending(delivery)) return
  const meaning = meaningOf(statusCode, text)
  if (meaning.is === 'done') {
    return complete(tx, { delivery, service }, { done: meaning.result, secrets }, now)
  }
  if (meaning.is === 'accepted') {
    return updateDelivery(tx, key, { acceptedAt: now, nextAt: null })
  }
  if (meaning.is === 'refused') {
    const failure = { code: 'refused' as const, detail: meaning.reason }
    return giveUp(tx, { delivery, service }, failure, now)
  }
  const nextAt = nextTry(delivery.tries, now, { retryAfterMs, random })
  if (nextAt) return sendAt(tx, delivery, nextAt, now)
  const detail = statusCode === null ? `${error}` : `It answered ${statusCode}.`
  return giveUp(tx, { delivery, service }, { code: 'unanswered', detail }, now)
}

type Both = { readonly delivery: DeliveryRow; readonly service: ServiceRow }

/** Records that a delivery is done, and notifies the customer of its service. */
async function complete(
  tx: Tx,
  { delivery, service }: Both,
  { done, secrets }: { done: Omit<Done, 'outcome'>; secrets: Secrets },
  now: Instant,
): Promise<void> {
  const { reference = null, details } = done
  await updateDelivery(tx, delivery, { doneAt: now, nextAt: null, reference })
  // Handover details are deleted when a service ends.
  const isEnding = service.endedAt !== null || service.endWantedAt !== null
  if (details && !isEnding)
    await replaceDetails(tx, service, keptDetails(secrets, service, details))
  const { tenantId, action, upgradeId } = delivery
  if (action === 'create') {
    // A service that ends meanwhile is ended by the next delivery.
    if (!isEnding && mayBecome(service, 'active')) await activateService(tx, service, null, now)
    return
  }
  if (action !== 'change') return recordMove(tx, service, action, now)
  if (upgradeId) await completeUpgrade(tx, { tenantId, id: upgradeId }, now)
}

type Failure = { code: NonNullable<DeliveryRow['failureCode']>; detail: string }

/**
 * Gives up a delivery for good: a creation has failed, of which the customer is notified; a change is given up and its
 * money becomes credit; any other action waits for an operator. Staff are notified.
 */
async function giveUp(
  tx: Tx,
  { delivery, service }: Both,
  { code, detail }: Failure,
  now: Instant,
): Promise<void> {
  const failed = { failedAt: now, nextAt: null, failureCode: code, failure: detail }
  await updateDelivery(tx, delivery, failed)
  const { tenantId, id, serviceId, action, upgradeId } = delivery
  await emit(tx, deliveryFailed, { tenantId, id, userId: service.userId })
  const failure = { code, detail, at: now }
  if (action === 'change' && upgradeId) {
    // This notifies staff itself.
    return failUpgrade(tx, { tenantId, id: upgradeId }, failure, now)
  }
  await tellStaff(tx, service, { action, code, detail }, now)
  if (action === 'create') {
    if (!service.endWantedAt && mayBecome(service, 'failed')) await failCreation(tx, service, now)
    return
  }
  if (action === 'change') return
  const stopped = { nextAt: null, alertedAt: now, lastError: failure }
  await updateTransition(tx, { tenantId, serviceId }, stopped)
}

async function tellStaff(
  tx: Tx,
  { tenantId, id, name }: ServiceRow,
  facts: { action: DeliveryRow['action']; code: Failure['code'] | 'unconfirmed'; detail: string },
  now: Instant,
): Promise<void> {
  const attention = { tenantId, topic: 'delivery_failed' as const, facts: { name, ...facts } }
  await notifyAdmins(tx, { ...attention, link: `/admin/servers/${id}` }, now)
}

/**
 * Records the result that a system calls back with; repeating the same result changes nothing. Throws 409 if the
 * delivery has another outcome or was canceled. The caller has checked the token.
 */
export async function recordResult(
  tx: Tx,
  key: DeliveryKey,
  { result, secrets }: { result: Result; secrets: Secrets },
  now: Instant,
): Promise<DeliveryRow> {
  const both = await lockBoth(tx, key)
  if (!both) throw notFound('Delivery')
  const { delivery } = both
  const { outcome, reason, ...done } = result
  if (!isPending(delivery)) {
    const isSame = outcome === 'done' ? delivery.doneAt : delivery.failureCode === 'not_done'
    if (!isSame) assertPending(delivery)
    return delivery
  }
  // A system may call back before its own answer has arrived.
  const sent = { sentAt: delivery.sentAt ?? now }
  await updateDelivery(tx, key, sent)
  if (outcome === 'done') await complete(tx, both, { done, secrets }, now)
  else await giveUp(tx, both, { code: 'not_done', detail: reason ?? 'It gave no reason.' }, now)
  return (await findDelivery(tx, key)) ?? delivery
}

/** Sends a delivery again at once, with the same id. Throws 404, and 409 for one that is closed. */
export async function resend(tx: Tx, key: DeliveryKey, now: Instant): Promise<DeliveryRow> {
  const both = await lockBoth(tx, key)
  if (!both) throw notFound('Delivery')
  assertPending(both.delivery)
  await sendAgain(tx, both.delivery, now)
  return (await findDelivery(tx, key)) ?? both.delivery
}

/** Sends all deliveries again that the system of a locked service has not confirmed; returns whether there were any. */
export async function resendPending(tx: Tx, service: ServiceKey, now: Instant): Promise<boolean> {
  const pending = await lockPendingDeliveries(tx, service)
  for (const delivery of pending) await sendAgain(tx, delivery, now)
  return pending.length > 0
}

async function sendAgain(tx: Tx, delivery: DeliveryRow, now: Instant): Promise<void> {
  await updateDelivery(tx, delivery, { tries: 0, acceptedAt: null })
  await sendAt(tx, delivery, now, now)
}

/** Notifies staff, once, of a delivery that its system has not confirmed in time. */
export async function notifyOfLateDelivery(tx: Tx, key: DeliveryKey, now: Instant): Promise<void> {
  const both = await lockBoth(tx, key)
  if (!both) return
  const { delivery, service } = both
  const { alertedAt, productId, tenantId, action } = delivery
  if (!isPending(delivery) || alertedAt !== null || delivery.confirmBy > now) return
  const target = await findDeliveryTarget(tx, { tenantId, productId })
  await updateDelivery(tx, key, { alertedAt: now })
  const detail = target ? new URL(target.url).host : ''
  await tellStaff(tx, service, { action, code: 'unconfirmed', detail }, now)
}
