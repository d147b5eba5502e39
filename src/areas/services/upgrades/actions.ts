import {
  HOUSE_REASONS,
  type InvoiceRow,
  lineTextsFor,
  openInvoice,
  proFormaEnd,
  refundInvoice,
  voidInvoice,
} from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { periodOf } from '#lib/periods.ts'
import { conflict, notFound, Problem } from '#lib/problem.ts'
import { dayOf, type Instant, later, MINUTE_MS, millis, SECOND_MS } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import type { PanelFailure } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { findProduct, releaseOrderStock, reserveStock, returnValues } from '#store'
import { besideText, changesBetween } from '../components/rules.ts'
import { replaceScheduled, unitsOf } from '../components/schedule.ts'
import { undoChange } from '../deliveries/asking.ts'
import { serviceUpgraded } from '../events.ts'
import { BUSY_MS } from '../leases/queries.ts'
import { reopenNext, schedulePlan } from '../lifecycle/actions.ts'
import {
  findService,
  lockService,
  type ServiceKey,
  type ServiceRow,
  updateService,
} from '../queries.ts'
import { recordRecurringRevenue } from '../recurring/actions.ts'
import { rollService } from '../renewals/settlement.ts'
import { cancelTaskOf } from '../tasks/queries.ts'
import { applyUpgrade, restoreGivenUp } from '../work.ts'
import type { Misfit } from './fits.ts'
import { creditOld, moveOn } from './move.ts'
import { type OptionQuote, type OptionWish, planPlanned, quoteOptions } from './option-quote.ts'
import { cancelUpgrade, startUpgrade } from './payment.ts'
import { keepOptions, resumePlanned } from './planned.ts'
import {
  findOpenUpgrade,
  insertUpgrade,
  lockUpgrade,
  type UpgradeKey,
  type UpgradeRow,
  updateUpgrade,
} from './queries.ts'
import { quoteUpgrade, type UpgradeQuote, type UpgradeWish } from './quote.ts'
import {
  assertQuoted,
  type Preview,
  quotedAt,
  quotedOptions,
  quotedUpgrade,
  quoteExpired,
} from './quote-token.ts'
import { nextRoomLook } from './rules.ts'

/**
 * Orders a change of a service. If there is something to pay, an unpaid invoice is created; if not, the change starts
 * at once; a change to a cheaper plan is planned for the next period, with its options. The price is that of
 * `quoteUpgrade`, or that of the preview whose token is given: throws 409 `quote_expired` if the change no longer costs
 * that. Throws 404, 409 and 422 as the quote; 409 while another change is open.
 */
export async function orderUpgrade(
  tx: Tx,
  owner: Pick<Caller, 'tenantId' | 'userId'>,
  { serviceId, preview, ...wish }: UpgradeWish & ByToken,
  now: Instant,
): Promise<Ordered<UpgradeQuote>> {
  const service = await lockForChange(tx, owner, serviceId, now)
  const since = pricedSince(service, preview, now)
  const quote = await quoteUpgrade(tx, service, wish, now, since)
  if (preview) assertQuoted(preview, quotedUpgrade(service, wish, quote))
  await assertNoneOpen(tx, service)
  if (quote.effect === 'next_period') {
    const { product, plan, options } = quote
    await schedulePlan(tx, service, { productId: product.id, planId: plan.id, options }, now)
    return { quote, invoice: null }
  }
  return { quote, invoice: await placeChange(tx, service, { quote, kind: 'product' }, now) }
}

/** A service to be changed, and the preview that its change is ordered with. */
type ByToken = {
  readonly serviceId: string
  readonly preview?: Preview | undefined
}

/** From when on the time of a change is counted. Throws 409 if its preview was made in an earlier period. */
function pricedSince(
  { currentPeriodStart }: ServiceRow,
  preview: Preview | undefined,
  now: Instant,
): Instant {
  const since = preview ? quotedAt(preview, now) : now
  if (since < (currentPeriodStart ?? since)) throw quoteExpired()
  return since
}

/** A change that was ordered, with its quote, and its invoice if one has to be paid first. */
type Ordered<Q> = { quote: Q; invoice: InvoiceRow | null }

/** Locks an owner's service, in the current period that is paid for. Throws 404. */
async function lockForChange(
  tx: Tx,
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  id: string,
  now: Instant,
): Promise<ServiceRow> {
  const key = { tenantId, id }
  const found = await lockService(tx, key)
  if (found?.userId !== userId) throw notFound('Service')
  await rollService(tx, key, now)
  return (await lockService(tx, key)) ?? found
}

