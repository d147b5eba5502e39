import type { Instant } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import { provisioningFaults } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { listBlueprints, markSellable, type ProductKey } from './queries.ts'

/**
 * Brings what is sold to what can be delivered: products of which a server can be made are sold from now
 * on, others no longer, and staff are notified of each that was sold until now. Services go on. Checks
 * every product of the tenant, or one.
 */
export async function reviewProducts(
  tx: Tx,
  which: Pick<ProductKey, 'tenantId'> & { id?: string },
  now: Instant,
): Promise<void> {
  const { tenantId } = which
  await lockOffer(tx, tenantId)
  const products = await listBlueprints(tx, which)
  const faults = await provisioningFaults(
    tx,
    tenantId,
    products.map(({ provisioning }) => provisioning),
  )
  const judged = products.map((product, index) => ({ ...product, faults: faults[index] ?? [] }))
  const sound = judged.filter((it) => it.faults.length === 0 && it.sellableSince === null)
  const faulty = judged.filter((it) => it.faults.length > 0 && it.sellableSince !== null)
  await markSellable(tx, tenantId, idsOf(sound), now)
  await markSellable(tx, tenantId, idsOf(faulty), null)
  for (const { id, name, faults: found } of faulty) {
    const facts = { name, faults: found.map(({ path, message }) => `${path} ${message}`) }
    const link = `/admin/products/${id}`
    await notifyAdmins(tx, { tenantId, topic: 'product_not_sold' as const, facts, link }, now)
  }
}

function idsOf(products: readonly { id: string }[]): string[] {
  return products.map(({ id }) => id)
}
