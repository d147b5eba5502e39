import type { Instant } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { faultsOfProducts } from './faults.ts'
import { listBlueprints, markSellable, type ProductKey } from './queries.ts'

/**
 * Aligns what is sold with what can be delivered: published products without faults are sold from now on,
 * others no longer, and staff are notified of each published product that was sold until now. Services
 * continue. Checks every product of the tenant, or one.
 */
export async function reviewProducts(
  tx: Tx,
  which: Pick<ProductKey, 'tenantId'> & { id?: string },
  now: Instant,
): Promise<void> {
  const { tenantId } = which
  await lockOffer(tx, tenantId)
  const products = await listBlueprints(tx, which)
  const faults = await faultsOfProducts(tx, tenantId, products)
  const judged = products.map((product, index) => {
    const { sale = [] } = faults[index] ?? {}
    return {
      ...product,
      faults: sale,
      isOffered: product.publishedAt !== null && sale.length === 0,
    }
  })
  const sound = judged.filter((it) => it.isOffered && it.sellableSince === null)
  const ended = judged.filter((it) => !it.isOffered && it.sellableSince !== null)
  await markSellable(tx, tenantId, idsOf(sound), now)
  await markSellable(tx, tenantId, idsOf(ended), null)
  for (const { id, name, faults: found } of ended.filter((it) => it.publishedAt !== null)) {
    const facts = { name, faults: found.map(({ path, message }) => `${path} ${message}`) }
    const link = `/admin/products/${id}`
    await notifyAdmins(tx, { tenantId, topic: 'product_not_sold' as const, facts, link }, now)
  }
}

function idsOf(products: readonly { id: string }[]): string[] {
  return products.map(({ id }) => id)
}
