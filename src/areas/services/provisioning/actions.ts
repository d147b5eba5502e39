import { conflict } from '#lib/problem.ts'
import { type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import { markPlaced, type PanelFailure, type PanelServer } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { activateService } from '../activation.ts'
import { askSystem } from '../deliveries/asking.ts'
import { serviceFailed, serviceRemade } from '../events.ts'
import { lockService, type ServiceRow, updateService } from '../queries.ts'
import { assertMayBecome, assertServer, mayBecome, statusOf } from '../rules.ts'
import { askForDelivery } from '../tasks/asking.ts'
import { provision } from './jobs.ts'
import { type ProvisioningKey, updateProvisioning, upsertProvisioning } from './queries.ts'

/** Begins the way of a paid service to its server, in the transaction that started it. */
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
 * Tries a failed service again, for an operator. A server that an earlier try may have left behind
 * is looked for first, and long enough; what is delivered without a panel is asked for again. Throws 409 for a service
 * that has not failed.
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
    // Its panel was disconnected: it gets a server on another one.
    ...(service.nodeId === null && forgotten),
  })
  if (delivery === 'manual') return askForDelivery(tx, service, now)
  if (delivery === 'webhook') return askSystem(tx, service, { action: 'create' }, now)
  const begun = { now, uncertainSince: now, byStaff: true }
  await upsertProvisioning(tx, { tenantId, serviceId }, begun)
  await enqueue(tx, provision, { tenantId, serviceId })
}

/**
 * Makes the server of a locked, active service anew: it is not on its panel any more. Throws 409 for one
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

/** Sets the next look at a service, and the job that does it. */
export async function continueAt(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  change: Parameters<typeof updateProvisioning>[2] & { nextAt: Instant },
  now: Instant,
): Promise<void> {
  await updateProvisioning(tx, { tenantId, serviceId }, { ...change, leaseUntil: null })
  const seconds = Math.max(0, (millis(change.nextAt) - millis(now)) / SECOND_MS)
  const options = { startAfterSeconds: Math.ceil(seconds), key: serviceId }
  await enqueue(tx, provision, { tenantId, serviceId }, options)
}

/** Notes the server the panel made, before its installation has ended. */
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

/** The panel has confirmed the installation: the service is active, and its people are told. */
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
 * The server is not tried again: the customer and the operators are told. The payment stands, until staff or the
 * settings of the shop return it. `serverMayExist` is false only where no earlier call can have made one.
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

/** What a customer reads; what the panel said is for operators. */
const CUSTOMER_TEXT = 'The server could not be set up. We are looking into it.'

/** Tells the operators, once for each way to a server, that it waits for what only they can do. */
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

/** How long one step may hold a service: longer than the panel may take to answer. */
export function leaseEnd(now: Instant): Instant {
  return later(now, 150 * SECOND_MS)
}

/** What a service keeps of its server. */
export function serverFacts({ id, uuid, identifier, allocations, allocationId }: PanelServer) {
  const primary = allocations.find((allocation) => allocation.id === allocationId)
  const address = primary ? `${primary.alias ?? primary.ip}:${primary.port}` : null
  return { serverId: id, serverUuid: uuid, identifier, address }
}
