import { HOUSE_REASONS, reasonForStaff } from '#billing'
import type { Cents } from '#lib/money.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import {
  findNode,
  listCandidates,
  listPlaces,
  locationIdsOn,
  moveReservation,
  type PanelServer,
  type Place,
} from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { findProduct } from '#store'
import { resendPending } from '../deliveries/actions.ts'
import { leave } from '../leaving/actions.ts'
import { reprovision, serverFacts } from '../provisioning/actions.ts'
import {
  hurryProvisioning,
  lockProvisioning,
  updateProvisioning,
  upsertProvisioning,
} from '../provisioning/queries.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { assertServer, statusOf } from '../rules.ts'
import { hurryTransition } from '../states/queries.ts'
import { assertNotEnding } from '../states/rules.ts'
import { findOpenUpgrade, updateUpgrade } from '../upgrades/queries.ts'
import { applyUpgrade, changeState, enforceSuspension, provision } from '../work.ts'
import type { RefundOrder, Replacement } from './schema.ts'

/**
 * Continues at once with everything a locked service waits for: its server, a state, a change, a delivery, a renewal.
 * Work that runs right now is not begun a second time. Throws 409 if nothing is waiting.
 */
export async function retryNow(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  if (statusOf(service) === 'failed' && !service.endWantedAt) return reprovision(tx, service, now)
  const { tenantId, id: serviceId } = service
  const key = { tenantId, serviceId }
  const provisioning = await hurryProvisioning(tx, key, now)
  if (provisioning) await enqueue(tx, provision, key, { key: `retry ${serviceId}` })
  const transition = await hurryTransition(tx, key, now)
  if (transition) await enqueue(tx, changeState, key, { key: `retry ${serviceId}` })
  const upgrade = await findOpenUpgrade(tx, tenantId, serviceId)
  if (upgrade?.paidAt) {
    await updateUpgrade(tx, upgrade, { nextAt: now })
    const payload = { tenantId, upgradeId: upgrade.id }
    await enqueue(tx, applyUpgrade, payload, { key: `retry ${upgrade.id}` })
  }
  const resent = await resendPending(tx, service, now)
  const renewal = service.renewalFailure !== null && !service.endedAt
  // The next run tries this renewal, and reports the fault again if it is still there.
  if (renewal) await updateService(tx, service, { nextInvoiceAt: now })
  const isUnderWay = provisioning || transition || upgrade?.paidAt || resent
  if (!isUnderWay && !renewal) {
    throw conflict(
      'Nothing of this service has failed, so there is nothing to retry.',
      'nothing_to_retry',
    )
  }
}

/**
 * Moves the setup of a locked service that has no server yet to another panel connection or to other locations of
 * panels, within the location that its customer chose. A server that an earlier try may have left behind is deleted
 * first, unless that panel is given up. Throws 404 for a connection that does not exist, 409 for a service that has its
 * server or is being worked on, 422 if the connection does not have its egg, and `location_fixed` outside of its
 * location.
 */
export async function replaceServer(
  tx: Tx,
  service: ServiceRow,
  { nodeId, locationIds, abandonServer = false }: Replacement,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId, productId } = service
  assertServer(service)
  if (nodeId && !(await findNode(tx, { tenantId, id: nodeId }))) throw notFound('Node')
  assertSettingUp(service)
  const places = await placesWithin(tx, service, { nodeId, locationIds })
  const key = { tenantId, serviceId }
  const row = await lockProvisioning(tx, key)
  if (row?.linksServer) {
    throw conflict('This server was there before, and cannot be made elsewhere.', 'wrong_state')
  }
  if (row?.leaseUntil && row.leaseUntil > now) {
    throw conflict('It is being set up at this moment. Try again shortly.', 'service_busy')
  }
  const product = await findProduct(tx, { tenantId, id: productId })
  const eggId = product?.provisioning?.eggId
  const nodeIds = nodeId ? [nodeId] : (product?.provisioning?.nodeIds ?? [])
  const candidates = eggId ? await listCandidates(tx, { tenantId, eggId, nodeIds, places }) : []
  if (candidates.length === 0) {
    throw unprocessable('Its egg is not on that panel connection.', 'no_panel', [
      { path: 'nodeId', message: 'does not have the egg of this product' },
    ])
  }
  const leavingNodeId = abandonServer ? null : (row?.leavingNodeId ?? service.nodeId)
  const uncertainSince = abandonServer ? null : (row?.uncertainSince ?? null)
  await updateService(tx, service, {
    ...{ failedAt: null, failureCode: null, failureMessage: null },
    ...{ serverId: null, serverUuid: null, identifier: null, address: null },
    nodeId: nodeId ?? null,
  })
  if (nodeId) {
    const provisioning = { locationIds: locationIds ?? product?.provisioning?.locationIds ?? [] }
    const there = locationIdsOn({ ...provisioning, places }, nodeId)
    await moveReservation(tx, { tenantId, id: serviceId, nodeId, locationIds: there })
  }
  await upsertProvisioning(tx, key, { now, uncertainSince, byStaff: true })
  await updateProvisioning(tx, key, { leavingNodeId, locationIds: locationIds ?? null })
  await enqueue(tx, provision, key)
}

