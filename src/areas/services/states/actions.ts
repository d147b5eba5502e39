import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import type { PanelFailure } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { endService } from '../actions.ts'
import { serviceReactivated, serviceSuspended } from '../events.ts'
import { settleEnded } from '../leaving/settled.ts'
import { endProvisioning } from '../provisioning/queries.ts'
import { type ServiceKey, type ServiceRow, updateService } from '../queries.ts'
import { mayBecome, statusOf } from '../rules.ts'
import type { SuspendReason } from '../schema.ts'
import { serviceSettings } from '../settings.ts'
import { changeState } from '../work.ts'
import { upsertTransition } from './queries.ts'
import { assertNotEnding, assertSuspendable, type Goal } from './rules.ts'

/** Requests the suspension of a server. It is recorded once the panel has confirmed it. Throws 409 without a server. */
export async function suspendFor(
  tx: Tx,
  service: ServiceRow,
  reason: SuspendReason,
  now: Instant,
): Promise<void> {
  assertSuspendable(service)
  if (service.suspendReasons.includes(reason)) return
  const suspendReasons = [...service.suspendReasons, reason]
  await updateService(tx, service, { suspendReasons })
  await queueTransition(tx, service, now)
}

/**
 * Removes reasons to suspend; if none is left, the server is to be resumed. Throws 409 if the service is about to end.
 */
export async function liftReasons(
  tx: Tx,
  service: ServiceRow,
  reasons: readonly SuspendReason[],
  now: Instant,
): Promise<void> {
  assertNotEnding(service)
  const lifted: readonly string[] = reasons
  const suspendReasons = service.suspendReasons.filter((it) => !lifted.includes(it))
  if (suspendReasons.length === service.suspendReasons.length) return
  await updateService(tx, service, { suspendReasons })
  await queueTransition(tx, service, now)
}

type Ending = {
  reason: NonNullable<ServiceRow['endReason']>
  keepsData: boolean
  /** When it ends; by default now. */
  at?: Instant
}

/**
 * Requests the end of a service: its server, if it has one, is deleted or, if the data is kept for some days, suspended
 * first. The end is recorded once the panel has confirmed it. What is owed and returned is decided by `leave`, which
 * calls this; a termination for non-payment is settled when it is recorded, because a payment may cancel it until then.
 * Throws 409 if the service has ended, or is about to.
 */
export async function wantEnd(
  tx: Tx,
  service: ServiceRow,
  { reason, keepsData, at }: Ending,
  now: Instant,
): Promise<void> {
  assertNotEnding(service)
  await updateService(tx, service, {
    ...{ endWantedAt: at ?? now, endWantedReason: reason },
    // Without a server there is no data to keep, and the service ends at once.
    ...{ endKeepsData: keepsData && service.delivery === 'server', nextInvoiceAt: null },
  })
  // A provisioning step that runs right now is finished, and no other begins.
  await endProvisioning(tx, { tenantId: service.tenantId, serviceId: service.id }, now)
  await queueTransition(tx, service, now)
}

/** Cancels a requested end that would have kept the data, so that nothing is lost. */
export async function unwantEnd(tx: Tx, service: ServiceRow, now: Instant): Promise<ServiceRow> {
  // Its renewals continue: the next run computes when the next invoice is due.
  const wish = { endWantedAt: null, endWantedReason: null, endKeepsData: false }
  const change = { ...wish, nextInvoiceAt: now }
  await updateService(tx, service, change)
  await queueTransition(tx, service, now)
  return { ...service, ...change }
}

/** Stores the work that brings a service to the state it should be in, and enqueues its job. */
export async function queueTransition(
  tx: Tx,
  { tenantId, id: serviceId }: ServiceKey,
  now: Instant,
): Promise<void> {
  await upsertTransition(tx, { tenantId, serviceId }, now)
  await enqueue(tx, changeState, { tenantId, serviceId })
}

/** Records what the panel has confirmed, for a locked service. All of these state changes are recorded only here. */
export async function recordGoal(
  tx: Tx,
  service: ServiceRow,
  goal: Goal,
  now: Instant,
): Promise<void> {
  if (goal === 'active') return recordActive(tx, service, now)
  if (goal === 'suspended') return recordSuspended(tx, service, now)
  if (goal === 'deleted' && service.endedAt) {
    return updateService(tx, service, { serverDeletedAt: now })
  }
  await recordEnd(tx, service, goal, now)
}

async function recordSuspended(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  if (!mayBecome(service, 'suspended')) return
  await updateService(tx, service, { suspendedAt: now })
  const { tenantId, id, userId, orderId, name, suspendReasons, delivery } = service
  const data = { name, unpaid: suspendReasons.includes('unpaid'), delivery }
  const notice = { tenantId, userId, kind: 'service_suspended' as const, data }
  await notify(tx, { ...notice, link: `/servers/${id}` }, now)
  await emit(tx, serviceSuspended, { tenantId, serviceId: id, userId, orderId })
}

async function recordActive(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  if (!mayBecome(service, 'active')) return
  await updateService(tx, service, { suspendedAt: null })
  const { tenantId, id, userId, orderId, name, delivery } = service
  const notice = {
    tenantId,
    userId,
    kind: 'service_reactivated' as const,
    data: { name, delivery },
  }
  await notify(tx, { ...notice, link: `/servers/${id}` }, now)
  await emit(tx, serviceReactivated, { tenantId, serviceId: id, userId, orderId })
}

async function recordEnd(
  tx: Tx,
  service: ServiceRow,
  goal: 'ended' | 'deleted',
  now: Instant,
): Promise<void> {
  const { tenantId, id, userId, name, delivery, endWantedReason } = service
  if (!endWantedReason || !mayBecome(service, 'ended')) return
  const wasServed = statusOf(service) !== 'pending'
  await endService(tx, service, endWantedReason, now)
  const { deleteDataDays } = await settingsOf(tx, tenantId, serviceSettings)
  const deleteServerAt = goal === 'ended' ? later(now, deleteDataDays * DAY_MS) : null
  const serverDeletedAt = goal === 'deleted' ? now : null
  await updateService(tx, service, { deleteServerAt, serverDeletedAt })
  await settleEnded(tx, service, now)
  if (!wasServed) return
  const data = { name, deleteOn: deleteServerAt?.slice(0, 10) ?? null, delivery }
  const notice = { tenantId, userId, kind: 'service_ended' as const, data }
  await notify(tx, { ...notice, link: `/servers/${id}` }, now)
}

/** Tells operators that a service does not reach the state it should have. */
export async function notifyOfStuckService(
  tx: Tx,
  { tenantId, id, name }: ServiceRow,
  { goal, failure }: { goal: Goal; failure: PanelFailure },
  now: Instant,
): Promise<void> {
  const { code, detail } = failure
  const attention = { topic: 'service_stuck' as const, facts: { name, goal, code, detail } }
  await notifyAdmins(tx, { tenantId, ...attention, link: `/admin/servers/${id}` }, now)
}
