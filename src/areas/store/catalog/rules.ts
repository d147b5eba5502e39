import type { PlanRow } from '../plans/rules.ts'
import { priceIn } from '../plans/rules.ts'
import { price } from '../pricing/rules.ts'
import type { ProductWithPlans } from '../products/queries.ts'
import { decisionIn, type TaxContext } from '../tax.ts'
import type { TaxDecision } from '../tax-rates/decision.ts'

/** A product as a visitor sees it: what is made of it stays out, the tax on it comes in. */
export function shownTo<P extends ProductWithPlans>(
  context: TaxContext,
  { provisioning, plans, ...product }: P,
  currency: string | undefined,
) {
  const tax = decisionIn(context, product.taxRateId)
  const { category, rateBasisPoints, country } = tax
  const { priceMode } = context.seller
  return {
    ...product,
    provisioning: provisioning && {
      limits: provisioning.limits,
      featureLimits: provisioning.featureLimits,
    },
    tax: { category, rateBasisPoints, country, priceMode },
    plans: plans.map((plan) => withPrice(context, tax, inCurrency(plan, currency))),
  }
}

/** A plan with its price in a currency up front; in its own where it is not sold in that one. */
function inCurrency(plan: PlanRow, currency: string | undefined): PlanRow {
  const wanted = currency === undefined ? undefined : priceIn(plan, currency)
  const own = priceIn(plan, plan.currency)
  if (!wanted || !own || wanted.currency === plan.currency) return plan
  const others = plan.prices.filter((it) => it.currency !== wanted.currency)
  return { ...plan, ...wanted, prices: [own, ...others] }
}

function withPrice(context: TaxContext, tax: TaxDecision, plan: PlanRow) {
  const { id: planId, productId, interval, priceCents: unitPriceCents } = plan
  const line = { unitPriceCents, quantity: 1, setupFee: false, tax }
  const where = { planId, productId, interval, categoryId: null }
  const priced = price([{ ...line, ...where }], [], context.seller.priceMode)
  const { netCents, taxCents, totalCents } = priced
  return { ...plan, netCents, taxCents, totalCents }
}
