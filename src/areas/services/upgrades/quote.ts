import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import { recurs, sameCycle } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  findPlan,
  findProduct,
  type PlanRow,
  type PricedDocument,
  price,
  priceIn,
  type ProductRow,
  plansOf,
  taxContextFor,
  decisionIn,
} from '#store'
import type { ServiceRow } from '../queries.ts'
import { assertActive } from '../rules.ts'
import { type ChangeEffect, effectOf, needsCreditNote, prorate } from './rules.ts'
import type { Proration, UpgradeOrder } from './schema.ts'

type Wanted = Pick<UpgradeOrder, 'productId' | 'planId'>

/** A change of a service as it would be billed now: the preview and the real one are the same. */
export type UpgradeQuote = {
  product: ProductRow
  plan: PlanRow
  /** What a period costs from the change on, in cents. */
  priceCents: PlanRow['priceCents']
  proration: Proration
  document: PricedDocument
  effect: ChangeEffect
}

/**
 * What a change to another product costs now (R4.9). 404 for a product that is not there, 409 for a
 * service that is not active, 422 for a change that is not offered.
 */
export async function quoteUpgrade(
  db: Db,
  service: ServiceRow,
  wanted: Wanted,
  now: Instant,
): Promise<UpgradeQuote> {
  assertActive(service)
  assertProratable(service)
  const { tenantId } = service
  const current = await findProduct(db, { tenantId, id: service.productId })
  const product = await findProduct(db, { tenantId, id: wanted.productId })
  if (!product || product.archivedAt) throw notFound('Product')
  if (!current?.upgradeTargetIds.includes(product.id)) {
    throw unprocessable('This service cannot change to that product.', 'not_an_upgrade_target')
  }
  const plan = await planOf(db, service, product, wanted.planId)
  const { priceCents } = priceIn(plan, service.currency)
  const from = { description: `${current.name}: unused time`, priceCents: service.valueCents }
  const to = { description: `${product.name}: rest of the period`, priceCents }
  const change = prorate({
    ...{ period: periodOf(service), at: now, mode: 'second', currency: service.currency },
    ...{ from, to, laterPaidPeriods: 0 },
  })
  const document = await priced(db, service, { current, product, plan, change }, now)
  const { taxCents, totalCents, currency } = document
  return {
    ...{ product, plan, priceCents, document },
    proration: { ...change, lines: [...change.lines], taxCents, totalCents, currency },
    effect: effectOf(change.netCents, { immediateCredit: false }),
  }
}

function assertProratable(service: ServiceRow): void {
  if (!recurs(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind cannot be changed.', 'plan_not_upgradable')
  }
  if (service.cancelAtPeriodEnd) {
    throw conflict('This service ends with its period. Resume it first.', 'service_canceled')
  }
}

function periodOf({ currentPeriodStart: start, currentPeriodEnd: end, anchorAt }: ServiceRow) {
  if (!start || !end) throw unprocessable('This service has no period.', 'plan_not_upgradable')
  if (anchorAt && start < anchorAt) {
    throw unprocessable('A trial cannot be changed.', 'plan_not_upgradable')
  }
  return { start, end }
}

/** The plan of the new product: the one that was asked for, or the one of the same cycle. */
async function planOf(
  db: Db,
  service: ServiceRow,
  product: ProductRow,
  planId: string | undefined,
): Promise<PlanRow> {
  const { tenantId, currency } = service
  const plans = planId
    ? [await findPlan(db, { tenantId, id: planId })]
    : await plansOf(db, { tenantId, id: product.id })
  const plan = plans.find(
    (it) =>
      it?.productId === product.id &&
      !it.archivedAt &&
      sameCycle(it, service) &&
      it.trialDays === 0 &&
      (it.currency === currency || it.prices.some((other) => other.currency === currency)),
  )
  if (plan) return plan
  if (planId && !plans[0]) throw notFound('Plan')
  throw unprocessable('That product has no plan of this service’s period.', 'no_matching_plan')
}

type Change = {
  current: ProductRow
  product: ProductRow
  plan: PlanRow
  change: ReturnType<typeof prorate>
}

async function priced(
  db: Db,
  { tenantId, userId, currency }: ServiceRow,
  { current, product, plan, change }: Change,
  now: Instant,
): Promise<PricedDocument> {
  const taxRateIds = [current.taxRateId, product.taxRateId]
  const context = await taxContextFor(db, { tenantId, userId, taxRateIds, at: now })
  const taxes = taxRateIds.map((id) => decisionIn(context, id))
  const [before, after] = taxes
  if (!before || !after) throw new Error('No tax decision')
  if (needsCreditNote(before, after)) {
    throw unprocessable(
      'These products are taxed differently. Cancel this service and order the other one.',
      'upgrade_tax_differs',
    )
  }
  const lines = change.lines.map(({ description, quantity, unitPriceCents }, index) => ({
    ...{ description, quantity, unitPriceCents, setupFee: false, tax: index === 0 ? before : after },
    productId: index === 0 ? current.id : product.id,
    categoryId: index === 0 ? current.categoryId : product.categoryId,
    ...{ planId: plan.id, interval: plan.interval },
  }))
  const { priceMode } = context.seller
  return {
    ...price(lines, [], priceMode),
    ...{ currency, priceMode, taxCountry: after.country, taxReason: after.reason },
  }
}