async function assertNoneOpen(tx: Tx, { tenantId, id }: ServiceRow): Promise<void> {
  if (!(await findOpenUpgrade(tx, tenantId, id))) return
  throw conflict('A change of this service is under way.', 'upgrade_in_progress')
}

/** How long stock that an unpaid change takes is reserved for it, as for an order (S1.10). */
const HOLD_MS = 30 * MINUTE_MS

/**
 * Orders other options. Dearer ones are invoiced, or changed at once if nothing is due; cheaper ones are planned for
 * the next period. The price is that of `quoteOptions`, or that of the preview whose token is given: throws 409
 * `quote_expired` if the change no longer costs that. Throws 404, 409 and 422 as the quote.
 */
export async function orderOptions(
  tx: Tx,
  owner: Pick<Caller, 'tenantId' | 'userId'>,
  { serviceId, preview, ...wish }: OptionWish & ByToken,
  now: Instant,
): Promise<Ordered<OptionQuote>> {
  const service = await lockForChange(tx, owner, serviceId, now)
  await assertNoneOpen(tx, service)
  const since = pricedSince(service, preview, now)
  const quote = await quoteOptions(tx, service, wish, now, since)
  if (preview) assertQuoted(preview, quotedOptions(service, wish, quote))
  const { scheduled, unscheduled, changed } = quote
  if (scheduled.length > 0 || unscheduled.length > 0) {
    await scheduleOptions(tx, service, { scheduled, unscheduled }, now)
  }
  if (changed.length === 0) return { quote, invoice: null }
  return { quote, invoice: await placeChange(tx, service, { quote, kind: 'options' }, now) }
}

async function scheduleOptions(
  tx: Tx,
  service: ServiceRow,
  { scheduled, unscheduled }: Pick<OptionQuote, 'scheduled' | 'unscheduled'>,
  now: Instant,
): Promise<void> {
  const invoicedTo = await reopenNext(tx, service, HOUSE_REASONS.optionsChanged, now)
  const gone = new Set([...unscheduled, ...scheduled.map(({ key }) => key)])
  const kept = (service.scheduledOptions?.options ?? []).filter(({ key }) => !gone.has(key))
  await replaceScheduled(tx, service, [...kept, ...scheduled], now)
  await updateService(tx, service, { invoicedTo, nextInvoiceAt: now })
}

/**
 * Cancels what was planned for an option with the next period. Throws 404, and 409 once that period is paid or if the
 * option changes with the plan.
 */
export async function unscheduleOption(
  tx: Tx,
  owner: Pick<Caller, 'tenantId' | 'userId'>,
  { serviceId, key }: { serviceId: string; key: string },
  now: Instant,
): Promise<void> {
  const service = await lockForChange(tx, owner, serviceId, now)
  const isPlanned = service.scheduledOptions?.options.some((it) => it.key === key)
  if (!isPlanned) throw notFound('Scheduled option')
  if (service.scheduledPlanId) throw planPlanned()
  await scheduleOptions(tx, service, { scheduled: [], unscheduled: [key] }, now)
}

/** Stores a change with its invoice; a change for which nothing is due starts at once. */
async function placeChange(
  tx: Tx,
  service: ServiceRow,
  { quote, kind }: { quote: UpgradeQuote; kind: UpgradeRow['kind'] },
  now: Instant,
): Promise<InvoiceRow | null> {
  const { tenantId, id: serviceId, components: componentsBefore } = service
  const { plan, priceCents, valueCents, anchorAt, countedPeriodIds, creditedCents, parts } = quote
  const { components, pricedAt } = quote
  const productId = quote.product.id
  const planId = plan.id
  const id = newId()
  const { interval, intervalCount } = plan
  await insertUpgrade(tx, {
    ...{ tenantId, id, serviceId, productId, planId, priceCents, valueCents, createdAt: now },
    ...{ anchorAt, countedPeriodIds, creditCents: creditedCents, parts, kind, pricedAt },
    ...{ components, componentsBefore },
    ...(anchorAt && { interval, intervalCount }),
  })
  const items = unitsOf(componentsBefore, changesBetween(componentsBefore, components))
  const heldUntil = later(now, HOLD_MS)
  await reserveStock(tx, { tenantId, reference: id, items, heldUntil }, now)
  if (quote.document.totalCents <= 0) {
    await startUpgrade(tx, { tenantId, id }, now)
    return null
  }
  const dueAt = await proFormaEnd(tx, tenantId, now)
  const invoice = await openInvoice(tx, invoiceOf(service, quote, { reference: id, dueAt }), now)
  await updateUpgrade(tx, { tenantId, id }, { invoiceId: invoice.id })
  return invoice
}

