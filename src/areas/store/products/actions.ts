import { newId } from '#lib/id.ts'
import { badRequest, conflict, type Detail, notFound, unprocessable } from '#lib/problem.ts'
import { slugOf } from '#lib/slug.ts'
import type { Instant } from '#lib/time.ts'
import { assertProvisioning, listLocationsAmong } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { findCategory } from '../categories/queries.ts'
import { refusingDouble, unknownReference } from '../checks.ts'
import { writeTarget } from '../delivery-targets/actions.ts'
import { assertTogetherWith } from '../options/offer.ts'
import { archivePlansOf, restorePlansOf } from '../plans/queries.ts'
import { findTaxRate } from '../tax-rates/queries.ts'
import { faultsOfProducts } from './faults.ts'
import {
  archiveProduct,
  deleteUpgradesTo,
  findProduct,
  findProductBySlug,
  findProductOnSale,
  insertProduct,
  listProductsByIds,
  lockProduct,
  lockTaxRatesOf,
  markPublished,
  type ProductKey,
  type ProductWithPlans,
  restoreProductRow,
  updateProduct,
  updateTaxRateOf,
  withPlans,
} from './queries.ts'
import {
  type BulkTaxRate,
  type BulkUpdated,
  MAX_LISTED,
  type NewProduct,
  type ProductChange,
} from './schema.ts'
import { reviewProducts } from './sellable.ts'

const TAKEN = {
  constraint: 'products_slug',
  code: 'slug_taken' as const,
  message: 'Another product has this slug.',
}

/** Adds a product as a draft; without a slug it gets one from its name. 400 for unknown ids, 409. */
export async function createProduct(
  tx: Tx,
  { tenantId }: { tenantId: string },
  product: NewProduct,
  now: Instant,
): Promise<ProductWithPlans> {
  await assertReferences(tx, tenantId, product)
  assertDelivered(product)
  if (product.provisioning) await assertProvisioning(tx, tenantId, product.provisioning)
  const id = newId()
  const slug = product.slug ?? (await freeSlug(tx, { tenantId, id }, product.name))
  const periodStarts = product.periodStarts ?? periodStartsFor(product.delivery)
  const { webhook, locations, ...fields } = product
  const where = locations && { locationIds: locations }
  const row = { ...fields, ...where, tenantId, id, slug, periodStarts, createdAt: now }
  await refusingDouble(TAKEN, insertProduct(tx, row))
  if (webhook) {
    const written = { target: webhook, isNeeded: false }
    await writeTarget(tx, { tenantId, productId: id }, written)
  }
  return reviewed(tx, { tenantId, id }, now)
}

/**
 * Changes a product; `isSold` is whether a service was ever created from it. 404, 400 for unknown ids, 409 for a slug
 * that is taken and for another delivery of a product that was sold.
 */
export async function changeProduct(
  tx: Tx,
  key: ProductKey,
  { isSold, webhook, locations, ...change }: ProductChange & { isSold: boolean },
  now: Instant,
): Promise<ProductWithPlans> {
  const { tenantId } = key
  // Before the product's own row: a review of products locks them in this order.
  await lockOffer(tx, tenantId)
  if (change.provisioning) await assertProvisioning(tx, tenantId, change.provisioning)
  const before = await lockProduct(tx, key)
  if (!before) throw notFound('Product')
  if (isSold && change.delivery !== undefined && change.delivery !== before.delivery) {
    throw conflict('The delivery of a product that was sold is fixed.', 'delivery_fixed')
  }
  assertDelivered({ ...before, locations: locations ?? before.locationIds, ...change })
  await assertReferences(
    tx,
    tenantId,
    { ...change, ...(locations && { locations }) },
    { ...before, locations: before.locationIds },
  )
  const isOther = change.delivery !== undefined && change.delivery !== before.delivery
  const periodStarts = change.periodStarts ?? periodStartsFor(change.delivery)
  const where = locations && { locationIds: locations }
  const written = { ...change, ...where, ...(isOther && { periodStarts }) }
  await refusingDouble(TAKEN, updateProduct(tx, key, written))
  if (webhook !== undefined) {
    const isNeeded = isSold && before.delivery === 'webhook'
    await writeTarget(tx, { tenantId, productId: key.id }, { target: webhook, isNeeded })
  }
  return reviewed(tx, key, now)
}

/**
 * Publishes a draft, so that it is listed and sold; a published product stays as it is. 404, and 422
 * `product_incomplete` that names everything that is missing.
 */
export async function publishProduct(
  tx: Tx,
  key: ProductKey,
  now: Instant,
): Promise<ProductWithPlans> {
  const product = await lockForOffer(tx, key)
  if (product.publishedAt === null) {
    const [faults] = await faultsOfProducts(tx, key.tenantId, [product])
    if (faults && faults.publishing.length > 0) throw incomplete(faults.publishing)
    await markPublished(tx, key, now)
  }
  return reviewed(tx, key, now)
}

/** Turns a product into a draft, which is neither listed nor sold; its services continue. 404. */
export async function unpublishProduct(
  tx: Tx,
  key: ProductKey,
  now: Instant,
): Promise<ProductWithPlans> {
  await lockForOffer(tx, key)
  await markPublished(tx, key, null)
  return reviewed(tx, key, now)
}

/** The product, locked after the tenant's offer: a review of products locks them in this order. */
async function lockForOffer(tx: Tx, key: ProductKey) {
  await lockOffer(tx, key.tenantId)
  const product = await lockProduct(tx, key)
  if (!product) throw notFound('Product')
  return product
}

