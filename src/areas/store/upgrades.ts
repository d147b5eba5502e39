import type { Db } from '#platform/database/index.ts'
import {
  findProduct,
  listProductsByIds,
  type ProductWithPlans,
  withPlans,
} from './products/queries.ts'

/**
 * The products that a service on this one may upgrade to, hidden ones too, with their plans on
 * sale. The product itself may be off sale already; undefined when there never was one.
 */
export async function upgradeTargetsOf(
  db: Db,
  { tenantId, productId }: { tenantId: string; productId: string },
): Promise<ProductWithPlans[] | undefined> {
  const product = await findProduct(db, { tenantId, id: productId })
  if (!product) return undefined
  const targets = await listProductsByIds(db, tenantId, product.upgradeTargetIds)
  return withPlans(db, tenantId, targets)
}