function invoiceOf(
  service: ServiceRow,
  quote: UpgradeQuote,
  { reference, dueAt }: { reference: string; dueAt: Instant },
) {
  const { tenantId, userId } = service
  const kind = 'upgrade' as const
  return { tenantId, userId, kind, reference, document: documentOf(service, quote), dueAt }
}

/** The document for the invoice of a change: its lines, each with the time that it is for. */
export function documentOf(
  { id: serviceId, currentPeriodEnd }: ServiceRow,
  { document, anchorAt, plan }: UpgradeQuote,
) {
  // The credit is for the rest of the old period; with another cycle, a whole period is sold.
  const sold = anchorAt ? periodOf(anchorAt, plan, 0).end : currentPeriodEnd
  const lines = document.lines.map((line) => {
    const periodEnd = line.quantity < 0 ? currentPeriodEnd : sold
    return { ...line, serviceId, periodStart: anchorAt, periodEnd }
  })
  return { ...document, lines }
}

/** Other work is under way on the server: the change is tried again soon, and this does not count as a failed try. */
export function postponeUpgrade(tx: Tx, upgrade: UpgradeRow, now: Instant): Promise<void> {
  return tryAt(tx, upgrade, { nextAt: later(now, BUSY_MS) }, now)
}

/** Records a failed try, and enqueues the job that tries again later. */
export async function retryUpgrade(
  tx: Tx,
  upgrade: UpgradeRow,
  { nextAt, failure }: { nextAt: Instant; failure: PanelFailure },
  now: Instant,
): Promise<void> {
  await tryAt(tx, upgrade, { attempt: upgrade.attempt + 1, nextAt, lastError: failure }, now)
}

async function tryAt(
  tx: Tx,
  { tenantId, id }: UpgradeRow,
  { nextAt, ...change }: Parameters<typeof updateUpgrade>[2] & { nextAt: Instant },
  now: Instant,
): Promise<void> {
  await updateUpgrade(tx, { tenantId, id }, { ...change, nextAt, leaseUntil: null })
  const seconds = Math.ceil(Math.max(0, millis(nextAt) - millis(now)) / SECOND_MS)
  await enqueue(tx, applyUpgrade, { tenantId, upgradeId: id }, { startAfterSeconds: seconds })
}

/**
 * The panel has made the change: the service is on the new product from now on. Money returned for the old one becomes
 * credit, and an open renewal is invoiced again at the new price (R4.9).
 */
export async function completeUpgrade(tx: Tx, key: UpgradeKey, now: Instant): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.appliedAt || upgrade.failedAt) return
  const { tenantId, serviceId } = upgrade
  await updateUpgrade(tx, key, { appliedAt: now, nextAt: null, leaseUntil: null })
  const service = await lockService(tx, { tenantId, id: serviceId })
  if (!service) return
  await moveOn(tx, service, upgrade, now)
  const after = await findService(tx, service)
  if (after) await recordRecurringRevenue(tx, after, upgrade.invoiceId ?? after.invoiceId, now)
  if (after) await returnGivenUp(tx, service, after)
  const reason =
    upgrade.kind === 'options' ? HOUSE_REASONS.optionsChanged : HOUSE_REASONS.changeOfProduct
  if (upgrade.creditCents) await creditOld(tx, service, upgrade.creditCents, now, reason)
  const product = await nameOf(tx, service, upgrade)
  const { delivery } = service
  const data = { name: service.name, product, delivery }
  const link = `/servers/${serviceId}`
  const { userId, orderId } = service
  await notify(tx, { tenantId, userId, kind: 'service_upgraded', data, link }, now)
  await emit(tx, serviceUpgraded, { tenantId, serviceId, userId, orderId })
  await resumePlanned(tx, service, now)
}

/** Returns to stock a unit of each value that a service has given up, if the host has chosen that. */
async function returnGivenUp(tx: Tx, before: ServiceRow, after: ServiceRow): Promise<void> {
  const { tenantId } = before
  const has = new Set(after.components.map(({ valueId }) => valueId))
  const valueIds = before.components.flatMap(({ valueId }) =>
    valueId === null || has.has(valueId) ? [] : [valueId],
  )
  await returnValues(tx, { tenantId, valueIds, unused: false })
}

/** What a service changes to, as its owner reads it: the product, and the options that change. */
async function nameOf(tx: Tx, service: ServiceRow, upgrade: UpgradeRow): Promise<string> {
  const { tenantId, productId, kind, componentsBefore, components } = upgrade
  const product = await findProduct(tx, { tenantId, id: productId })
  if (!product || kind === 'product') return product?.name ?? ''
  const texts = await lineTextsFor(tx, service)
  const changed = changesBetween(componentsBefore ?? [], components)
  const named = changed.flatMap(({ component }) => component ?? [])
  return besideText(product.name, named, texts)
}

