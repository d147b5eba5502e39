import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import { lastDayOf } from '#lib/periods.ts'
import { conflict, type Problem, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  assertOptions,
  type ChangedOption,
  type Component,
  changedOptions,
  findPlan,
  findProduct,
  type PlanRow,
  type ProductRow,
  pricesFor,
} from '#store'
import { type KeptComponent, priceWith, withChanged, withValues } from '../components/rules.ts'
import { customerPriceOf } from '../details/prices.ts'
import { freeTimeOf } from '../free-days/rules.ts'
import { heldValue, keptOf, linesOfComponent } from '../held/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { couponsFor, type KeptCoupon, plannedFrom } from '../renewals/terms.ts'
import { assertChangeable, assertNotDisputed, type Facts, factsOf, hadInPeriod } from './facts.ts'
import type { ChangePart } from './queries.ts'
import {
  documentsOf,
  NOTHING,
  type Price,
  quoteOf,
  type SaleLine,
  saleLinesOf,
  type UpgradeQuote,
} from './quote.ts'
import { type ProratedComponent, prorateComponent } from './rules.ts'

/** Which options a service should have. */
export type OptionWish = {
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** Staff may choose hidden options, and charge nothing. */
  readonly isStaff: boolean
  readonly waive: boolean
}

/** A change of options as it would be billed now. `components` are those of the service once it is made. */
export type OptionQuote = UpgradeQuote & {
  /** What is changed once it is paid, or at once. */
  readonly changed: readonly ChangedOption[]
  /** What is given up or lowered with the next period, which begins at `scheduledAt`. */
  readonly scheduled: readonly ChangedOption[]
  readonly scheduledAt: Instant | null
  /** Options for which something was scheduled that now stay as they are. */
  readonly unscheduled: readonly string[]
}

/**
 * What a change of options costs now (S2.2), or would cost today if it had been requested at `since`. Throws 409 and
 * 422 as a change of product does, and 422 `options_invalid` with all faults of the wish.
 */
export async function quoteOptions(
  db: Db,
  service: ServiceRow,
  wish: OptionWish,
  now: Instant,
  since: Instant = now,
): Promise<OptionQuote> {
  if (service.interval === 'one_time') {
    throw unprocessable('The options of this service cannot be changed.', 'option_fixed')
  }
  await assertChangeable(db, service, now)
  if (service.scheduledPlanId) throw planPlanned()
  const { tenantId, productId, planId } = service
  const product = await findProduct(db, { tenantId, id: productId })
  const plan = await findPlan(db, { tenantId, id: planId })
  if (!product || !plan) {
    throw unprocessable('The plan of this service does not exist any more.', 'plan_gone')
  }
  const isTrial = isOnTrial(service)
  const result = await changedOptions(
    db,
    tenantId,
    optionedOf(service, product, wish, isTrial),
    wish.options,
  )
  assertOptions(result.faults)
  const planned = service.scheduledOptions?.options ?? []
  const unscheduled = result.unchanged.filter((key) => planned.some((it) => it.key === key))
  if (result.changed.length === 0 && unscheduled.length === 0) {
    throw unprocessable('The service has these options already.', 'options_unchanged')
  }
  const price = await pricesFor(
    db,
    { tenantId, sales: [{ ...service, lines: [{ productId }] }] },
    now,
  )
  const wanted = { service, product, plan, changed: result.changed, unscheduled, price }
  if (isTrial) return quoteInTrial(wanted, now)
  const facts = await factsOf(db, service, product, since)
  assertSold(facts)
  const quote = quoteInPeriod(facts, { ...wanted, waive: wish.waive }, now)
  if (quote.scheduled.length > 0 && facts.later.length > 0) {
    throw conflict('The next period is paid for already.', 'next_period_paid')
  }
  if (quote.creditedCents > 0) await assertNotDisputed(db, service)
  return quote
}

/** 409: options cannot be changed beside a plan that is planned. */
export function planPlanned(): Problem {
  const message = 'Its plan changes with the next period. Take that back first.'
  return conflict(message, 'change_planned')
}

function optionedOf(
  { interval, intervalCount, currency, locationId, components: kept }: ServiceRow,
  product: ProductRow,
  { isStaff }: OptionWish,
  isTrial: boolean,
) {
  const terms = { interval, intervalCount, currency }
  return { product, terms, kept, locationId, isTrial, isStaff }
}

