import { hasOpenDispute, lineTextsFor, partsOf } from '#billing'
import { type Cents, cents, rateOf, sumCents } from '#lib/money.ts'
import { lastDayOf, type Period, recurs, sameCycle } from '#lib/periods.ts'
import { conflict, notFound, type Problem, unprocessable } from '#lib/problem.ts'
import { dayOf, type Instant } from '#lib/time.ts'
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
import { settingsOf } from '#tenants'
import type { ServiceRow } from '../queries.ts'
import { listPeriods, listUnpaid, type PeriodRow } from '../renewals/queries.ts'
import { couponsFor, type KeptCoupon, priceAfterCoupons } from '../renewals/terms.ts'
import { assertActive } from '../rules.ts'
import { serviceSettings } from '../settings.ts'
import { periodsWithCoupon } from './queries.ts'
import {
  type ChangeEffect,
  effectOf,
  needsCreditNote,
  type Proration as Prorated,
  prorate,
  prorateNewCycle,
} from './rules.ts'
import type { Proration, UpgradeOrder } from './schema.ts'

type Wanted = Pick<UpgradeOrder, 'productId' | 'planId'>

/** A change of a service as it would be billed now: the preview and the real one are the same. */
export type UpgradeQuote = {
  product: ProductRow
  plan: PlanRow
  /** What a period costs from the change on, before and after coupons, in cents. */
  priceCents: PlanRow['priceCents']
  valueCents: PlanRow['priceCents']
  proration: Proration
  document: Awaited<ReturnType<typeof priced>>['document']
  effect: ChangeEffect
  /** Of a change to another cycle: from here its periods are counted (R4.10). */
  anchorAt: Instant | null
  /** What goes back by credit notes over what was paid before, tax included; not on the invoice. */
  creditedCents: Cents
}

/**
 * What a change to another product costs now (R4.9, R4.10), or would cost today if it had been asked for
 * at `since`, from where unused time is counted. 404 for a product that is not there, 409 for a service
 * that is not active, 422 for a change that is not offered.
 */
export async function quoteUpgrade(
  db: Db,
  service: ServiceRow,
  wanted: Wanted,
  now: Instant,
  since: Instant = now,
): Promise<UpgradeQuote> {
  assertActive(service)
  assertProratable(service)
  // Money that a bank took back is owed for what would be credited, whether that suspends or not.
  if ((await listUnpaid(db, service)).some(({ dueAt }) => dueAt <= now)) throw unpaid()
  const { tenantId, productId } = service
  const current = await findProduct(db, { tenantId, id: productId })
  const targets = (await upgradeTargetsOf(db, { tenantId, productId })) ?? []
  const product = targets.find(({ id }) => id === wanted.productId)
  if (!current || !product) throw await notOffered(db, tenantId, wanted.productId)
  const { plan, priceCents } = planOf(service, product, wanted.planId)
  const { prorationMode: mode, immediateCredit } = await settingsOf(db, tenantId, serviceSettings)
  const period = paidPeriodOf(service, since)
  const periods = await listPeriods(db, service)
  const counted = await periodsWithCoupon(db, service)
  const valueCents = coveredPrice(service, counted, { product, plan, priceCents })
  const laterPaidPeriods = periods.filter((it) => it.paidAt && it.startsAt >= period.end).length
  const texts = await lineTextsFor(db, service)
  const terms = {
    ...{ period, at: since, mode, currency: service.currency, laterPaidPeriods },
    from: {
      description: texts.unusedTime(current.name, lastDayOf(period)),
      priceCents: service.valueCents,
    },
  }
  const same = sameCycle(plan, service)
  const description = same
    ? texts.restOfPeriod(product.name, lastDayOf(period))
    : texts.newPeriod(product.name)
  const to = { description, priceCents: valueCents }
  const whole = same ? null : prorateNewCycle({ ...terms, to }, plan)
  const change = whole ?? prorate({ ...terms, to })
  const sale = { current, product, plan, change, old: oldInvoiceOf(service, periods) }
  const { document, creditedCents } = await priced(db, service, sale, now)
  const effect = creditedCents > 0 ? 'on_payment' : effectOf(change.netCents, { immediateCredit })
  const lines = change.lines.slice(creditedCents > 0 ? 1 : 0)
  const { creditCents, chargeCents, netCents } = change
  const { taxCents, totalCents, currency } = document
  const backCents = effect === 'credit_note' ? cents(-totalCents) : creditedCents
  if (backCents > 0) await assertNotDisputed(db, service)
  return {
    ...{ product, plan, priceCents, valueCents, document, effect },
    proration: { creditCents, chargeCents, netCents, taxCents, totalCents, currency, lines },
    anchorAt: whole?.anchor ?? null,
    creditedCents: backCents,
  }
}