/**
 * A planned change does not fit the server as it is: the customer is told why, and the change is tried again for some
 * days of the new period. After that it has failed.
 */
export async function waitForRoom(
  tx: Tx,
  upgrade: UpgradeRow,
  { misfit, failure }: { misfit: Misfit; failure: PanelFailure },
  now: Instant,
): Promise<void> {
  const current = await lockUpgrade(tx, upgrade)
  // The change was given up while the panel was asked.
  if (!current || current.appliedAt || current.failedAt || current.canceledAt) return
  const { tenantId, serviceId, lastError } = current
  const service = await lockService(tx, { tenantId, id: serviceId })
  const { currentPeriodStart: start, currentPeriodEnd: end } = service ?? {}
  const look = start && end ? nextRoomLook({ start, end }, now) : undefined
  if (!service || !look) return failUpgrade(tx, upgrade, failure, now)
  await retryUpgrade(tx, upgrade, { nextAt: look.at, failure }, now)
  if (lastError?.code === misfit) return
  const product = await nameOf(tx, service, current)
  const until = dayOf(look.until)
  const data = { name: service.name, product, misfit, until }
  const { userId } = service
  const link = `/servers/${serviceId}`
  await notify(tx, { tenantId, userId, kind: 'upgrade_waiting', data, link }, now)
}

/** The panel does not make the change: the service stays as it was, and the money becomes credit. */
export async function failUpgrade(
  tx: Tx,
  key: UpgradeKey,
  failure: PanelFailure,
  now: Instant,
): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.appliedAt || upgrade.failedAt) return
  const { tenantId, serviceId, invoiceId } = upgrade
  const ended = { failedAt: now, nextAt: null, leaseUntil: null }
  const done = { ...ended, failureCode: failure.code, lastError: failure }
  await updateUpgrade(tx, key, done)
  await cancelTaskOf(tx, key, now)
  await releaseOrderStock(tx, { tenantId, reference: key.id }, now)
  // A call whose answer was lost may still have reached the panel.
  await enqueue(tx, restoreGivenUp, { tenantId, upgradeId: key.id, attempt: 0 })
  const service = await lockService(tx, { tenantId, id: serviceId })
  if (invoiceId) {
    await giveBack(tx, { tenantId, invoiceId }, now)
  }
  if (!service) return
  if (upgrade.kind === 'options' && upgrade.parts?.length === 0) await keepOptions(tx, service)
  await undoChange(tx, service, key.id, now)
  const product = await nameOf(tx, service, upgrade)
  const isPaidBack = invoiceId !== null
  const { delivery } = service
  const data = { name: service.name, product, isPaidBack, delivery }
  const link = `/servers/${serviceId}`
  const { userId } = service
  await notify(tx, { tenantId, userId, kind: 'upgrade_failed', data, link }, now)
  const { code, detail } = failure
  const facts = { name: service.name, code, detail }
  const attention = { tenantId, topic: 'upgrade_failed' as const, facts }
  await notifyAdmins(tx, { ...attention, link: `/admin${link}` }, now)
  await resumePlanned(tx, service, now)
}

/**
 * Gives up the change of a service that is under way, for an operator: if unpaid, its invoice is voided; if paid, the
 * money becomes credit. Throws 409 if there is no change.
 */
export async function abandonUpgrade(
  tx: Tx,
  { tenantId, id: serviceId }: ServiceKey,
  now: Instant,
): Promise<void> {
  const open = await findOpenUpgrade(tx, tenantId, serviceId)
  if (!open) throw conflict('No change of this service is under way.', 'no_upgrade')
  if (open.paidAt) {
    const detail = 'An administrator gave the change up.'
    return failUpgrade(tx, open, { code: 'given_up', detail, at: now }, now)
  }
  await cancelUpgrade(tx, open, now)
  const { invoiceId } = open
  const reason = HOUSE_REASONS.changeGivenUp
  if (invoiceId) await voidInvoice(tx, { tenantId, invoiceId }, reason, now)
}

/** What was paid for a change becomes credit, unless it was given back or taken back already. */
async function giveBack(
  tx: Tx,
  invoice: { tenantId: string; invoiceId: string },
  now: Instant,
): Promise<void> {
  try {
    const reason = HOUSE_REASONS.changeFailed
    await refundInvoice(tx, { ...invoice, to: 'credit', reason }, now)
  } catch (error) {
    // Nothing was written before a refusal.
    if (!(error instanceof Problem)) throw error
  }
}

/** When the lease of one try on a change ends: later than the panel may take to answer. */
export function upgradeLeaseEnd(now: Instant): Instant {
  return later(now, 230 * SECOND_MS)
}
