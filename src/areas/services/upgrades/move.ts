import { adminAttention, findInvoice, HOUSE_REASONS, type Reason } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { type Instant, millis } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import {
  changesBetween,
  priceWith,
  withChanged,
  withoutValues,
  withValues,
} from '../components/rules.ts'
import { replaceScheduled } from '../components/schedule.ts'
import { freeAfter, freeTimeOf } from '../free-days/rules.ts'
import { creditHeldValue, giveBack } from '../held/actions.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { withdrawBegunAfter } from '../renewals/closing.ts'
import {
  deletePriceChanges,
  insertPeriod,
  listPaidGivenUp,
  listPeriods,
  movePriceChanges,
  type PeriodRow,
  updatePeriod,
} from '../renewals/queries.ts'
import { importedShareOf, periodShareOf } from '../shares.ts'
import { listMadeChanges, type UpgradeRow } from './queries.ts'

/**
 * Puts a locked service on the product and plan of a change that was made. Period and anchor stay, except with another
 * cycle, whose periods begin at the change (R4.9, R4.10). Each paid period is worth what the change charged for it. A
 * period that was paid after the change was priced, and has not begun, is given back and invoiced again. A period that
 * has begun stays owed and worth what it was sold for.
 */
export async function moveOn(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<void> {
  const { productId, planId } = upgrade
  const reason = reasonOf(upgrade)
  // Another cycle begins when it was ordered, and replaces all later periods.
  const after = upgrade.anchorAt ?? now
  const unpricedFrom = await giveBackUnpriced(tx, service, upgrade, now)
  const invoiced = { ...service, invoicedTo: unpricedFrom ?? service.invoicedTo }
  const invoicedTo = await withdrawBegunAfter(tx, invoiced, { reason, after }, now)
  const own = afterChange(upgrade, service)
  await forgetPlanned(tx, service, upgrade, now)
  const periods = await listPeriods(tx, service)
  const current = periods.find(({ startsAt }) => startsAt === service.currentPeriodStart)
  const isFree = current !== undefined && freeTimeOf(current) !== null
  const worth = isFree ? upgrade : worthAfter(upgrade, service.currentPeriodEnd, service)
  await updateService(tx, service, {
    ...{ productId, planId, priceCents: own.priceCents },
    ...{ invoicedTo, nextInvoiceAt: now },
    valueCents: worth?.valueCents ?? service.valueCents,
    components: worth?.components ?? own.components,
  })
  const left = periods.filter(({ endsAt }) => endsAt > after)
  const paid = left.filter((it) => it.paidAt || it.startsAt < (service.currentPeriodEnd ?? now))
  if (upgrade.anchorAt && upgrade.interval && upgrade.intervalCount) {
    const { anchorAt: anchor, interval, intervalCount } = upgrade
    return beginAnew(
      tx,
      service,
      { upgrade, paid, anchor, cycle: { interval, intervalCount } },
      now,
    )
  }
  for (const period of paid) {
    const worth = worthAfter(upgrade, period.endsAt, period)
    const { priceCents, components: unpriced } = afterChange(upgrade, period)
    const valueCents = worth?.valueCents ?? period.valueCents
    const components = worth?.components ?? unpriced
    await updatePeriod(tx, period, { productId, planId, priceCents, valueCents, components })
  }
}

function reasonOf({ kind }: Pick<UpgradeRow, 'kind'>) {
  return kind === 'options' ? HOUSE_REASONS.optionsChanged : HOUSE_REASONS.productChanged
}

type Having = Pick<ServiceRow, 'priceCents' | 'components'>

/**
 * The components of a service or a period after a change, and the price of everything together. With another product,
 * both are those of the change; with other options, only the options that change are replaced, and each component keeps
 * the worth it had.
 */
export function afterChange(
  upgrade: Pick<UpgradeRow, 'kind' | 'priceCents' | 'components' | 'componentsBefore'>,
  before: Having,
): Having {
  const { kind, priceCents, components, componentsBefore } = upgrade
  if (kind === 'product') return { priceCents, components }
  const after = withChanged(before.components, changesBetween(componentsBefore ?? [], components))
  const worth = Object.fromEntries(before.components.map((it) => [it.key, it.valueCents]))
  return { priceCents: priceWith(before, after), components: withValues(after, worth) }
}

/**
 * A change to another product deletes what was planned for the next period, and announced prices. A change of options
 * deletes what was planned for these options, and adds their difference to an announced price.
 */
async function forgetPlanned(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<void> {
  if (upgrade.kind === 'product') {
    await deletePriceChanges(tx, service)
    await replaceScheduled(tx, service, [], now)
    await updateService(tx, service, { scheduledProductId: null, scheduledPlanId: null })
    return
  }
  const addsCents = afterChange(upgrade, service).priceCents - service.priceCents
  if (addsCents !== 0) await movePriceChanges(tx, service, addsCents)
  const planned = service.scheduledOptions?.options ?? []
  const changed = changesBetween(upgrade.componentsBefore ?? [], upgrade.components)
  const left = planned.filter(({ key }) => !changed.some((it) => it.key === key))
  if (left.length < planned.length) await replaceScheduled(tx, service, left, now)
}

/**
 * What a period is worth after a change, with its components: what the change charged for the whole period. Undefined
 * for a period that the change was not priced for.
 */
function worthAfter(
  upgrade: UpgradeRow,
  endsAt: Instant | null,
  before: Having,
): Pick<UpgradeRow, 'valueCents' | 'components'> | undefined {
  const { parts, valueCents, components } = upgrade
  // A change that was ordered before changes recorded their periods valued them all alike.
  if (parts === null) return { valueCents, components }
  const part = parts.find((it) => it.endsAt === endsAt)
  if (!part) return undefined
  const { values = {} } = part
  const after = afterChange(upgrade, before).components
  return { valueCents: part.valueCents, components: withValues(after, values) }
}

/**
 * Later periods that were paid after a change was priced were paid at the old price: that money becomes credit, and
 * they are invoiced again at the new price. Money that a bank disputes cannot be given back: its period, and any before
 * it, stay as they were sold, unless another cycle replaces them. Returns the start of the first period that was given
 * back.
 */
async function giveBackUnpriced(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<Instant | null> {
  // A planned change of options: the period it was planned for, and those after it, were sold with these options.
  if (upgrade.kind === 'options' && upgrade.parts?.length === 0) return null
  const periods = (await listPeriods(tx, service)).filter(
    (it) => it.paidAt && isUnpriced(upgrade, it, now),
  )
  let first: Instant | null = null
  for (const period of periods.reverse()) {
    const isReplaced = upgrade.anchorAt !== null
    // Free days were not paid for; periods after them stay where they are.
    if (!isReplaced && freeTimeOf(period)) return first
    const how = { period, isReplaced, reason: reasonOf(upgrade) }
    const isGivenBack = await giveBackPeriod(tx, service, how, now)
    if (!isGivenBack && isReplaced) continue
    if (!isGivenBack) return first
    await updatePeriod(tx, period, { voidedAt: now })
    first = period.startsAt
  }
  return first
}

/** Whether a change was not priced for a period that it changes or, with another cycle, replaces. */
function isUnpriced(upgrade: UpgradeRow, period: PeriodRow, now: Instant): boolean {
  const { anchorAt, countedPeriodIds } = upgrade
  const { id, startsAt, endsAt } = period
  if (anchorAt) return startsAt > anchorAt && countedPeriodIds?.includes(id) === false
  return startsAt > now && worthAfter(upgrade, endsAt, period) === undefined
}

/**
 * Gives back one period. Returns false, with nothing written, while a bank disputes its money, unless another cycle
 * replaces it: then it is given up whatever the bank decides.
 */
async function giveBackPeriod(
  tx: Tx,
  service: ServiceRow,
  {
    period: { invoiceId },
    isReplaced,
    reason,
  }: { period: PeriodRow; isReplaced: boolean; reason: Reason },
  now: Instant,
): Promise<boolean> {
  const { tenantId } = service
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (invoice?.status !== 'paid') return true
  const amountCents = invoice.imported
    ? await importedShareOf(tx, service, invoice)
    : await periodShareOf(tx, service, invoice)
  if (amountCents === 0) return true
  try {
    await giveBack(tx, service, invoice, { amountCents, to: 'credit', reason }, now)
    return true
  } catch (error) {
    // A refund is refused before anything is written.
    if (!(error instanceof Problem)) throw error
    if (!isReplaced) return false
    await creditHeldValue(tx, service, invoice, { amountCents, reason }, now)
    return true
  }
}

type NewCycle = {
  upgrade: UpgradeRow
  paid: readonly PeriodRow[]
  anchor: Instant
  cycle: Pick<ServiceRow, 'interval' | 'intervalCount'>
}

/** Begins the first period of another cycle; what was paid beyond the change was credited. */
async function beginAnew(
  tx: Tx,
  service: ServiceRow,
  { upgrade, paid, anchor, cycle }: NewCycle,
  now: Instant,
): Promise<void> {
  for (const period of paid) {
    const begun = period.startsAt < anchor
    await updatePeriod(tx, period, begun ? { endsAt: anchor } : { voidedAt: now })
  }
  const end = boundary(anchor, cycle, 1)
  const { productId, planId, priceCents, valueCents, invoiceId, components } = upgrade
  const { tenantId, id: serviceId } = service
  await insertPeriod(tx, {
    ...{ tenantId, id: newId(), serviceId, productId, planId, invoiceId, priceCents, valueCents },
    ...{ startsAt: anchor, endsAt: end, dueAt: anchor, createdAt: now, paidAt: now },
    ...{ dunningAt: null, components },
  })
  const invoicedTo = await keepFree(tx, service, { upgrade, paid, anchor, cycle }, now)
  await updateService(tx, service, {
    ...{ ...cycle, anchorAt: anchor, currentPeriodStart: anchor, currentPeriodEnd: end },
    ...{
      valueCents,
      components,
      invoicedTo,
      nextInvoiceAt: now,
      freeUntil: invoicedTo > end ? invoicedTo : null,
    },
  })
}

/** Puts the remaining free days after the first period of another cycle. Returns when the last of them ends. */
async function keepFree(
  tx: Tx,
  service: ServiceRow,
  { upgrade, paid, anchor, cycle }: NewCycle,
  now: Instant,
): Promise<Instant> {
  const { productId, planId, priceCents } = upgrade
  let start = boundary(anchor, cycle, 1)
  for (const row of paid) {
    const free = freeTimeOf(row)
    const kept =
      free && freeAfter(free, { at: anchor, start }, { from: service, to: cycle, priceCents })
    if (!kept) continue
    const { tenantId, serviceId, freeDays, freeReason } = row
    await insertPeriod(tx, {
      ...{ tenantId, id: newId(), serviceId, invoiceId: null, productId, planId, priceCents },
      ...{ startsAt: kept.start, endsAt: kept.end, valueCents: cents(0), dueAt: kept.start },
      ...{ createdAt: now, paidAt: now, dunningAt: null },
      ...{ freePriceCents: kept.basePriceCents, freeDays, freeReason },
      components: withoutValues(upgrade.components),
    })
    start = kept.end
  }
  return start
}

/**
 * Gives back what the old plan was still worth, tax included, by credit notes on the invoices it was paid with, newest
 * first (R4.9). An invoice whose money a bank disputes is left out. Staff are told of any amount that could not be
 * given back.
 */
export async function creditOld(
  tx: Tx,
  service: ServiceRow,
  amountCents: Cents,
  now: Instant,
  reason: Reason = HOUSE_REASONS.changeOfProduct,
): Promise<void> {
  const { tenantId } = service
  // A change of cycle gives up periods whose money it counted.
  const sold = [...(await listPeriods(tx, service)), ...(await listPaidGivenUp(tx, service))]
  const changes = await listMadeChanges(tx, service)
  const since = heldSince(service.currentPeriodStart ?? now, sold, changes)
  const periods = sold.map(({ invoiceId, startsAt: at }) => ({ invoiceId, at, until: at }))
  const upgrades = changes.toReversed().flatMap(({ invoiceId, paidAt: at, parts }) => {
    // A change also charged for the later periods that were paid by then, and for free days.
    const until = parts?.reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), at ?? since)
    return invoiceId && at ? { invoiceId, at, until: until ?? at } : []
  })
  // If a purchase and a change have the same time, the change came after the purchase.
  const invoices = [...upgrades, ...periods]
    .filter(({ at, until }) => at >= since || until > since)
    .sort((a, b) => millis(b.at) - millis(a.at))
    .flatMap(({ invoiceId }) => invoiceId ?? [])
  let left: number = amountCents
  for (const invoiceId of new Set(invoices)) {
    if (left <= 0) break
    const invoice = await findInvoice(tx, { tenantId, invoiceId })
    if (invoice?.status !== 'paid') continue
    const back = {
      amountCents: cents(left),
      to: 'credit' as const,
      reason,
    }
    try {
      left -= await giveBack(tx, service, invoice, back, now)
    } catch (error) {
      // A refund is refused before anything is written.
      if (!(error instanceof Problem)) throw error
    }
  }
  if (left <= 0) return
  const data = { serviceId: service.id, userId: service.userId, amountCents: left }
  await emit(tx, adminAttention, { tenantId, kind: 'change_not_credited', data })
}

/**
 * From when on invoices count as payment for the period that starts at a time: a period that began with a change of
 * cycle was also paid with the rest of the period before it (R4.10).
 */
function heldSince(
  start: Instant,
  periods: readonly Pick<PeriodRow, 'startsAt' | 'endsAt'>[],
  changes: readonly Pick<UpgradeRow, 'anchorAt'>[],
): Instant {
  let since = start
  while (changes.some(({ anchorAt }) => anchorAt === since)) {
    const before = periods.find(({ startsAt, endsAt }) => startsAt < since && endsAt === since)
    if (!before) break
    since = before.startsAt
  }
  return since
}
