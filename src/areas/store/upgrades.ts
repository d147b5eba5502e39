import type { Db } from '#platform/database/index.ts'
import {
  findProduct,
  listProductsSold,
  type ProductWithPlans,
  withPlans,
} from './products/queries.ts'

/**
 * The products that a service on this one may upgrade to, hidden ones too, with their plans on sale. What cannot be
 * delivered, or is delivered in another way, is left out. The product itself may be off sale already; undefined if
 * there never was one.
 */
export async function upgradeTargetsOf(
  db: Db,
  { tenantId, productId }: { tenantId: string; productId: string },
): Promise<ProductWithPlans[] | undefined> {
  const product = await findProduct(db, { tenantId, id: productId })
  if (!product) return undefined
  const targets = await listProductsSold(db, tenantId, product.upgradeTargetIds)
  const alike = targets.filter(({ delivery }) => delivery === product.delivery)
  return withPlans(db, tenantId, alike)
}
