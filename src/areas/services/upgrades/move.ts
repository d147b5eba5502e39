import { adminAttention, findInvoice, HOUSE_REASONS } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { type Instant, millis } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { freeAfter, freeTimeOf } from '../free-days/rules.ts'
import { giveBack, giveBackHeld } from '../held/actions.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { withdrawBegunAfter } from '../renewals/closing.ts'
import {
  deletePriceChanges,
  insertPeriod,
  listPaidGivenUp,
  listPeriods,
  type PeriodRow,
  updatePeriod,
} from '../renewals/queries.ts'
import { importedShareOf, linesFor } from '../shares.ts'
import { listMadeChanges, type UpgradeRow } from './queries.ts'

/**
 * Puts a locked service on the product and plan of a change that was made. Period and anchor stay,
 * but for another cycle, whose periods begin at the change (R4.9, R4.10). Each period that is paid is worth
 * what the change charged for it. One that was paid after the change was priced, and has not begun, is
 * given back and invoiced anew. A period that has begun stays owed and worth what it was sold for.
 */
export async function moveOn(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<void> {
  const { productId, planId, priceCents } = upgrade
  const reason = HOUSE_REASONS.productChanged
  // Another cycle begins where it was ordered, and holds whatever comes after.
  const after = upgrade.anchorAt ?? now
  const unpricedFrom = await giveBackUnpriced(tx, service, upgrade, now)
  const invoiced = { ...service, invoicedTo: unpricedFrom ?? service.invoicedTo }
  const invoicedTo = await withdrawBegunAfter(tx, invoiced, { reason, after }, now)
  const planned = { scheduledProductId: null, scheduledPlanId: null }
  await deletePriceChanges(tx, service)
  const periods = await listPeriods(tx, service)
  const current = periods.find(({ startsAt }) => startsAt === service.currentPeriodStart)
  const isFree = current !== undefined && freeTimeOf(current) !== null
  const worthCents = isFree ? upgrade.valueCents : valueAfter(upgrade, service.currentPeriodEnd)
  await updateService(tx, service, {
    ...{ productId, planId, priceCents, ...planned },
    ...{ invoicedTo, nextInvoiceAt: now },
    valueCents: worthCents ?? service.valueCents,
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
    const valueCents = valueAfter(upgrade, period.endsAt) ?? period.valueCents
    await updatePeriod(tx, period, { productId, planId, priceCents, valueCents })
  }
}

/**
 * What a period is worth after a change: what the change charged for a whole one of it. Undefined for a
 * period that the change was not priced for.
 */
function valueAfter(
  { parts, valueCents }: Pick<UpgradeRow, 'parts' | 'valueCents'>,
  endsAt: Instant | null,
): Cents | undefined {
  // A change that was ordered before it noted its periods counted them all alike.
  if (parts === null) return valueCents
  return parts.find((part) => part.endsAt === endsAt)?.valueCents
}

/**
 * Later periods that were paid after a change was priced were paid at the old price: that money becomes
 * credit, and they are invoiced again at the new one. Money that a bank holds cannot be given back: its
 * period, and any before it, stay as they were sold, unless another cycle takes their place. Answers where the
 * first that was given back starts.
 */
async function giveBackUnpriced(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<Instant | null> {
  const periods = (await listPeriods(tx, service)).filter(
    (it) => it.paidAt && isUnpriced(upgrade, it, now),
  )
  let first: Instant | null = null
  for (const period of periods.reverse()) {
    const isReplaced = upgrade.anchorAt !== null
    // Free days were not paid for; those that follow keep their place.
    if (!isReplaced && freeTimeOf(period)) return first
    const isGivenBack = await giveBackPeriod(tx, service, { period, isReplaced }, now)
    if (!isGivenBack && isReplaced) continue
    if (!isGivenBack) return first
    await updatePeriod(tx, period, { voidedAt: now })
    first = period.startsAt
  }
  return first
}

/** Whether a change did not count a period, which it changes or, with another cycle, takes the place of. */
function isUnpriced(
  { anchorAt, countedPeriodIds, ...upgrade }: UpgradeRow,
  { id, startsAt, endsAt }: PeriodRow,
  now: Instant,
): boolean {
  if (anchorAt) return startsAt > anchorAt && countedPeriodIds?.includes(id) === false
  return startsAt > now && valueAfter(upgrade, endsAt) === undefined
}

/**
 * False, with nothing written, while a bank holds its money, unless another cycle takes its place: then it is given up
 * whatever the bank decides.
 */
async function giveBackPeriod(
  tx: Tx,
  service: ServiceRow,
  { period: { invoiceId }, isReplaced }: { period: PeriodRow; isReplaced: boolean },
  now: Instant,
): Promise<boolean> {
  const { tenantId } = service
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (invoice?.status !== 'paid') return true
  const [amountCents] = invoice.imported
    ? [await importedShareOf(tx, service, invoice)]
    : await linesFor(tx, service, invoice)
  if (!amountCents) return true
  const reason = HOUSE_REASONS.productChanged
  try {
    await giveBack(tx, service, invoice, { amountCents, to: 'credit', reason }, now)
    return true
  } catch (error) {
    // A refund is refused before anything is written.
    if (!(error instanceof Problem)) throw error
    if (!isReplaced) return false
    await giveBackHeld(tx, service, invoice, { amountCents, reason }, now)
    return true
  }
}

type NewCycle = {
  upgrade: UpgradeRow
  paid: readonly PeriodRow[]
  anchor: Instant
  cycle: Pick<ServiceRow, 'interval' | 'intervalCount'>
}

/** The first period of another cycle; what was paid beyond the change was credited. */
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
  const { productId, planId, priceCents, valueCents, invoiceId } = upgrade
  const { tenantId, id: serviceId } = service
  await insertPeriod(tx, {
    ...{ tenantId, id: newId(), serviceId, productId, planId, invoiceId, priceCents, valueCents },
    ...{ startsAt: anchor, endsAt: end, dueAt: anchor, createdAt: now, paidAt: now },
    dunningAt: null,
  })
  const invoicedTo = await keepFree(tx, service, { upgrade, paid, anchor, cycle }, now)
  await updateService(tx, service, {
    ...{ ...cycle, anchorAt: anchor, currentPeriodStart: anchor, currentPeriodEnd: end },
    ...{
      valueCents,
      invoicedTo,
      nextInvoiceAt: now,
      freeUntil: invoicedTo > end ? invoicedTo : null,
    },
  })
}

/** Free days that are left follow the first period of another cycle; answers where the last of them ends. */
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
    })
    start = kept.end
  }
  return start
}