/** Whether a service is on trial: its first period has not begun. */
function isOnTrial({ currentPeriodStart: start, anchorAt, trialDays }: ServiceRow): boolean {
  return trialDays > 0 && start !== null && anchorAt !== null && start < anchorAt
}

/** Throws 409 while free days run or are still to come: they were given for the service as it was. */
function assertSold({ running, later }: Facts): void {
  const free = [...(running ? [running] : []), ...later.map(({ period }) => period)]
  if (!free.some((row) => freeTimeOf(row))) return
  const message = 'The options of this service can be changed when its free days are over.'
  throw conflict(message, 'free_days_running')
}

type Wanted = {
  readonly service: ServiceRow
  readonly product: ProductRow
  readonly plan: PlanRow
  readonly changed: readonly ChangedOption[]
  readonly unscheduled: readonly string[]
  readonly price: Price
}

/**
 * The quote during a trial: nothing is due before its end, and the first invoice has the new prices and the fees
 * (S2.10).
 */
function quoteInTrial({ service, price, ...wanted }: Wanted, now: Instant): OptionQuote {
  const { userId, currency, valueCents, components: before } = service
  if (service.invoicedTo !== service.currentPeriodEnd) {
    throw conflict('The first period is invoiced already. Pay it first.', 'next_period_paid')
  }
  const changed = wanted.changed.map(({ key, component }) => {
    return { key, component: component && { ...component, valueCents: cents(0) } }
  })
  const components = withChanged<KeptComponent>(before, changed)
  const whole = wholeAfter(service, { ...wanted, price }, components)
  const document = price({ userId, currency, lines: [] as SaleLine[] })
  return {
    ...wanted,
    ...{ ...whole, components, valueCents, document, changed, options: changed },
    ...{ scheduled: [], scheduledAt: null },
    ...{ effect: 'at_once', effectiveAt: now, pricedAt: now, anchorAt: null, parts: [] },
    ...{ countedPeriodIds: null, creditedCents: cents(0) },
    proration: { ...NOTHING, currency, lines: [] },
  }
}

/** One option that changes: what it was, what it becomes, and what that costs. */
type Worth = ChangedOption & {
  readonly before: KeptComponent | undefined
  readonly money: ProratedComponent
  readonly feeCents: Cents
  readonly position: number
  readonly isWaived: boolean
}

function quoteInPeriod(
  facts: Facts,
  { waive, ...wanted }: Wanted & { readonly waive: boolean },
  now: Instant,
): OptionQuote {
  const { service, price } = wanted
  const { userId, currency } = service
  const worths = wanted.changed
    .map((it) => worthOf(facts, price, it))
    .sort((a, b) => a.position - b.position)
  const isNow = ({ money }: Worth) => facts.immediateCredit || money.priceCents >= money.valueCents
  const scheduled = worths.filter((it) => !isNow(it))
  const made = worths.filter(isNow).map((it) => (waive ? waived(it) : it))
  const changed = made.map(({ key, component, money }) => {
    const { priceCents: valueCents } = money
    return { key, component: component && { ...component, feeCents: cents(0), valueCents } }
  })
  const components = withChanged<KeptComponent>(service.components, changed)
  const all = withChanged<Component>(components, scheduled)
  const { product, plan, customerPrice } = wholeAfter(service, wanted, all)
  const lines = made.flatMap((it) => linesOf(facts, wanted, it))
  const [own, ...parts] = partsOf(facts, made)
  const change = {
    ...{ product, plan, customerPrice, components, options: changed },
    priceCents: priceWith(service, components),
    valueCents: own?.valueCents ?? service.valueCents,
    prorated: proratedOf(facts, made, lines),
    ...{ anchorAt: null, countedPeriodIds: null, parts: own ? [own, ...parts] : [] },
  }
  const later = facts.later.map((it, index) => {
    const credits = made.map(({ money }) => money.later[index]?.creditCents ?? 0)
    return { ...it, creditCents: sumCents(credits) }
  })
  const counted = { ...facts, later, immediateCredit: true }
  const documents = documentsOf(counted, change, { userId, currency, lines }, price)
  const quote = quoteOf(counted, change, documents, now)
  const { currentPeriodEnd: end, freeUntil } = service
  const next = end && plannedFrom({ currentPeriodEnd: end, freeUntil })
  const waits = made.length === 0 && scheduled.length > 0
  return {
    ...quote,
    ...(waits && { effect: 'next_period', effectiveAt: next }),
    ...{ changed, unscheduled: wanted.unscheduled },
    scheduled: scheduled.map(({ key, component }) => {
      return { key, component: component && { ...component, feeCents: cents(0) } }
    }),
    scheduledAt: scheduled.length > 0 ? next : null,
  }
}

