import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findProduct } from '#store'
import { lockService } from '../queries.ts'
import { askStaff } from '../tasks/asking.ts'
import { isByHand } from '../tasks/rules.ts'
import { type UpgradeRow, updateUpgrade } from './queries.ts'

/** Asks staff for a paid change of a service that they deliver by hand; false where they have nothing to do. */
export async function askForChange(
  tx: Tx,
  { tenantId, id: upgradeId, serviceId, productId }: UpgradeRow,
  now: Instant,
): Promise<boolean> {
  const service = await lockService(tx, { tenantId, id: serviceId })
  if (service?.delivery !== 'manual' || service.endedAt || service.endWantedAt) return false
  const product = await findProduct(tx, { tenantId, id: service.productId })
  if (productId === service.productId || !isByHand('change', product?.taskActions ?? []))
    return false
  await askStaff(tx, service, { action: 'change', upgradeId }, now)
  // Nothing is tried again: it goes on when the task is done.
  await updateUpgrade(tx, { tenantId, id: upgradeId }, { nextAt: null, leaseUntil: null })
  return true
}