/**
 * Gives back what the old plan was still worth, tax included, by credit notes over the invoices it was
 * paid with, newest first (R4.9). An invoice whose money a bank holds is left out. Staff are told of what could not be
 * given back, for this or any other reason.
 */
export async function creditOld(
  tx: Tx,
  service: ServiceRow,
  amountCents: Cents,
  now: Instant,
): Promise<void> {
  const { tenantId } = service
  // A change of cycle gives periods up whose money it counted.
  const sold = [...(await listPeriods(tx, service)), ...(await listPaidGivenUp(tx, service))]
  const changes = await listMadeChanges(tx, service)
  const since = heldSince(service.currentPeriodStart ?? now, sold, changes)
  const periods = sold.map(({ invoiceId, startsAt: at }) => ({ invoiceId, at, until: at }))
  const upgrades = changes.toReversed().flatMap(({ invoiceId, paidAt: at, parts }) => {
    // A change also charged for the later periods that were paid by then, and for free days.
    const until = parts?.reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), at ?? since)
    return invoiceId && at ? { invoiceId, at, until: until ?? at } : []
  })
  // What was bought and changed in one instant was changed after it was bought.
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
      reason: HOUSE_REASONS.changeOfProduct,
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
 * From when on the invoices hold what a period is worth that starts at an instant: one that began with a
 * change of cycle was also paid with what was left of the period before it (R4.10).
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