/** Likewise, but free of charge: a dearer option is not charged, and is worth what was paid before. */
function waived(worth: Worth): Worth {
  const { money } = worth
  if (money.priceCents < money.valueCents) return worth
  const nothing = { creditCents: cents(0), chargeCents: cents(0) }
  const later = money.later.map(() => nothing)
  const { valueCents } = money
  const free = { ...money, ...nothing, priceCents: valueCents, current: nothing, later }
  return { ...worth, feeCents: cents(0), money: free, isWaived: true }
}

/** The price of a whole period with all changes made, as the customer pays it. */
function wholeAfter(
  service: ServiceRow,
  { product, plan, price }: Pick<Wanted, 'product' | 'plan' | 'price'>,
  components: readonly Component[],
) {
  const { userId, currency } = service
  const priceCents = priceWith(service, components)
  const lines = saleLinesOf({ product, plan, priceCents, components })
  return {
    product,
    plan,
    priceCents,
    customerPrice: customerPriceOf(price({ userId, currency, lines })),
  }
}

function worthOf(facts: Facts, price: Price, { key, component }: ChangedOption): Worth {
  const { service, period, since: at, mode } = facts
  const before = service.components.find((it) => it.key === key)
  const costs = (start: Instant) =>
    component ? chargedFor(facts, price, { component, before }, start) : cents(0)
  const valueCents = before?.valueCents ?? cents(0)
  const change = {
    ...{
      key,
      valueCents,
      priceCents: costs(period.end),
      heldCents: heldOf(facts, { key, valueCents }),
    },
    later: facts.later.map(({ period: row, held, creditCents }) => {
      const had = row.components.find((it) => it.key === key)
      const lines = held && linesOfComponent(held, key)
      const share = shareOf(creditCents, had?.valueCents ?? cents(0), row.valueCents)
      return { creditCents: lines ? keptOf(lines) : share, chargeCents: costs(row.startsAt) }
    }),
  }
  return {
    ...{ key, component, before, position: (component ?? before)?.position ?? 0 },
    money: prorateComponent(change, { period, at, mode }),
    feeCents: component && !wasHad(facts, component) ? component.feeCents : cents(0),
    isWaived: false,
  }
}

/** How much of the payment for a component is left, once a part of the period was refunded; null if none was. */
function heldOf(
  { heldCents, held, since, service }: Facts,
  { key, valueCents }: { key: string; valueCents: Cents },
): Cents | null {
  if (heldCents === null) return null
  const lines = linesOfComponent(held, key)
  return lines ? heldValue(lines, since) : shareOf(heldCents, valueCents, service.valueCents)
}

/** The share of an amount for a part that is worth `partCents` of `wholeCents`. */
function shareOf(amountCents: Cents, partCents: Cents, wholeCents: Cents): Cents {
  return wholeCents > 0 ? portion(amountCents, partCents, wholeCents) : cents(0)
}

/**
 * What a component costs this customer in a period that starts at a time: less the coupons that cover it. A percentage
 * applies in full; of a fixed amount, the share that the component has already (S2.2).
 */
function chargedFor(
  { service, current, counted }: Facts,
  price: Price,
  { component, before }: { component: Component; before: KeptComponent | undefined },
  start: Instant,
): Cents {
  const { userId, currency, interval, planId } = service
  const n = counted.filter((it) => it < start).length + 1
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], n)
  const percent = coupons.filter(({ type }) => type === 'percent')
  const target = { product: current, plan: { id: planId, interval } }
  const worthIn = (components: readonly Component[], priceCents: Cents, with_: typeof coupons) => {
    const lines = saleLinesOf({ ...target, priceCents, components })
    const priced = price({ userId, currency, lines, coupons: with_ }).lines
    const line = priced.find((it) => it.component === component.key)
    return line ? line.subtotalCents - line.discountCents : 0
  }
  const own = worthIn([component], component.priceCents, percent)
  if (!before || percent.length === coupons.length) return cents(own)
  const [without, with_] = [percent, coupons].map((it) =>
    worthIn(service.components, service.priceCents, it),
  )
  return cents(Math.max(0, own - ((without ?? 0) - (with_ ?? 0))))
}

/** Whether a service already had a choice in this period: then no setup fee is charged again (S2.5). */
function wasHad(facts: Facts, { sourceId, valueId }: Component): boolean {
  return hadInPeriod(facts).some((it) => it.sourceId === sourceId && it.valueId === valueId)
}

