import { type Cents, cents } from '#lib/money.ts'
import type { PriceMode } from '#lib/tax.ts'
import { type EggRow, missingValues, type Provisioning, type RoomWord } from '#panel'
import { isSoldIn, priceAt } from '../components/rules.ts'
import { imageOf } from '../images/rules.ts'
import type { PricedLocation } from '../locations/rules.ts'
import type { PlanRow } from '../plans/rules.ts'
import { priceIn } from '../plans/rules.ts'
import { price } from '../pricing/rules.ts'
import type { Amounts } from '../pricing/totals.ts'
import type { ProductWithPlans } from '../products/queries.ts'
import { decisionIn, type TaxContext } from '../tax.ts'
import type { TaxDecision } from '../tax-rates/decision.ts'
import { textsIn } from '../translations/rules.ts'
import type { CatalogProduct, OrderForm } from './schema.ts'

/**
 * How a visitor sees products: without what their servers are made of, and with tax. Tax and prices are worked out
 * once for all products that share them.
 */
export function showingFor(
  context: TaxContext,
  { currency, locale }: { currency: string | undefined; locale: string | null },
) {
  const { priceMode } = context.seller
  const taxed = remembering((taxRateId: string | null) => {
    const tax = decisionIn(context, taxRateId)
    return { tax, pricesOf: remembering((cents: Cents) => pricesOf(cents, tax, priceMode)) }
  })
  // Field by field: copies of whole rows would cost more than everything else in this function.
  return (product: ProductWithPlans, room: RoomWord | null): CatalogProduct => {
    const { tax, pricesOf } = taxed(product.taxRateId)
    const { category, rateBasisPoints, country } = tax
    const { provisioning } = product
    return {
      id: product.id,
      slug: product.slug,
      ...textsIn(product, locale),
      badge: product.badge,
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
      available: product.plans.length > 0 && product.stock !== 0 && room !== 'full',
      room,
      tax: { category, rateBasisPoints, country, priceMode },
      plans: product.plans.map((plan) => planView(plan, currency, pricesOf)),
      createdAt: product.createdAt,
    }
  }
}

/** What a price comes to with the tax of the visitor on a product. */
export function totalsFor(context: TaxContext, taxRateId: string | null): (cents: Cents) => Cents {
  const tax = decisionIn(context, taxRateId)
  return remembering((cents: Cents) => pricesOf(cents, tax, context.seller.priceMode).totalCents)
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
    setupTotalCents: pricesOf(setupFeeCents).totalCents,
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

/** A plan with its price in a currency as the main price; the plan's own price if it is not sold in that currency. */
function inCurrency(plan: PlanRow, currency: string | undefined): PlanRow {
  const wanted = currency === undefined ? undefined : priceIn(plan, currency)
  const own = priceIn(plan, plan.currency)
  if (!wanted || !own || wanted.currency === plan.currency) return plan
  const others = plan.prices.filter((it) => it.currency !== wanted.currency)
  return { ...plan, ...wanted, prices: [own, ...others] }
}

/**
 * What a location costs beside the plans of a product, in one currency or in all that the plans are sold in: 0 if the
 * location has no surcharges; cycles that it is not sold in are left out.
 */
export function surchargesOf(
  location: PricedLocation,
  plans: CatalogProduct['plans'],
  currency: string | undefined,
): OrderForm['locations'][number]['prices'] {
  const terms = plans.flatMap(({ interval, intervalCount, prices, ...plan }) => {
    const currencies = [plan.currency, ...prices.map((it) => it.currency)]
    return currencies.map((it) => ({ interval, intervalCount, currency: it }))
  })
  const asked = terms.filter((it) => currency === undefined || it.currency === currency)
  const distinct = new Map(asked.map((it) => [Object.values(it).join(' '), it]))
  return [...distinct.values()].flatMap((it) => {
    if (!isSoldIn(location, it)) return []
    const { priceCents, feeCents, priceMicros } = priceAt(location.prices, it) ?? NO_SURCHARGE
    return [
      { ...it, priceCents, feeCents, priceMicros: it.interval === 'hour' ? priceMicros : null },
    ]
  })
}

const NO_SURCHARGE = { priceCents: cents(0), feeCents: cents(0), priceMicros: 0 }

type PeriodPrice = Pick<Amounts, 'netCents' | 'taxCents' | 'totalCents'>

/** What one period of a plan costs, without any coupon; depends on the arguments only. */
function pricesOf(unitPriceCents: Cents, tax: TaxDecision, priceMode: PriceMode): PeriodPrice {
  const line = { unitPriceCents, quantity: 1, setupFee: false, tax }
  const where = { planId: null, productId: null, interval: null, categoryId: null }
  const { netCents, taxCents, totalCents } = price([{ ...line, ...where }], [], priceMode)
  return { netCents, taxCents, totalCents }
}

/** What a buyer fills in for a product made from an egg; nothing if there is no egg. */
export function orderFormOf(
  egg: Pick<EggRow, 'name' | 'variables'> | undefined,
  provisioning: Provisioning | null,
): Omit<OrderForm, 'locations' | 'options'> {
  if (!egg || !provisioning) return { game: null, variables: [] }
  const { environment: fixed, choices } = provisioning
  const locked = new Set(choices?.lockedVariables ?? [])
  const missing = new Set(missingValues(egg.variables, fixed).map(({ env }) => env))
  const asked = egg.variables.filter(({ env, editable }) => editable && !locked.has(env))
  return {
    game: egg.name,
    variables: asked.map(({ env, name, description, default: preset, rules, viewable }) => ({
      ...{ env, name, description, rules },
      // A value that the shop has set may be a secret.
      default: viewable && !Object.hasOwn(fixed, env) ? preset : '',
      required: missing.has(env),
    })),
  }
}