function incomplete(faults: Detail[]) {
  const [first] = faults
  const message = `The product is incomplete: ${first?.path} ${first?.message}.`
  return unprocessable(message, 'product_incomplete', faults)
}

/** Returns a product that was just written, after putting it on sale if it is published and without faults. */
export async function reviewed(tx: Tx, key: ProductKey, now: Instant): Promise<ProductWithPlans> {
  await reviewProducts(tx, key, now)
  const product = await findProductOnSale(tx, key)
  const [complete] = await withPlans(tx, key.tenantId, product ? [product] : [])
  if (!complete) throw notFound('Product')
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
 * Turns an archived product into a draft, with the plans that were archived together with it; a product that is not
 * archived stays as it is. 404, 409 for a slug that another product has now and `option_twice` for groups of options
 * that have the same key now.
 */
export async function restoreProduct(
  tx: Tx,
  key: ProductKey,
  now: Instant,
): Promise<ProductWithPlans> {
  const { tenantId, id } = key
  await lockOffer(tx, tenantId)
  const product = await findProduct(tx, key)
  if (!product) throw notFound('Product')
  const { archivedAt } = product
  if (archivedAt) {
    await refusingDouble(TAKEN, restoreProductRow(tx, key))
    await restorePlansOf(tx, { tenantId, productId: id }, archivedAt)
    await assertTogetherWith(tx, tenantId, product)
  }
  return reviewed(tx, key, now)
}

/**
 * Gives several products another tax rate, or none, at once: all of them or none. Returns how many were updated and the
 * first of them; 400 for unknown ids. Issued invoices stay as they are (R2.7).
 */
export async function bulkUpdateTaxRate(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { productIds, categoryId, taxRateId }: Omit<BulkTaxRate, 'dryRun'>,
): Promise<Omit<BulkUpdated, 'dryRun'>> {
  if ((productIds === undefined) === (categoryId === undefined)) {
    throw badRequest('Name either productIds or categoryId.')
  }
  await assertReferences(tx, tenantId, { taxRateId, ...(categoryId && { categoryId }) })
  const which = { tenantId, ...(productIds ? { productIds } : categoryId && { categoryId }) }
  const found = await lockTaxRatesOf(tx, which)
  if (productIds && found.length < productIds.length) throw unknownReference('productIds')
  const changed = found.filter((product) => product.taxRateId !== taxRateId)
  const ids = changed.map(({ id }) => id)
  await updateTaxRateOf(tx, tenantId, ids, taxRateId)
  const rows = changed
    .slice(0, MAX_LISTED)
    .map(({ id, name, taxRateId: before }) => ({ id, name, before, after: taxRateId }))
  return { updated: changed.length, unchanged: found.length - changed.length, rows }
}

/** When the periods of a product with this delivery begin, unless staff choose otherwise. */
function periodStartsFor(delivery: ProductChange['delivery']): 'payment' | 'delivery' {
  return delivery === 'manual' ? 'delivery' : 'payment'
}

/** Throws 422 for a product without a server that has settings for how or where servers are made. */
function assertDelivered({
  delivery,
  provisioning,
  locations = [],
}: Pick<ProductChange, 'delivery' | 'provisioning' | 'locations'>) {
  if (!delivery || delivery === 'server') return
  const details = [
    ...(provisioning ? [{ path: 'provisioning', message: 'must be null for this delivery' }] : []),
    ...(locations.length > 0
      ? [{ path: 'locations', message: 'must be empty for this delivery' }]
      : []),
  ]
  if (details.length === 0) return
  const message =
    'A product that is delivered without a server has no provisioning and no locations.'
  throw unprocessable(message, 'provisioning_invalid', details)
}

type References = Pick<ProductChange, 'categoryId' | 'taxRateId' | 'upgradeTargetIds' | 'locations'>

/**
 * Throws 400 for an id this tenant does not have; an archived rate or location that the product already has may stay.
 */
async function assertReferences(
  tx: Tx,
  tenantId: string,
  { categoryId, taxRateId, upgradeTargetIds = [], locations = [] }: References,
  before: References = {},
): Promise<void> {
  if (categoryId && !(await findCategory(tx, { tenantId, id: categoryId }))) {
    throw unknownReference('categoryId')
  }
  const newRate = taxRateId !== before.taxRateId
  if (taxRateId && newRate && !(await findTaxRate(tx, { tenantId, id: taxRateId }))) {
    throw unknownReference('taxRateId')
  }
  const added = locations.filter((id) => !before.locations?.includes(id))
  const found = added.length > 0 ? await listLocationsAmong(tx, tenantId, added) : []
  if (found.filter(({ archivedAt }) => archivedAt === null).length < added.length) {
    throw unknownReference('locations')
  }
  if (upgradeTargetIds.length === 0) return
  const targets = await listProductsByIds(tx, tenantId, upgradeTargetIds)
  if (targets.length < upgradeTargetIds.length) throw unknownReference('upgradeTargetIds')
}

/** A slug made of a name; with a part of the id if another product has it. */
export async function freeSlug(
  tx: Tx,
  { tenantId, id }: ProductKey,
  name: string,
): Promise<string> {
  const slug = slugOf(name)
  const taken = await findProductBySlug(tx, { tenantId, slug })
  return taken ? `${slug}-${id.slice(-6)}` : slug
}
