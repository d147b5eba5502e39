import {
  HOUSE_REASONS,
  type InvoiceRow,
  openInvoice,
  proFormaEnd,
  refundInvoice,
  voidInvoice,
} from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { periodOf } from '#lib/periods.ts'
import { conflict, notFound, Problem } from '#lib/problem.ts'
import { dayOf, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import type { PanelFailure } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { findProduct } from '#store'
import { undoChange } from '../deliveries/asking.ts'
import { serviceUpgraded } from '../events.ts'
import { BUSY_MS } from '../leases/queries.ts'
import { schedulePlan } from '../life/actions.ts'
import { findService, lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { noteRecurring } from '../recurring/actions.ts'
import { rollService } from '../renewals/settlement.ts'
import { cancelTaskOf } from '../tasks/queries.ts'
import type { Misfit } from './fits.ts'
import { applyUpgrade, restoreGivenUp } from './jobs.ts'
import { creditOld, moveOn } from './move.ts'
import {
  findOpenUpgrade,
  insertUpgrade,
  lockUpgrade,
  type UpgradeKey,
  type UpgradeRow,
  updateUpgrade,
} from './queries.ts'
import { quoteUpgrade, type UpgradeQuote } from './quote.ts'
import { nextRoomLook } from './rules.ts'
import type { UpgradeOrder } from './schema.ts'

/**
 * Orders a change of a service: with something to pay, an invoice that is not paid yet; with nothing
 * to pay, at once; to a cheaper plan, at the next period. 404, 409 and 422 as the quote; 409 while
 * another change is open.
 */
export async function orderUpgrade(
  tx: Tx,
  owner: Pick<Caller, 'tenantId' | 'userId'>,
  { serviceId, ...wanted }: Pick<UpgradeOrder, 'productId' | 'planId'> & { serviceId: string },
  now: Instant,
): Promise<{ quote: UpgradeQuote; invoice: InvoiceRow | null }> {
  const { tenantId, userId } = owner
  const key = { tenantId, id: serviceId }
  const found = await lockService(tx, key)
  if (found?.userId !== userId) throw notFound('Service')
  // A period that has begun and is paid for is the current one.
  await rollService(tx, key, now)
  const service = (await lockService(tx, key)) ?? found
  const quote = await quoteUpgrade(tx, service, wanted, now)
  if (await findOpenUpgrade(tx, tenantId, serviceId)) {
    throw conflict('A change of this service is under way.', 'upgrade_in_progress')
  }
  const { plan, priceCents, valueCents, anchorAt, countedPeriodIds, creditedCents, parts } = quote
  const productId = quote.product.id
  const planId = plan.id
  if (quote.effect === 'next_period') {
    await schedulePlan(tx, service, { productId, planId }, now)
    return { quote, invoice: null }
  }
  const id = newId()
  const { interval, intervalCount } = plan
  await insertUpgrade(tx, {
    ...{ tenantId, id, serviceId, productId, planId, priceCents, valueCents, createdAt: now },
    ...{ anchorAt, countedPeriodIds, creditCents: creditedCents, parts },
    ...(anchorAt && { interval, intervalCount }),
  })
  if (quote.document.totalCents <= 0) {
    await startUpgrade(tx, { tenantId, id }, now)
    return { quote, invoice: null }
  }
  const dueAt = await proFormaEnd(tx, tenantId, now)
  const invoice = await openInvoice(tx, invoiceOf(service, quote, { reference: id, dueAt }), now)
  await updateUpgrade(tx, { tenantId, id }, { invoiceId: invoice.id })
  return { quote, invoice }
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

/** What the invoice of a change says: its lines with the time that each is for. */
export function documentOf(
  { id: serviceId, currentPeriodEnd }: ServiceRow,
  { document, anchorAt, plan }: UpgradeQuote,
) {
  // What is given back was for the rest of the old period; of another cycle a whole one is sold.
  const sold = anchorAt ? periodOf(anchorAt, plan, 0).end : currentPeriodEnd
  const lines = document.lines.map((line) => {
    const periodEnd = line.quantity < 0 ? currentPeriodEnd : sold
    return { ...line, serviceId, periodStart: anchorAt, periodEnd }
  })
  return { ...document, lines }
}

/** The change is paid, or costs nothing: the panel is next. One that was given up stays so. */
export async function startUpgrade(tx: Tx, key: UpgradeKey, now: Instant): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.paidAt || upgrade.canceledAt) return
  await updateUpgrade(tx, key, { paidAt: now, nextAt: now })
  await enqueue(tx, applyUpgrade, { tenantId: key.tenantId, upgradeId: key.id })
}

/**
 * Nobody paid for the change: the service stays as it is. An invoice that another one stands for does
 * not end its change.
 */
export async function cancelUpgrade(
  tx: Tx,
  { invoiceId, ...key }: UpgradeKey & Pick<UpgradeRow, 'invoiceId'>,
  now: Instant,
): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.paidAt || upgrade.canceledAt) return
  if (upgrade.invoiceId === invoiceId) await updateUpgrade(tx, key, { canceledAt: now })
}

