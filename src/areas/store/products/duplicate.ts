import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { findImage, insertImage } from '../images/queries.ts'
import { copyGroupsOf } from '../option-groups/queries.ts'
import { insertPlan, listPlansOf, replacePrices } from '../plans/queries.ts'
import type { PlanRow } from '../plans/rules.ts'
import { freeSlug, reviewed } from './actions.ts'
import {
  findProductOnSale,
  insertProduct,
  type ProductKey,
  type ProductRow,
  type ProductWithPlans,
} from './queries.ts'

/**
 * Creates a draft with another name from a product: its plans with their prices, options, locations, picture and texts
 * are copied. Services, and the webhook of the delivery with its secret, are not. 404 for an archived product.
 */
export async function duplicateProduct(
  tx: Tx,
  key: ProductKey,
  { name }: { name: string },
  now: Instant,
): Promise<ProductWithPlans> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const original = await findProductOnSale(tx, key)
  if (!original) throw notFound('Product')
  const id = newId()
  const slug = await freeSlug(tx, { tenantId, id }, name)
  const imageId = await copiedImage(tx, original, now)
  const translations = withoutNames(original.translations)
  await insertProduct(tx, {
    ...original,
    ...{ id, slug, name, imageId, translations, createdAt: now },
    ...{ archivedAt: null, publishedAt: null, sellableSince: null },
  })
  await copyGroupsOf(tx, key, id)
  for (const plan of await listPlansOf(tx, tenantId, [key.id])) {
    await copyPlan(tx, plan, { productId: id }, now)
  }
  return reviewed(tx, { tenantId, id }, now)
}

/** The texts in other languages without the names: the copy has another name in all of them. */
function withoutNames(translations: ProductRow['translations']): ProductRow['translations'] {
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { name: _name, searchTitle: _title, ...texts }]) => [
      locale,
      texts,
    ]),
  )
}

/** The id of a copy of a product's picture, which belongs to it alone; null if it has none. */
async function copiedImage(
  tx: Tx,
  { tenantId, imageId }: ProductRow,
  now: Instant,
): Promise<string | null> {
  const image = imageId && (await findImage(tx, { tenantId, id: imageId }))
  if (!image) return null
  const id = newId()
  await insertImage(tx, { ...image, id, createdAt: now })
  return id
}

async function copyPlan(
  tx: Tx,
  { prices, ...plan }: PlanRow,
  { productId }: { productId: string },
  now: Instant,
): Promise<void> {
  const { tenantId, name, interval, intervalCount, priceCents, priceMicros, currency } = plan
  const { setupFeeCents, trialDays } = plan
  const id = newId()
  await insertPlan(tx, {
    ...{ tenantId, id, productId, name, interval, intervalCount, priceCents, priceMicros },
    ...{ currency, setupFeeCents, trialDays, createdAt: now },
  })
  await replacePrices(tx, { tenantId, id }, prices)
}