/** The lines of one option: its credit, its charge and its fee, each left out when it is 0. */
function linesOf(
  { texts, period }: Facts,
  { product, plan }: Wanted,
  { key, component, before, money, feeCents }: Worth,
): (SaleLine & { readonly component?: string })[] {
  const { categoryId, id: productId } = product
  const place = { productId, categoryId, planId: plan.id, interval: plan.interval, setupFee: false }
  const day = lastDayOf(period)
  const nameOf = ({ name, label }: Component) => texts.component(name, label)
  const paid = { ...place, component: key, asCharged: true }
  const lines = [
    before && {
      ...{ ...paid, quantity: -1, unitPriceCents: money.creditCents },
      description: texts.unusedTime(nameOf(before), day),
    },
    component && {
      ...{ ...paid, quantity: 1, unitPriceCents: money.chargeCents },
      description: texts.restOfPeriod(nameOf(component), day),
    },
    component && {
      ...{ ...place, setupFee: true, quantity: 1, unitPriceCents: feeCents },
      description: texts.setup(nameOf(component)),
    },
  ]
  return lines.flatMap((line) => (line && line.unitPriceCents > 0 ? line : []))
}

function proratedOf({ service }: Facts, made: readonly Worth[], lines: readonly SaleLine[]) {
  const sum = (of: (it: Worth) => Cents) => sumCents(made.map(of))
  const creditCents = sum(({ money }) => money.creditCents)
  const chargeCents = sum(({ money, feeCents }) => sumCents([money.chargeCents, feeCents]))
  return {
    ...{ creditCents, chargeCents, netCents: cents(chargeCents - creditCents) },
    currency: service.currency,
    lines: lines.map(({ description, quantity, unitPriceCents }) => {
      const netCents = cents(quantity * unitPriceCents)
      return { description, quantity, unitPriceCents, netCents }
    }),
    current: {
      creditCents: sum(({ money }) => money.current.creditCents),
      chargeCents: sum(({ money }) => money.current.chargeCents),
    },
  }
}

/**
 * What is credited and charged for the current period and for each later one that is paid, and what each is worth after
 * that.
 */
function partsOf({ service, since, period, later }: Facts, made: readonly Worth[]): ChangePart[] {
  if (made.length === 0) return []
  const own = partOf(
    { startsAt: since, endsAt: period.end, valueCents: service.valueCents },
    service.components,
    made.map(({ key, component, money }) => {
      return { key, component, ...money.current, valueCents: money.priceCents }
    }),
  )
  const others = later.map(({ period: row }, index) =>
    partOf(
      row,
      row.components,
      made.map(({ key, component, money, isWaived }) => {
        const { creditCents = cents(0), chargeCents = cents(0) } = money.later[index] ?? {}
        const had = row.components.find((it) => it.key === key)?.valueCents ?? cents(0)
        return {
          key,
          component,
          creditCents,
          chargeCents,
          valueCents: isWaived ? had : chargeCents,
        }
      }),
    ),
  )
  return [own, ...others]
}

type Cost = ChangedOption & {
  readonly creditCents: Cents
  readonly chargeCents: Cents
  readonly valueCents: Cents
}

function partOf(
  { startsAt, endsAt, valueCents }: Pick<ChangePart, 'startsAt' | 'endsAt' | 'valueCents'>,
  components: readonly KeptComponent[],
  costs: readonly Cost[],
): ChangePart {
  const values = Object.fromEntries(costs.map((it) => [it.key, it.valueCents]))
  const after = withChanged<Component>(components, costs)
  const kept = Object.fromEntries(components.map((it) => [it.key, it.valueCents]))
  const worth = withValues(after, { ...kept, ...values })
  const gone = components.filter(({ key }) => costs.some((it) => it.key === key))
  const come = worth.filter(({ key }) => costs.some((it) => it.key === key))
  const sum = (of: readonly { valueCents: Cents }[]) => sumCents(of.map((it) => it.valueCents))
  return {
    ...{ startsAt, endsAt, valueCents: cents(valueCents - sum(gone) + sum(come)) },
    creditCents: sumCents(costs.map((it) => it.creditCents)),
    chargeCents: sumCents(costs.map((it) => it.chargeCents)),
    values: Object.fromEntries(worth.map((it) => [it.key, it.valueCents])),
    components: Object.fromEntries(
      costs.map(({ key, creditCents, chargeCents }) => [key, { creditCents, chargeCents }]),
    ),
  }
}
