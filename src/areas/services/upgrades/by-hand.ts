import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { changesBetween } from '../components/rules.ts'
import { createSystemRequest } from '../deliveries/asking.ts'
import { handsOf } from '../fulfilment/hands.ts'
import { lockService } from '../queries.ts'
import { type UpgradeRow, updateUpgrade } from './queries.ts'

/**
 * Asks staff, or a system of the host, to make a paid change of a service that they deliver. Returns false if they have
 * nothing to do. Staff are asked only for another product or other options; a system also for another plan.
 */
export async function requestManualChange(
  tx: Tx,
  { tenantId, id: upgradeId, serviceId, productId, kind, components }: UpgradeRow,
  now: Instant,
): Promise<boolean> {
  const service = await lockService(tx, { tenantId, id: serviceId })
  const hands = service && handsOf(service)
  if (!hands || service.endedAt || service.endWantedAt) return false
  const wanted = { action: 'change' as const, upgradeId }
  if (service.delivery === 'webhook') {
    await createSystemRequest(tx, service, { ...wanted, productId }, now)
  } else {
    const isPlanOnly = kind === 'product' && productId === service.productId
    if (isPlanOnly && changesBetween(service.components, components).length === 0) return false
    if (!(await hands.makes(tx, service, 'change'))) return false
    await hands.ask(tx, service, wanted, now)
  }
  // Nothing is tried again: the change goes on when staff or the system have done it.
  await updateUpgrade(tx, { tenantId, id: upgradeId }, { nextAt: null, leaseUntil: null })
  return true
}
