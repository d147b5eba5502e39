import { conflict } from '#lib/problem.ts'
import { type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import { markPlaced, type PanelFailure, type PanelServer } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { activateService } from '../activation.ts'
import { createSystemRequest } from '../deliveries/asking.ts'
import { serviceFailed, serviceRemade } from '../events.ts'
import { lockService, type ServiceRow, updateService } from '../queries.ts'
import { assertMayBecome, assertServer, mayBecome, statusOf } from '../rules.ts'
import { requestDelivery } from '../tasks/asking.ts'
import { provision } from '../work.ts'
import { recordAttempt } from './attempts.ts'
import { type ProvisioningKey, updateProvisioning, upsertProvisioning } from './queries.ts'

/** Begins to provision the server of a paid service, in the transaction that started the service. */
export async function queueProvisioning(
  tx: Tx,
  { tenantId, id: serviceId }: Pick<ServiceRow, 'tenantId' | 'id'>,
  now: Instant,
  { byStaff = false }: { byStaff?: boolean } = {},
): Promise<void> {
  await upsertProvisioning(tx, { tenantId, serviceId }, { now, uncertainSince: null, byStaff })
  await enqueue(tx, provision, { tenantId, serviceId })
}

/**
 * Tries a failed service again, for an operator. First, for long enough, a server is looked for that an earlier try may
 * have left behind; a service that is delivered without a panel is requested again. Throws 409 for a service that has
 * not failed.
 */
export async function reprovision(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const { delivery } = service
  if (delivery !== 'manual' && delivery !== 'webhook') assertServer(service)
  const status = statusOf(service)
  if (status !== 'failed') {
    throw conflict(`This service is ${status}; only a failed one is set up again.`, 'wrong_state')
  }
  const { tenantId, id: serviceId } = service
  const forgotten = { serverId: null, serverUuid: null, identifier: null, address: null }
  await updateService(tx, service, {
    ...{ failedAt: null, failureCode: null, failureMessage: null },
    // Its panel was disconnected: the service gets a server on another one.
    ...(service.nodeId === null && forgotten),
  })
  if (delivery === 'manual') return requestDelivery(tx, service, now)
  if (delivery === 'webhook') return createSystemRequest(tx, service, { action: 'create' }, now)
  const begun = { now, uncertainSince: now, byStaff: true }
  await upsertProvisioning(tx, { tenantId, serviceId }, begun)
  await enqueue(tx, provision, { tenantId, serviceId })
}

/**
 * Creates the server of a locked, active service again, because it is no longer on its panel. Throws 409 for a service
 * that is not active or needs no server.
 */
export async function remakeServer(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertServer(service)
  assertMayBecome(service, 'provisioning')
  const forgotten = { serverId: null, serverUuid: null, identifier: null, address: null }
  await updateService(tx, service, { ...forgotten, activatedAt: null, serverLostAt: now })
  await queueProvisioning(tx, service, now, { byStaff: true })
  const { tenantId, id: serviceId, userId, orderId } = service
  await emit(tx, serviceRemade, { tenantId, serviceId, userId, orderId })
}

/** Sets the time of the next step of a service, and enqueues the job for it. */
export async function continueAt(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  change: Parameters<typeof updateProvisioning>[2] & { nextAt: Instant },
  now: Instant,
): Promise<void> {
  await updateProvisioning(tx, { tenantId, serviceId }, { ...change, leaseUntil: null })
  if (change.lastError) await recordAttempt(tx, { tenantId, serviceId }, change.lastError)
  const seconds = Math.max(0, (millis(change.nextAt) - millis(now)) / SECOND_MS)
  const options = { startAfterSeconds: Math.ceil(seconds), key: serviceId }
  await enqueue(tx, provision, { tenantId, serviceId }, options)
}

/** Records the server that the panel created, before its installation has ended. */
export async function recordServer(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  server: PanelServer,
  now: Instant,
): Promise<void> {
  await updateService(tx, { tenantId, id: serviceId }, serverFacts(server))
  await markPlaced(tx, { tenantId, id: serviceId }, now)
  const known = { uncertainSince: null, absentAt: null, watchedSince: now, polls: 0 }
  await updateProvisioning(tx, { tenantId, serviceId }, known)
}

/** The panel has confirmed the installation: the service is active, and its owner and members are told. */
export async function activate(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  server: PanelServer,
  now: Instant,
): Promise<void> {
  const service = await lockService(tx, { tenantId, id: serviceId })
  const done = { doneAt: now, nextAt: null, leaseUntil: null }
  await updateProvisioning(tx, { tenantId, serviceId }, done)
  if (!service || !mayBecome(service, 'active') || service.activatedAt) return
  await activateService(tx, service, serverFacts(server), now)
}

/**
 * The server is not tried again: the customer and the operators are told. The payment is kept until it is returned by
 * staff or by the settings of the shop. `serverMayExist` is false only if no earlier call can have created a server.
 */
export async function fail(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  { serverMayExist, ...failure }: PanelFailure & { serverMayExist: boolean },
  now: Instant,
): Promise<void> {
  const service = await lockService(tx, { tenantId, id: serviceId })
  const done = { doneAt: now, nextAt: null, leaseUntil: null, lastError: failure, serverMayExist }
  await updateProvisioning(tx, { tenantId, serviceId }, done)
  await recordAttempt(tx, { tenantId, serviceId }, failure)
  if (!service || !mayBecome(service, 'failed')) return
  const { userId, orderId, name } = service
  await updateService(tx, service, {
    failedAt: now,
    failureCode: failure.code,
    failureMessage: CUSTOMER_TEXT,
  })
  const link = `/servers/${serviceId}`
  await notify(tx, { tenantId, userId, kind: 'service_failed', data: { name }, link }, now)
  await tellOperators(tx, service, { topic: 'setup_failed', failure }, now)
  await emit(tx, serviceFailed, { tenantId, serviceId, userId, orderId })
}

/** The text for customers; the panel's message is for operators. */
const CUSTOMER_TEXT = 'The server could not be set up. We are looking into it.'

/** Tells the operators, once per provisioning, that it waits for something that only they can do. */
export async function alertOperators(
  tx: Tx,
  service: Pick<ServiceRow, 'tenantId' | 'id' | 'name'>,
  failure: PanelFailure,
  now: Instant,
): Promise<void> {
  await tellOperators(tx, service, { topic: 'setup_waits', failure }, now)
  const key = { tenantId: service.tenantId, serviceId: service.id }
  await updateProvisioning(tx, key, { alertedAt: now })
}

async function tellOperators(
  tx: Tx,
  { tenantId, id, name }: Pick<ServiceRow, 'tenantId' | 'id' | 'name'>,
  { topic, failure }: { topic: 'setup_failed' | 'setup_waits'; failure: PanelFailure },
  now: Instant,
): Promise<void> {
  const { code, detail } = failure
  const attention = { tenantId, topic, facts: { name, code, detail } }
  await notifyAdmins(tx, { ...attention, link: `/admin/servers/${id}` }, now)
}

/** When the lease of one step on a service ends: later than the panel may take to answer. */
export function leaseEnd(now: Instant): Instant {
  return later(now, 150 * SECOND_MS)
}

/** What a service stores about its server. */
export function serverFacts({ id, uuid, identifier, allocations, allocationId }: PanelServer) {
  const primary = allocations.find((allocation) => allocation.id === allocationId)
  const address = primary ? `${primary.alias ?? primary.ip}:${primary.port}` : null
  return { serverId: id, serverUuid: uuid, identifier, address }
}
