import type { Instant } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { serviceActivated } from './events.ts'
import { beginFirstPeriod } from './first-period.ts'
import { type ServiceRow, updateService } from './queries.ts'
import { closePaidDebts } from './renewals/queries.ts'

type ServerFacts = Pick<ServiceRow, 'serverId' | 'serverUuid' | 'identifier' | 'address'>

/**
 * Records that a locked service was delivered, with the facts about its server if it has one, and notifies its owner. A
 * period that was to begin with the delivery begins now. The caller has checked that the service may become active.
 */
export async function activateService(
  tx: Tx,
  service: ServiceRow,
  server: ServerFacts | null,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId, userId, orderId, name, delivery } = service
  await updateService(tx, service, { ...server, activatedAt: now, serverLostAt: null })
  if (service.periodStarts === 'delivery' && service.anchorAt === null) {
    await beginFirstPeriod(tx, { ...service, activatedAt: now }, now, now)
    await closePaidDebts(tx, service, now)
  }
  const data = { name, address: server?.address ?? null, delivery }
  const link = `/servers/${serviceId}`
  await notify(tx, { tenantId, userId, kind: 'service_active', data, link }, now)
  await emit(tx, serviceActivated, { tenantId, serviceId, userId, orderId })
}
