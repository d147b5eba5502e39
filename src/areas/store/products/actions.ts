import { newId } from '#lib/id.ts'
import { badRequest, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { assertProvisioning } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { findCategory } from '../categories/queries.ts'
import { refusingDouble, slugOf, unknownReference } from '../checks.ts'
import { archivePlansOf } from '../plans/queries.ts'
import { findTaxRate } from '../tax-rates/queries.ts'
import {
  archiveProduct,
  deleteUpgradesTo,
  findProductBySlug,
  insertProduct,
  listProductsByIds,
  lockProduct,
  type ProductKey,
  type ProductWithPlans,
  updateProduct,
  updateTaxRateOf,
  withPlans,
} from './queries.ts'
import type { BulkTaxRate, NewProduct, ProductChange } from './schema.ts'

const TAKEN = {
  constraint: 'products_slug',
  code: 'slug_taken' as const,
  message: 'Another product has this slug.',
}

/** Adds a product; without a slug it gets one from its name. 400 for unknown ids, 409. */
export async function createProduct(
  tx: Tx,
  { tenantId }: { tenantId: string },
  product: NewProduct,
  now: Instant,
): Promise<ProductWithPlans> {
  await assertReferences(tx, tenantId, product)
  const id = newId()
  const slug = product.slug ?? (await freeSlug(tx, { tenantId, id }, product.name))
  const row = { ...product, tenantId, id, slug, createdAt: now }
  return { ...(await refusingDouble(TAKEN, insertProduct(tx, row))), plans: [] }
}

/** Changes a product. 404, 400 for unknown ids, 409 when the slug is taken. */
export async function changeProduct(
  tx: Tx,
  key: ProductKey,
  change: ProductChange,
): Promise<ProductWithPlans | undefined> {
  const before = await lockProduct(tx, key)
  if (!before) throw notFound('Product')
  await assertReferences(tx, key.tenantId, change, before)
  const product = await refusingDouble(TAKEN, updateProduct(tx, key, change))
  const [complete] = await withPlans(tx, key.tenantId, [product])
  return complete
}

/** Takes a product and its plans off sale; services that have it keep it. 404. */
export async function removeProduct(tx: Tx, key: ProductKey, now: Instant) {
  const { tenantId, id } = key
  if (!(await archiveProduct(tx, key, now))) throw notFound('Product')
  await archivePlansOf(tx, { tenantId, productId: id }, now)
  await deleteUpgradesTo(tx, key)
  return { id, deleted: true }
}

/**
 * Gives several products another tax rate, or none, at once: all of them or nothing. Answers how
 * many were updated; 400 for unknown ids. Issued invoices stay as they are (R2.7).
 */
export async function bulkUpdateTaxRate(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { productIds, categoryId, taxRateId }: BulkTaxRate,
): Promise<{ updated: number }> {
  if ((productIds === undefined) === (categoryId === undefined)) {
    throw badRequest('Name either productIds or categoryId.')
  }
  await assertReferences(tx, tenantId, { taxRateId, ...(categoryId && { categoryId }) })
  const which = { tenantId, ...(productIds ? { productIds } : categoryId && { categoryId }) }
  const updated = await updateTaxRateOf(tx, which, taxRateId)
  if (productIds && updated < productIds.length) throw unknownReference('productIds')
  return { updated }
}

type References = Pick<
  ProductChange,
  'categoryId' | 'taxRateId' | 'upgradeTargetIds' | 'provisioning'
>

/** Throws 400 for an id this tenant does not have; an archived rate a product has may stay. */
async function assertReferences(
  tx: Tx,
  tenantId: string,
  { categoryId, taxRateId, upgradeTargetIds = [], provisioning }: References,
  before: Omit<References, 'provisioning'> = {},
): Promise<void> {
  if (provisioning) await assertProvisioning(tx, tenantId, provisioning)
  if (categoryId && !(await findCategory(tx, { tenantId, id: categoryId }))) {
    throw unknownReference('categoryId')
  }
  const newRate = taxRateId !== before.taxRateId
  if (taxRateId && newRate && !(await findTaxRate(tx, { tenantId, id: taxRateId }))) {
    throw unknownReference('taxRateId')
  }
  if (upgradeTargetIds.length === 0) return
  const targets = await listProductsByIds(tx, tenantId, upgradeTargetIds)
  if (targets.length < upgradeTargetIds.length) throw unknownReference('upgradeTargetIds')
}

async function freeSlug(tx: Tx, { tenantId, id }: ProductKey, name: string): Promise<string> {
  const slug = slugOf(name)
  const taken = await findProductBySlug(tx, { tenantId, slug })
  return taken ? `${slug}-${id.slice(-6)}` : slug
}