/**
 * The places of a service's location where a new server may be created; null without a location. Throws 422
 * `location_fixed` if staff name a connection or locations of a panel outside of it.
 */
async function placesWithin(
  tx: Tx,
  { tenantId, locationId }: ServiceRow,
  { nodeId, locationIds }: { nodeId: string | undefined; locationIds: string[] | undefined },
): Promise<Place[] | null> {
  if (locationId === null) return null
  const all = await listPlaces(tx, tenantId, [locationId])
  const places = all.filter(
    (it) =>
      (nodeId === undefined || it.nodeId === nodeId) &&
      (locationIds === undefined || locationIds.includes(it.remoteId)),
  )
  const outside = locationIds?.some((id) => !all.some(({ remoteId }) => remoteId === id))
  if (places.length > 0 && !outside) return places
  const path = nodeId !== undefined && places.length === 0 ? 'nodeId' : 'locationIds'
  const message = 'The server must stay in the location that its customer chose.'
  throw unprocessable(message, 'location_fixed', [
    { path, message: 'is outside of the location of the service' },
  ])
}

/**
 * Gives back what was paid for a locked service that could not be set up, and ends it; a server that may exist is
 * deleted. If its server was lost, the time before the loss stays paid. Returns the refund in cents. Throws 409 for a
 * service that has its server: that one is terminated, and its invoices are refunded.
 */
export async function refundService(
  tx: Tx,
  service: ServiceRow,
  { to, reason: written }: RefundOrder,
  now: Instant,
): Promise<Cents> {
  assertSettingUp(service)
  const reason = written === undefined ? HOUSE_REASONS.notSetUp : { written }
  await updateService(tx, service, { cancelReason: reasonForStaff(reason) })
  const ending = { way: 'given_up', endReason: 'refunded', keepsData: false } as const
  return (await leave(tx, service, { ...ending, reason, to }, now)).returnedCents
}

/** Throws 409 unless a service is paid for, has no server in use and is not about to end. */
function assertSettingUp(service: ServiceRow): void {
  assertNotEnding(service)
  const status = statusOf(service)
  if (status !== 'failed' && status !== 'provisioning') {
    throw conflict(`This service is ${status}.`, 'wrong_state')
  }
}

/**
 * Puts a locked service whose panel connection was deleted on another connection, where its server was just found.
 * Changes that were requested meanwhile are then made. Throws 409 for a service that is on a connection.
 */
export async function attachService(
  tx: Tx,
  service: ServiceRow,
  { nodeId, server }: { nodeId: string; server: PanelServer },
): Promise<void> {
  assertServer(service)
  if (service.endedAt) throw conflict('This service has ended.', 'service_ended')
  // An imported service got its server's name first: its link was interrupted on that connection.
  const isAway = service.serverId !== null || service.imported !== null
  if (service.nodeId !== null || !isAway) {
    throw conflict('This service is on a panel connection.', 'service_managed')
  }
  await updateService(tx, service, { nodeId, ...serverFacts(server) })
  const { tenantId, id: serviceId } = service
  await enqueue(tx, enforceSuspension, { tenantId, serviceId }, { key: serviceId })
}
