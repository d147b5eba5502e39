import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer, sellerOf } from '#tenants'
import { assertCurrency, unknownReference } from '../checks.ts'
import { findProductOnSale } from '../products/queries.ts'
import { reviewProducts } from '../products/sellable.ts'
import {
  archivePlan,
  findPlan,
  insertPlan,
  lockPlan,
  type PlanKey,
  replacePrices,
  restorePlanRow,
  updatePlan,
} from './queries.ts'
import { assertConsistent, assertSameCycle, type PlanPrice, type PlanRow } from './rules.ts'
import type { NewPlan, PlanChange } from './schema.ts'

/** Adds a plan to a product, in the seller's currency if none is given. 400, 422. */
export async function createPlan(
  tx: Tx,
  { tenantId }: { tenantId: string },
  plan: NewPlan,
  now: Instant,
): Promise<PlanRow> {
  const { currency = (await sellerOf(tx, tenantId)).currency } = plan
  const { prices = [], intervalCount = 1, trialDays = 0, priceMicros = null, ...rest } = plan
  const { setupFeeCents = cents(0) } = plan
  const terms = { ...rest, intervalCount, trialDays, priceMicros, currency, setupFeeCents }
  const row = { ...terms, tenantId, id: newId(), createdAt: now }
  const others = prices.map(completed)
  assertSound({ ...row, prices: others })
  // Before the rows of products and plans: a review of products locks them in this order.
  await lockOffer(tx, tenantId)
  const product = await findProductOnSale(tx, { tenantId, id: plan.productId })
  if (!product) throw unknownReference('productId')
  await insertPlan(tx, row)
  await replacePrices(tx, row, others)
  await reviewProducts(tx, { tenantId, id: product.id }, now)
  return { ...row, archivedAt: null, prices: others }
}

/** Changes a plan for new orders; services that have it keep their price. 404, 422. */
export async function changePlan(
  tx: Tx,
  key: PlanKey,
  change: PlanChange,
  now: Instant,
): Promise<PlanRow> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const plan = await lockPlan(tx, key)
  if (!plan) throw notFound('Plan')
  assertSameCycle(plan, change)
  const { prices, ...fields } = change
  const others = prices?.map(completed) ?? plan.prices
  const changed = { ...plan, ...fields, prices: others }
  assertSound(changed)
  await updatePlan(tx, key, fields)
  if (prices) await replacePrices(tx, key, others)
  await reviewProducts(tx, { tenantId, id: plan.productId }, now)
  return changed
}

/** Takes a plan off sale; services that have it keep it. 404. */
export async function removePlan(tx: Tx, key: PlanKey, now: Instant) {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const plan = await archivePlan(tx, key, now)
  if (!plan) throw notFound('Plan')
  await reviewProducts(tx, { tenantId, id: plan.productId }, now)
  return { id: key.id, deleted: true }
}

/** Puts an archived plan on sale again; a plan on sale stays as it is. 404, 409 while its product is archived. */
export async function restorePlan(tx: Tx, key: PlanKey, now: Instant): Promise<PlanRow> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const plan = await findPlan(tx, key)
  if (!plan) throw notFound('Plan')
  if (!(await findProductOnSale(tx, { tenantId, id: plan.productId }))) {
    throw conflict('The product of this plan is archived. Restore the product first.')
  }
  await restorePlanRow(tx, key)
  await reviewProducts(tx, { tenantId, id: plan.productId }, now)
  return { ...plan, archivedAt: null }
}

function assertSound(plan: Parameters<typeof assertConsistent>[0]): void {
  assertCurrency(plan.currency)
  for (const [index, { currency }] of plan.prices.entries()) {
    assertCurrency(currency, `prices.${index}.currency`)
  }
  assertConsistent(plan)
}

type GivenPrice = NonNullable<NewPlan['prices']>[number]

function completed({ currency, priceCents, ...rest }: GivenPrice): PlanPrice {
  const { setupFeeCents = cents(0), priceMicros = null } = rest
  return { currency, priceCents, setupFeeCents, priceMicros }
}
