import { type InvoiceRow, openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { type Period, printedPeriod } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findPlan, findProduct, priceFor, priceIn } from '#store'
import { type ServiceRow, updateService } from '../queries.ts'
import { hourlyCharge } from './charges.ts'
import {
  countInvoicedPeriods,
  insertPeriod,
  listPriceChanges,
  type PeriodRow,
  updatePeriod,
} from './queries.ts'
import { priceOf } from './rules.ts'
import { type BilledPlan, couponsFor, type KeptCoupon } from './terms.ts'

/** A period to be invoiced: which one, on what plan, and when its money is due. */
export type ToBill = { plan: BilledPlan; period: Period; dueAt: Instant }

export type Billed = { periodId: string; invoice: InvoiceRow }

/**
 * Invoices one period of a service that is locked, and notes how far it is invoiced. A period that
 * has an invoice already gets no other (R4.5): null. Throws 422 when its tax or price is not known.
 */
export async function billPeriod(
  tx: Tx,
  service: ServiceRow,
  { plan, period, dueAt }: ToBill,
  now: Instant,
): Promise<Billed | null> {
  const { tenantId, id: serviceId, userId } = service
  const { productId, planId } = plan
  const priceCents = await priceOfPeriod(tx, service, { planId, period })
  const n = (await countInvoicedPeriods(tx, service)) + 1
  const { setupFeeCents } = service
  const sale = { productId, planId, period, priceCents, setupFeeCents, n }
  const { document, valueCents } = await documentOfPeriod(tx, service, sale, now)
  const periodId = newId()
  const isNew = await insertPeriod(tx, {
    ...{ tenantId, id: periodId, serviceId, startsAt: period.start, endsAt: period.end },
    ...{ productId, planId, priceCents, valueCents, setupFeeCents, invoiceId: null },
    ...{ createdAt: now, paidAt: null, dueAt, dunningAt: now },
  })
  await updateService(tx, service, { invoicedTo: period.end, renewalFailure: null })
  if (!isNew) return null
  const about = { tenantId, userId, kind: 'renewal' as const, reference: serviceId, dueAt }
  const invoice = await openInvoice(tx, { ...about, document }, now)
  await updatePeriod(tx, { tenantId, id: periodId }, { invoiceId: invoice.id })
  if (service.setupFeeCents > 0) await updateService(tx, service, { setupFeeCents: cents(0) })
  return { periodId, invoice }
}

/** A period as it is sold: on which plan, at which price in cents, as which one that is invoiced. */
type SoldPeriod = {
  productId: string
  planId: string
  period: Period
  priceCents: Cents
  setupFeeCents: Cents
  n: number
}

/**
 * What the invoice of a period says, taxed as of now, and what the period costs after discounts. Throws
 * 422 when its plan or tax is not known.
 */
export async function documentOfPeriod(
  tx: Tx,
  service: ServiceRow,
  sold: SoldPeriod,
  now: Instant,
) {
  const { tenantId, userId, currency, id: serviceId } = service
  const { start: periodStart, end: periodEnd } = sold.period
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], sold.n)
  const sale = { tenantId, userId, currency, lines: await linesOf(tx, service, sold), coupons }
  const document = await priceFor(tx, sale, now)
  const [main] = document.lines
  const valueCents = main ? cents(main.subtotalCents - main.discountCents) : sold.priceCents
  const lines = document.lines.map((line) => ({ ...line, serviceId, periodStart, periodEnd }))
  return { document: { ...document, lines }, valueCents }
}

async function linesOf(
  tx: Tx,
  service: ServiceRow,
  { productId, planId, period, priceCents, setupFeeCents }: SoldPeriod,
) {
  const { tenantId } = service
  const product = await findProduct(tx, { tenantId, id: productId })
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (!product || !plan) throw unprocessable('Its plan is gone.', 'plan_gone')
  const unitPriceCents = plan.interval === 'hour' ? usedIn(service, period, priceCents) : priceCents
  const place = { productId: product.id, categoryId: product.categoryId, planId: plan.id }
  const line = { ...place, interval: plan.interval, quantity: 1 }
  const description = `${product.name}, ${plan.name}: ${printedPeriod(period)}`
  const main = { ...line, description, unitPriceCents, setupFee: false }
  if (setupFeeCents === 0) return [main]
  const setup = `${product.name}, ${plan.name}: setup`
  const fee = { ...line, description: setup, unitPriceCents: setupFeeCents, setupFee: true }
  return [main, fee]
}

/** A service keeps its price; another plan, and a price the customer was told of, have their own. */
async function priceOfPeriod(
  tx: Tx,
  service: ServiceRow,
  { planId: id, period }: Pick<SoldPeriod, 'planId' | 'period'>,
): Promise<Cents> {
  if (id === service.planId) {
    return priceOf(period, service.priceCents, await listPriceChanges(tx, service))
  }
  const plan = await findPlan(tx, { tenantId: service.tenantId, id })
  if (!plan) throw unprocessable('Its plan is gone.', 'plan_gone')
  const price = priceIn(plan, service.currency)
  if (!price) throw unprocessable('Its plan has no price in this currency.', 'no_price')
  return price.priceCents
}

/** Metered hours, billed afterwards (R4.11). The plan's price is the most a month costs. */
function usedIn(service: ServiceRow, { start, end }: Period, capCents: Cents): Cents {
  const { priceMicros, endedAt, endWantedAt } = service
  const until = endedAt ?? endWantedAt
  const to = until && until < end ? until : end
  const seconds = Math.max(0, secondsBetween(start, to))
  return hourlyCharge({ seconds, priceMicros: priceMicros ?? 0, capCents })
}

/** A period as what it is for: for telling people of it. */
export function spanOf({ startsAt, endsAt }: PeriodRow): string {
  return printedPeriod({ start: startsAt, end: endsAt })
}
