import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { pricesFor } from '#store'
import { planPriceOf } from '../components/rules.ts'
import type { ServiceView } from '../queries.ts'
import { nextPeriodsFor } from '../renewals/run.ts'
import { saleFactsFor, saleOf, type ToBill } from '../renewals/sale.ts'
import type { CustomerPrice, ServicePrices } from '../schema.ts'

type Priced = { readonly prices: ServicePrices | null; readonly nextInvoiceAt: Instant | null }
const NONE: Priced = { prices: null, nextInvoiceAt: null }

/**
 * What services of a tenant cost their owners now, tax included, by their ids: computed like their renewals. Services
 * that are shared with the reader, have ended or cannot be priced are left out.
 */
export async function pricesOf(
  db: Db,
  tenantId: string,
  services: readonly ServiceView[],
  now: Instant,
): Promise<(service: ServiceView) => Priced> {
  const own = services.filter(({ role, endedAt }) => role === 'owner' && !endedAt)
  if (own.length === 0) return () => NONE
  const nextOf = await nextPeriodsFor(db, tenantId, own)
  const renewing = own.flatMap((service) => {
    const isRenewed = service.autoRenew || service.interval === 'hour'
    const next = isRenewed ? nextOf(service) : undefined
    return next ? [{ service, next }] : []
  })
  const toBill = renewing
    .filter(({ next }) => next.plan.cycle.interval !== 'hour')
    .map(({ service, next }): ToBill => {
      return { service, plan: next.plan, period: next.period, dueAt: now }
    })
  const facts = await saleFactsFor(db, tenantId, toBill)
  const sold = toBill.map((it) => [it.service.id, orNull(() => saleOf(it, facts))] as const)
  const sales = new Map(sold.flatMap(([id, sale]) => (sale ? [[id, sale] as const] : [])))
  const plain = new Map(own.map((service) => [service.id, plainSaleOf(service)]))
  const price = await priced(
    pricesFor(db, { tenantId, sales: [...sales.values(), ...plain.values()] }, now),
  )
  const invoiceAts = new Map(renewing.map(({ service, next }) => [service.id, next.invoiceAt]))
  return ({ id }) => {
    const sale = sales.get(id)
    const own = plain.get(id)
    const current = own && price ? orNull(() => price(own)) : null
    const next = sale && price ? orNull(() => price(sale)) : null
    const nextTotalCents = next?.totalCents ?? null
    return {
      prices: current && { ...customerPriceOf(current), nextTotalCents },
      nextInvoiceAt: invoiceAts.get(id) ?? null,
    }
  }
}

/** A priced document as what its buyer pays. */
export function customerPriceOf({ totalCents, taxCents }: CustomerPrice): CustomerPrice {
  return { totalCents, taxCents }
}

/** A period of a service at its price, before discounts; for metered hours, the maximum for a month. */
function plainSaleOf({ userId, currency, productId, planId, interval, ...service }: ServiceView) {
  const { components } = service
  const line = { productId, planId, interval, categoryId: null, quantity: 1, setupFee: false }
  const prices = [planPriceOf(service, components), ...components]
  const lines = prices.map(({ priceCents }) => ({ ...line, unitPriceCents: priceCents }))
  return { userId, currency, lines }
}

function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Prices; null if the shop cannot price anything yet. */
async function priced<T>(prices: Promise<T>): Promise<T | null> {
  try {
    return await prices
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