/** What a bank holds cannot be given back before it has decided. */
async function assertNotDisputed(db: Db, { tenantId, userId }: ServiceRow): Promise<void> {
  if (!(await hasOpenDispute(db, { tenantId, userId }))) return
  const message = 'A bank is asking about a payment. Wait until it has decided.'
  throw conflict(message, 'invoice_disputed')
}

/** A plan's price after the coupons that still cover the service (R4.9). */
function coveredPrice(
  service: ServiceRow,
  periods: readonly PeriodRow[],
  { product, plan, priceCents }: { product: ProductRow; plan: PlanRow; priceCents: Cents },
): Cents {
  const { currentPeriodEnd } = service
  const invoiced = periods.filter(({ startsAt }) => currentPeriodEnd && startsAt < currentPeriodEnd)
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], invoiced.length)
  const { id: productId, categoryId } = product
  const scope = { productId, categoryId, planId: plan.id, interval: plan.interval }
  return priceAfterCoupons(priceCents, coupons, scope)
}

/** The invoice that the running period was paid with. */
function oldInvoiceOf(
  { currentPeriodStart, invoiceId }: ServiceRow,
  periods: readonly PeriodRow[],
) {
  const current = periods.find(({ startsAt }) => startsAt === currentPeriodStart)
  return current?.invoiceId ?? invoiceId
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
  const { currentPeriodStart: start, currentPeriodEnd: end, anchorAt, trialDays } = service
  if (!start || !end) throw unprocessable('This service has no period.', 'plan_not_upgradable')
  if (anchorAt && start < anchorAt) {
    const message =
      trialDays > 0
        ? 'A trial cannot be changed.'
        : `This service was taken over; it can be changed from ${dayOf(end)} on, when it first renews.`
    throw unprocessable(message, 'plan_not_upgradable')
  }
  if (now < start || now >= end) {
    throw unpaid()
  }
  return { start, end }
}

function unpaid(): Problem {
  return conflict('The current period of this service is not paid for.', 'period_unpaid')
}

async function notOffered(db: Db, tenantId: string, id: string) {
  const product = await findProduct(db, { tenantId, id })
  if (!product || product.archivedAt) return notFound('Product')
  return unprocessable('This service cannot change to that product.', 'not_an_upgrade_target')
}

/** The plan of the new product: the one that was asked for, or the one of the same cycle. */
function planOf(service: ServiceRow, product: ProductWithPlans, planId: string | undefined) {
  for (const plan of product.plans) {
    if (planId ? plan.id !== planId : !sameCycle(plan, service)) continue
    const price = priceIn(plan, service.currency)
    if (!price || !recurs(plan) || plan.interval === 'hour') continue
    return { plan, priceCents: price.priceCents }
  }
  if (planId && !product.plans.some(({ id }) => id === planId)) throw notFound('Plan')
  throw unprocessable('That product has no plan of this service’s period.', 'no_matching_plan')
}

type Sale = {
  current: ProductRow
  product: ProductRow
  plan: PlanRow
  change: Prorated
  /** The invoice that holds what is credited. */
  old: string | null
}

/**
 * The invoice of a change. Where the new plan is taxed differently, the old one is no line of it: its
 * worth goes back by a credit note over the old invoice, so that no tax group is negative (R4.9).
 */
async function priced(
  db: Db,
  { tenantId, userId, currency, id: serviceId }: ServiceRow,
  { current, product, plan, change, old }: Sale,
  now: Instant,
) {
  const { id: planId, interval } = plan
  const lines = change.lines.map(({ description, quantity, unitPriceCents }, index) => {
    const { id: productId, categoryId } = index === 0 ? current : product
    const line = { description, quantity, unitPriceCents, setupFee: false }
    return { ...line, productId, categoryId, planId, interval }
  })
  const sale = { tenantId, userId, currency }
  const document = await priceFor(db, { ...sale, lines }, now)
  const [before, after] = document.lines
  if (!before || !after) return { document, creditedCents: cents(0) }
  const { lines: paid } = old ? await partsOf(db, { tenantId, invoiceId: old }) : { lines: [] }
  const line = paid.find((it) => it.serviceId === serviceId)
  const tax = line
    ? { ...before.tax, category: line.taxCategory, rateBasisPoints: line.rateBasisPoints }
    : before.tax
  const moved = { ...tax, country: line?.taxCountry ?? tax.country }
  if (change.creditCents === 0 || !needsCreditNote(moved, after.tax)) {
    return { document, creditedCents: cents(0) }
  }
  const rate = document.priceMode === 'inclusive' ? 0 : (moved.rateBasisPoints ?? 0)
  const creditedCents = sumCents([change.creditCents, rateOf(change.creditCents, rate)])
  return { document: await priceFor(db, { ...sale, lines: lines.slice(1) }, now), creditedCents }
}
