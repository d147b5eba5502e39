import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { findDeliveryTarget } from '#store'
import type { ServiceRow } from '../queries.ts'
import type { TaskAction } from '../tasks/schema.ts'
import { sendDelivery } from '../work.ts'
import { findDeliveryOf, insertDelivery, updateDelivery } from './queries.ts'
import { confirmBy, isPending, mayBeDone } from './rules.ts'

type Wanted = {
  readonly action: TaskAction
  readonly upgradeId?: string | null
  /** The product whose system is asked; by default that of the service. */
  readonly productId?: string
}

/** Asks the system of a locked service to do something for it. A pending request for the same action stays. */
export async function createSystemRequest(
  tx: Tx,
  service: ServiceRow,
  { action, upgradeId = null, productId = service.productId }: Wanted,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId } = service
  const target = await findDeliveryTarget(tx, { tenantId, productId })
  const id = newId()
  const isNew = await insertDelivery(tx, {
    ...{ tenantId, id, serviceId, productId, action, upgradeId, createdAt: now, nextAt: now },
    confirmBy: confirmBy(target?.confirmHours, now),
  })
  if (isNew) await enqueue(tx, sendDelivery, { tenantId, deliveryId: id })
}

/**
 * Gives up the order for a change of plan. If the system may have made the change, it is asked to return the service to
 * its current plan.
 */
export async function undoChange(
  tx: Tx,
  service: ServiceRow,
  upgradeId: string,
  now: Instant,
): Promise<void> {
  const { tenantId } = service
  const delivery = await findDeliveryOf(tx, { tenantId, id: upgradeId })
  if (!delivery) return
  if (isPending(delivery)) await updateDelivery(tx, delivery, { canceledAt: now })
  if (!mayBeDone(delivery) || service.endedAt || service.endWantedAt) return
  await createSystemRequest(tx, service, { action: 'change', productId: delivery.productId }, now)
}
