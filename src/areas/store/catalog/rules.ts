import type { Cents } from '#lib/money.ts'
import type { PriceMode } from '#lib/tax.ts'
import { type EggRow, missingValues, type Provisioning } from '#panel'
import { imageOf } from '../images/rules.ts'
import type { PlanRow } from '../plans/rules.ts'
import { priceIn } from '../plans/rules.ts'
import { price } from '../pricing/rules.ts'
import type { Amounts } from '../pricing/totals.ts'
import type { ProductWithPlans } from '../products/queries.ts'
import { decisionIn, type TaxContext } from '../tax.ts'
import type { TaxDecision } from '../tax-rates/decision.ts'
import type { CatalogProduct, OrderForm } from './schema.ts'

/**
 * How a visitor sees products: what is made of them stays out, the tax on them comes in. Tax and prices
 * are worked out once for all products that have the same.
 */
export function showingFor(context: TaxContext, currency: string | undefined) {
  const { priceMode } = context.seller
  const taxed = remembering((taxRateId: string | null) => {
    const tax = decisionIn(context, taxRateId)
    return { tax, pricesOf: remembering((cents: Cents) => pricesOf(cents, tax, priceMode)) }
  })
  // Field by field: copies of whole rows cost more than everything else here.
  return (product: ProductWithPlans): CatalogProduct => {
    const { tax, pricesOf } = taxed(product.taxRateId)
    const { category, rateBasisPoints, country } = tax
    const { provisioning } = product
    return {
      id: product.id,
      slug: product.slug,
      name: product.name,
      description: product.description,
      categoryId: product.categoryId,
      stock: product.stock,
      position: product.position,
      delivery: product.delivery,
      promiseHours: product.promiseHours,
      periodStarts: product.periodStarts,
      upgradeTargetIds: product.upgradeTargetIds,
      provisioning: provisioning && {
        limits: provisioning.limits,
        featureLimits: provisioning.featureLimits,
      },
      image: imageOf(product),
      tax: { category, rateBasisPoints, country, priceMode },
      plans: product.plans.map((plan) => planView(plan, currency, pricesOf)),
      createdAt: product.createdAt,
    }
  }
}

function planView(
  plan: PlanRow,
  currency: string | undefined,
  pricesOf: (cents: Cents) => PeriodPrice,
): CatalogProduct['plans'][number] {
  const shown = inCurrency(plan, currency)
  const { priceCents, priceMicros, setupFeeCents, prices } = shown
  const { netCents, taxCents, totalCents } = pricesOf(priceCents)
  return {
    id: plan.id,
    productId: plan.productId,
    name: plan.name,
    interval: plan.interval,
    intervalCount: plan.intervalCount,
    priceCents,
    priceMicros,
    currency: shown.currency,
    setupFeeCents,
    trialDays: plan.trialDays,
    prices,
    createdAt: plan.createdAt,
    archivedAt: plan.archivedAt,
    netCents,
    taxCents,
    totalCents,
  }
}

function remembering<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? find(key)
    known.set(key, value)
    return value
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

type PeriodPrice = Pick<Amounts, 'netCents' | 'taxCents' | 'totalCents'>

/** What one period of a plan costs, without any coupon: all that it depends on comes in. */
function pricesOf(unitPriceCents: Cents, tax: TaxDecision, priceMode: PriceMode): PeriodPrice {
  const line = { unitPriceCents, quantity: 1, setupFee: false, tax }
  const where = { planId: null, productId: null, interval: null, categoryId: null }
  const { netCents, taxCents, totalCents } = price([{ ...line, ...where }], [], priceMode)
  return { netCents, taxCents, totalCents }
}

/** What a buyer fills in for a product made from an egg; nothing where there is no egg. */
export function orderFormOf(
  egg: Pick<EggRow, 'name' | 'variables'> | undefined,
  provisioning: Provisioning | null,
): Omit<OrderForm, 'locations'> {
  if (!egg || !provisioning) return { game: null, variables: [] }
  const { environment: fixed, choices } = provisioning
  const locked = new Set(choices?.lockedVariables ?? [])
  const missing = new Set(missingValues(egg.variables, fixed).map(({ env }) => env))
  const asked = egg.variables.filter(({ env, editable }) => editable && !locked.has(env))
  return {
    game: egg.name,
    variables: asked.map(({ env, name, description, default: preset, rules, viewable }) => ({
      ...{ env, name, description, rules },
      // What the shop has set may be a secret of its own.
      default: viewable && !Object.hasOwn(fixed, env) ? preset : '',
      required: missing.has(env),
    })),
  }
}