/** Somebody else works on its server: again in a moment, which is no failed try. */
export function postponeUpgrade(tx: Tx, upgrade: UpgradeRow, now: Instant): Promise<void> {
  return tryAt(tx, upgrade, { nextAt: later(now, BUSY_MS) }, now)
}

/** Tries again later; the job for it is written here. */
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
 * The panel has made the change: the service is on the new product from here on. What goes back for
 * the old one becomes credit, and a renewal that is open is made again at the new price (R4.9).
 */
export async function completeUpgrade(tx: Tx, key: UpgradeKey, now: Instant): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.appliedAt || upgrade.failedAt) return
  const { tenantId, serviceId, productId } = upgrade
  await updateUpgrade(tx, key, { appliedAt: now, nextAt: null, leaseUntil: null })
  const service = await lockService(tx, { tenantId, id: serviceId })
  if (!service) return
  await moveOn(tx, service, upgrade, now)
  const after = await findService(tx, service)
  if (after) await noteRecurring(tx, after, upgrade.invoiceId ?? after.invoiceId, now)
  if (upgrade.creditCents) await creditOld(tx, service, upgrade.creditCents, now)
  const product = await findProduct(tx, { tenantId, id: productId })
  const { delivery } = service
  const data = { name: service.name, product: product?.name ?? '', delivery }
  const link = `/servers/${serviceId}`
  const { userId, orderId } = service
  await notify(tx, { tenantId, userId, kind: 'service_upgraded', data, link }, now)
  await emit(tx, serviceUpgraded, { tenantId, serviceId, userId, orderId })
}

/**
 * A change that was planned does not fit the server as it is: the customer is told what stands in its
 * way, and it is tried again for some days of the new period. Then it has failed.
 */
export async function waitForRoom(
  tx: Tx,
  upgrade: UpgradeRow,
  { misfit, failure }: { misfit: Misfit; failure: PanelFailure },
  now: Instant,
): Promise<void> {
  const current = await lockUpgrade(tx, upgrade)
  // Somebody gave it up while the panel was asked.
  if (!current || current.appliedAt || current.failedAt || current.canceledAt) return
  const { tenantId, serviceId, productId, lastError } = current
  const service = await lockService(tx, { tenantId, id: serviceId })
  const { currentPeriodStart: start, currentPeriodEnd: end } = service ?? {}
  const look = start && end ? nextRoomLook({ start, end }, now) : undefined
  if (!service || !look) return failUpgrade(tx, upgrade, failure, now)
  await retryUpgrade(tx, upgrade, { nextAt: look.at, failure }, now)
  if (lastError?.code === misfit) return
  const product = await findProduct(tx, { tenantId, id: productId })
  const until = dayOf(look.until)
  const data = { name: service.name, product: product?.name ?? '', misfit, until }
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
  const { tenantId, serviceId, productId, invoiceId } = upgrade
  const ended = { failedAt: now, nextAt: null, leaseUntil: null }
  const done = { ...ended, failureCode: failure.code, lastError: failure }
  await updateUpgrade(tx, key, done)
  await cancelTaskOf(tx, key, now)
  // A call whose answer was lost may have reached the panel.
  await enqueue(tx, restoreGivenUp, { tenantId, upgradeId: key.id, attempt: 0 })
  const service = await lockService(tx, { tenantId, id: serviceId })
  if (invoiceId) {
    await giveBack(tx, { tenantId, invoiceId }, now)
  }
  if (!service) return
  await undoChange(tx, service, key.id, now)
  const product = await findProduct(tx, { tenantId, id: productId })
  const isPaidBack = invoiceId !== null
  const { delivery } = service
  const data = { name: service.name, product: product?.name ?? '', isPaidBack, delivery }
  const link = `/servers/${serviceId}`
  const { userId } = service
  await notify(tx, { tenantId, userId, kind: 'upgrade_failed', data, link }, now)
  const { code, detail } = failure
  const facts = { name: service.name, code, detail }
  const attention = { tenantId, topic: 'upgrade_failed' as const, facts }
  await notifyAdmins(tx, { ...attention, link: `/admin${link}` }, now)
}

/**
 * An operator gives up the change of a service that is under way: unpaid, its invoice is voided; paid,
 * the money becomes credit. Throws 409 when none is.
 */
export async function giveUpUpgrade(
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

/** How long one try may hold a change: longer than the panel may take for its answers. */
export function upgradeLeaseEnd(now: Instant): Instant {
  return later(now, 230 * SECOND_MS)
}
