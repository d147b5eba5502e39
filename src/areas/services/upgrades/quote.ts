import { type Period, recurs, sameCycle } from '#lib/periods.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  findProduct,
  type PlanRow,
  type ProductRow,
  type ProductWithPlans,
  priceFor,
  priceIn,
  upgradeTargetsOf,
} from '#store'
import type { ServiceRow } from '../queries.ts'
import { assertActive } from '../rules.ts'
import {
  type ChangeEffect,
  effectOf,
  needsCreditNote,
  type Proration as Prorated,
  prorate,
} from './rules.ts'
import type { Proration, UpgradeOrder } from './schema.ts'

type Wanted = Pick<UpgradeOrder, 'productId' | 'planId'>

/** A change of a service as it would be billed now: the preview and the real one are the same. */
export type UpgradeQuote = {
  product: ProductRow
  plan: PlanRow
  /** What a period costs from the change on, in cents. */
  priceCents: PlanRow['priceCents']
  proration: Proration
  document: Awaited<ReturnType<typeof priced>>
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
  const { tenantId, productId } = service
  const current = await findProduct(db, { tenantId, id: productId })
  const targets = (await upgradeTargetsOf(db, { tenantId, productId })) ?? []
  const product = targets.find(({ id }) => id === wanted.productId)
  if (!current || !product) throw await notOffered(db, tenantId, wanted.productId)
  const { plan, priceCents } = planOf(service, product, wanted.planId)
  const period = paidPeriodOf(service, now)
  const from = { description: `${current.name}: unused time`, priceCents: service.valueCents }
  const to = { description: `${product.name}: rest of the period`, priceCents }
  const change = prorate({
    ...{ period, at: now, mode: 'second', currency: service.currency },
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

/** The period that is running and paid for. */
function paidPeriodOf(service: ServiceRow, now: Instant): Period {
  const { currentPeriodStart: start, currentPeriodEnd: end, anchorAt } = service
  if (!start || !end) throw unprocessable('This service has no period.', 'plan_not_upgradable')
  if (anchorAt && start < anchorAt) {
    throw unprocessable('A trial cannot be changed.', 'plan_not_upgradable')
  }
  if (now < start || now >= end) {
    throw conflict('The current period of this service is not paid for.', 'period_unpaid')
  }
  return { start, end }
}

async function notOffered(db: Db, tenantId: string, id: string) {
  const product = await findProduct(db, { tenantId, id })
  if (!product || product.archivedAt) return notFound('Product')
  return unprocessable('This service cannot change to that product.', 'not_an_upgrade_target')
}

/** The plan of the new product: the one that was asked for, or the one of the same cycle. */
function planOf(service: ServiceRow, product: ProductWithPlans, planId: string | undefined) {
  for (const plan of product.plans) {
    if (planId && plan.id !== planId) continue
    const price = priceIn(plan, service.currency)
    if (!price || !sameCycle(plan, service)) continue
    return { plan, priceCents: price.priceCents }
  }
  if (planId && !product.plans.some(({ id }) => id === planId)) throw notFound('Plan')
  throw unprocessable('That product has no plan of this service’s period.', 'no_matching_plan')
}

type Change = { current: ProductRow; product: ProductRow; plan: PlanRow; change: Prorated }

async function priced(
  db: Db,
  { tenantId, userId, currency }: ServiceRow,
  { current, product, plan, change }: Change,
  now: Instant,
) {
  const { id: planId, interval } = plan
  const lines = change.lines.map(({ description, quantity, unitPriceCents }, index) => {
    const { id: productId, categoryId } = index === 0 ? current : product
    const line = { description, quantity, unitPriceCents, setupFee: false }
    return { ...line, productId, categoryId, planId, interval }
  })
  const document = await priceFor(db, { tenantId, userId, currency, lines }, now)
  const [before, after] = document.lines
  if (before && after && needsCreditNote(before.tax, after.tax)) {
    throw unprocessable(
      'These products are taxed differently. Cancel this service and order the other one.',
      'upgrade_tax_differs',
    )
  }
  return document
}
