import {
  HOUSE_REASONS,
  type InvoiceRow,
  type LineTexts,
  lineTextsIn,
  listFingerprints,
  openInvoice,
  type PreparedPayment,
  preparePayment,
  proFormaEnd,
  refundInvoice,
  voidInvoice,
} from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { conflict, notFound, unauthorized } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { notify } from '#notifications'
import { confirmReservation, type RoomSurvey, reserveRoom } from '#panel'
import { inPurchase, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import {
  countWaiting,
  createServices,
  endPendingServices,
  listPanelIdentities,
  type NewService,
  outcomesOfOrder,
  startServices,
  withdrawalEndsAt,
  withoutFees,
} from '#services'
import {
  addressIdentity,
  buildKey,
  confirmCoupons,
  confirmStock,
  emptyCart,
  forgetTrials,
  isPlanLine,
  lockAndPriceCart,
  markBuyer,
  type Quote,
  type QuoteLine,
  releaseCoupons,
  releaseStock,
  reserveCoupons,
  reserveStock,
  returnCoupons,
  returnStock,
  servicePriceOf,
  startTrials,
} from '#store'
import { acceptedTerms, settingsOf } from '#tenants'
import { lockUser, type UserRow } from '#users'
import { allowOrder } from './allowances/actions.ts'
import { startOf } from './consent/actions.ts'
import { ordersCanceled, ordersFulfilled, ordersPlaced } from './events.ts'
import {
  insertOrder,
  listItems,
  lockOrder,
  type OrderItemRow,
  type OrderKey,
  type OrderRow,
  updateOrder,
} from './queries.ts'
import {
  descriptionOf,
  keptCoupons,
  keptQuote,
  namesPerUnit,
  statusOf,
  totalsPerItem,
  worthPerUnit,
} from './rules.ts'
import type { Checkout } from './schema.ts'
import type { CartSurvey } from './servers.ts'
import { orderSettings } from './settings.ts'

type Wish = Checkout & { readonly survey: CartSurvey; readonly secrets: Secrets }

export type Placed = { order: OrderRow; invoice: InvoiceRow }

/**
 * Turns the caller's cart into an order: prices, tax, coupons and stock are checked again and
 * frozen, and order, services, invoice and the payment attempt are written together. Throws 422
 * with the reason if anything in the cart cannot be sold as it is, or not to this customer unpaid,
 * 409 `cart_changed` if it contains something that was not in it when the panels were asked.
 */
export async function checkout(
  tx: Tx,
  caller: Caller,
  { immediateStart = false, acceptedTermsVersion, note, survey, secrets, ...means }: Wish,
  now: Instant,
): Promise<Placed & { prepared: PreparedPayment | null }> {
  const { tenantId, userId } = caller
  // Checkouts of a customer run one after the other: the second finds an empty cart.
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw unauthorized()
  const terms = await settingsOf(tx, tenantId, orderSettings)
  const quote = await lockAndPriceCart(tx, caller, now)
  const heldUntil = await allowOrder(tx, user, { quote, terms }, now)
  const start = await startOf(tx, user, { quote, terms, immediateStart }, now)
  const accepted = await acceptedTerms(tx, user, acceptedTermsVersion)
  const placed = await placeOrder(
    tx,
    user,
    {
      ...{ reference: newId(), quote, survey, secrets, heldUntil, placedBy: null },
      dueAt: await proFormaEnd(tx, tenantId, now),
      facts: { immediateStart, ...start, ...accepted, note: noteIn(note) },
    },
    now,
  )
  const invoiceId = placed.invoice.id
  const prepared =
    placed.invoice.status === 'paid'
      ? null
      : await preparePayment(tx, caller, { ...means, invoiceId }, now)
  await emptyCart(tx, caller)
  return { ...placed, prepared }
}

type Start = 'consentedAt' | 'consentVersion' | 'consentLanguage' | 'startsAt'

/** An order to be written, with its price and the room on the panels. */
type NewOrder = {
  /** The id that the order gets. */
  readonly reference: string
  readonly quote: Quote
  readonly survey: CartSurvey
  readonly secrets: Secrets
  readonly heldUntil: Instant
  readonly dueAt: Instant
  /** What the customer has agreed to and said. */
  readonly facts: Pick<
    OrderRow,
    'immediateStart' | Start | 'termsVersion' | 'termsLanguage' | 'note'
  >
  /** The member of staff who places it for the customer. */
  readonly placedBy: string | null
}

/**
 * Writes an order of a customer whose row is locked, with its services, its invoice and what is held for it. Throws
 * 422 where stock, room or a coupon is used up, 409 `cart_changed` for a server for which no room was asked.
 */
export async function placeOrder(
  tx: Tx,
  user: UserRow,
  { reference, quote, survey, secrets, heldUntil, dueAt, facts, placedBy }: NewOrder,
  now: Instant,
): Promise<Placed> {
  const { tenantId, id: userId } = user
  const sold = quote.lines.filter(isPlanLine)
  if (sold.some((line) => !survey.builds.has(buildKey(line)))) {
    throw conflict('The cart was changed at this moment. Try again.', 'cart_changed')
  }
  const units = sold.map((line) => ({ line, itemId: newId(), services: servicesOf(line, quote) }))
  const servers = units.flatMap(({ services }) =>
    services.map((it) => ({ id: it.id, build: buildKey(it) })),
  )
  inPurchase(tx, reference)
  const { room, alternatives } = survey
  const place = { tenantId, reference, servers, survey: room, alternatives, heldUntil }
  await reserveRoom(tx, place, now)
  const wanted = sold.map(({ productId, quantity }) => ({ productId, quantity }))
  const pieces = [...wanted, ...sold.flatMap(valuesOf)]
  await reserveStock(tx, { tenantId, reference, items: pieces, heldUntil }, now)
  const { couponIds } = quote
  await reserveCoupons(tx, { tenantId, userId, reference, couponIds, heldUntil }, now)
  await holdTrials(tx, user, { reference, productIds: quote.trialProductIds, secrets }, now)
  const document = documentOf(quote, units, lineTextsIn(user.locale))
  const invoice = await openInvoice(
    tx,
    {
      ...{ tenantId, userId, kind: 'checkout' as const, reference, document, dueAt },
      onTrial: quote.lines.every(({ trialDays }) => trialDays > 0),
    },
    now,
  )
  const about = { tenantId, id: reference, userId, invoiceId: invoice.id }
  const row = { ...about, ...facts, heldUntil, placedBy }
  const { totalCents, currency } = quote
  const totals = totalsPerItem(quote.lines)
  const items = units.map(({ line, itemId }) => itemOf(line, { itemId, totals }, row))
  const itemIds = new Map(units.map(({ line, itemId }) => [line.itemId, itemId]))
  const kept = { totalCents, currency, quote: keptQuote(quote, document.lines, itemIds) }
  const order = await insertOrder(tx, { ...row, ...kept, createdAt: now }, items)
  const made = units.flatMap(({ itemId, services }) =>
    services.map((service) => ({ ...service, orderItemId: itemId })),
  )
  const owner = { tenantId, userId, orderId: reference, invoiceId: invoice.id }
  // Customers who needed no consent pay for what they used, too, because the service started at once.
  await createServices(tx, { ...owner, immediateStart: facts.startsAt === null }, made, now)
  await emit(tx, ordersPlaced, { tenantId, orderId: reference, userId, invoiceId: invoice.id })
  return { order, invoice }
}

/** A note without the empty lines around it; null if there is none. */
function noteIn(typed = ''): string | null {
  return typed.trim() || null
}

/** The units of option values that the services of a line use. */
function valuesOf({ components, quantity }: QuoteLine) {
  return components.flatMap(({ key, valueId }) =>
    valueId === null ? [] : [{ key, valueId, quantity }],
  )
}

/** Holds a person's trials, by everything that identifies the person (R4.3). */
async function holdTrials(
  tx: Tx,
  { tenantId, id: userId, email }: UserRow,
  { secrets, ...trials }: { reference: string; productIds: readonly string[]; secrets: Secrets },
  now: Instant,
): Promise<void> {
  if (trials.productIds.length === 0) return
  const user = { tenantId, userId }
  const fingerprints = await listFingerprints(tx, user)
  const identities = [
    addressIdentity(email),
    ...fingerprints.map((value) => ({ kind: 'method' as const, value })),
    ...(await listPanelIdentities(tx, user)),
  ]
  await startTrials(tx, { ...user, ...trials, identities }, secrets, now)
}

type Unit = { line: QuoteLine; itemId: string; services: Omit<NewService, 'orderItemId'>[] }

/** One service for each unit of a line. */
function servicesOf(line: QuoteLine, quote: Quote): Unit['services'] {
  const names = namesPerUnit(line)
  const { currency } = quote
  const onTrial = line.trialDays > 0
  const { priceCents, priceMicros } = servicePriceOf(line)
  const own = quote.lines.filter(({ itemId }) => itemId === line.itemId)
  // The order's invoice charges the fees at once, except for a trial, where nothing is paid yet.
  const beside = onTrial ? line.components : withoutFees(line.components)
  return worthPerUnit(own.map(keyed), beside).map((worth, index) => ({
    id: newId(),
    productId: line.productId,
    planId: line.planId,
    name: names[index] ?? line.name,
    environment: line.environment,
    locationId: line.locationId,
    ...{ priceCents, priceMicros, currency, ...worth },
    interval: line.interval ?? 'one_time',
    intervalCount: line.intervalCount,
    trialDays: line.trialDays,
    setupFeeCents: onTrial ? line.planPrice.setupFeeCents : cents(0),
    coupons: keptCoupons(quote, line),
  }))
}

/** A line with the key of its component. */
function keyed<L extends Pick<QuoteLine, 'component'>>(line: L) {
  return { ...line, component: line.component?.key ?? null }
}

/** The component for whose period a line charges; null for a setup fee and for the plan itself. */
function chargedOf({ setupFee, component }: Pick<QuoteLine, 'setupFee' | 'component'>) {
  return setupFee ? null : (component?.key ?? null)
}

/**
 * The quote with the texts and references of invoice lines. A line for several units names the first
 * of their services; a setup fee names the service that is set up.
 */
function documentOf(quote: Quote, units: readonly Unit[], texts: LineTexts) {
  const lines = quote.lines.map((line) => {
    const [first] = units.find((unit) => unit.line.itemId === line.itemId)?.services ?? []
    const component = chargedOf(line)
    const description = descriptionOf(line, texts)
    return {
      ...line,
      component,
      isOfPlan: line.component === null,
      description,
      serviceId: first?.id ?? null,
    }
  })
  return { ...quote, lines }
}

function itemOf(
  line: QuoteLine,
  { itemId: id, totals }: { itemId: string; totals: ReadonlyMap<string, Cents> },
  { tenantId, id: orderId }: { tenantId: string; id: string },
): OrderItemRow {
  const { productId, planId, locationId, quantity } = line
  const totalCents = totals.get(line.itemId) ?? line.totalCents
  return { tenantId, id, orderId, productId, planId, locationId, quantity, totalCents }
}

/**
 * The order's invoice is paid: its stock is taken, its places on the panels are kept, and its services
 * start. If stock or places went to other orders meanwhile, the money becomes credit and the customer is notified.
 * `room` is what panels have now, for an order whose places may be gone. Safe to repeat.
 */
export async function settleOrder(
  tx: Tx,
  key: OrderKey,
  { paidAt, room }: { paidAt: Instant; room: RoomSurvey | null },
  now: Instant,
): Promise<void> {
  const order = await lockOrder(tx, key)
  if (!order || order.paidAt || order.canceledAt) return
  const { tenantId, id, userId } = order
  const reference = { tenantId, reference: id }
  // The customer of an order that staff placed enters into it with their payment.
  const startsAt = order.placedBy && order.startsAt ? withdrawalEndsAt(paidAt) : order.startsAt
  await updateOrder(tx, key, { paidAt, startsAt })
  // In the same order as a checkout locks them.
  const place = { ...reference, survey: room }
  const placed = await confirmReservation(tx, place, await buildsOfServers(tx, key), now)
  const isLeft = placed && (await confirmStock(tx, reference, now))
  if (!isLeft) return giveUpPaid(tx, order, now)
  await confirmCoupons(tx, reference, now)
  await markBuyer(tx, { tenantId, userId }, now)
  await startServices(tx, { tenantId, orderId: id, paidAt, startsAt }, now)
}

/** The key of the build of each server of an order: its components and location. */
async function buildsOfServers(tx: Tx, { tenantId, id }: OrderKey): Promise<Map<string, string>> {
  const items = await listItems(tx, tenantId, [id])
  return new Map(
    items.flatMap((item) => item.serviceIds.map((it) => [it, buildKey(item)] as const)),
  )
}

/** The order is sold out: the money that was paid for it becomes credit. */
async function giveUpPaid(tx: Tx, order: OrderRow, now: Instant): Promise<void> {
  const { tenantId, id, userId, invoiceId, totalCents, currency } = order
  const reference = { tenantId, reference: id }
  await updateOrder(tx, order, { canceledAt: now })
  await releaseStock(tx, reference, now)
  await releaseCoupons(tx, reference, now)
  await forgetTrials(tx, reference)
  await endPendingServices(tx, { tenantId, orderId: id, reason: 'refunded' }, now)
  const reason = HOUSE_REASONS.soldOut
  // A free order has no money to refund, and a trial's invoice has no number that a credit note could name.
  if (totalCents > 0) await refundInvoice(tx, { tenantId, invoiceId, to: 'credit', reason }, now)
  const data = { amountCents: totalCents, currency }
  await notify(tx, { tenantId, userId, kind: 'out_of_stock_credit', data }, now)
  await emit(tx, ordersCanceled, { tenantId, orderId: id, userId, invoiceId })
}

/**
 * Returns what a paid order used for services that never ran and were refunded: their stock and, if none of its
 * services ran, its coupons and trials. Safe to repeat.
 */
export async function returnUndelivered(tx: Tx, key: OrderKey, now: Instant): Promise<void> {
  const order = await lockOrder(tx, key)
  if (!order?.paidAt || order.canceledAt) return
  const { tenantId, id } = order
  const reference = { tenantId, reference: id }
  const outcomes = await outcomesOfOrder(tx, { tenantId, orderId: id })
  for (const { productId, total, refunded } of outcomes) {
    if (refunded > 0) await returnStock(tx, reference, { productId, kept: total - refunded }, now)
  }
  if (outcomes.some(({ total, refunded }) => refunded < total)) return
  await returnCoupons(tx, reference, now)
  await forgetTrials(tx, reference)
}

/**
 * Cancels an order that nobody paid, and releases what was held for it. If the invoice was replaced by another one,
 * the order goes on. Safe to repeat.
 */
export async function cancelOrder(
  tx: Tx,
  { invoiceId, ...key }: OrderKey & { invoiceId: string },
  now: Instant,
): Promise<void> {
  const order = await lockOrder(tx, key)
  if (!order || order.paidAt || order.canceledAt || order.invoiceId !== invoiceId) return
  const { tenantId, id, userId } = order
  await updateOrder(tx, key, { canceledAt: now })
  await releaseStock(tx, { tenantId, reference: id }, now)
  await releaseCoupons(tx, { tenantId, reference: id }, now)
  await forgetTrials(tx, { tenantId, reference: id })
  await endPendingServices(tx, { tenantId, orderId: id, reason: 'unpaid' }, now)
  await emit(tx, ordersCanceled, { tenantId, orderId: id, userId, invoiceId })
}

/**
 * A customer cancels an order they have not paid: its invoice is voided, and what was held for it is released. Money
 * that still arrives for it becomes credit (R3.2). Throws 404, 409 once it is paid or canceled.
 */
export async function cancelOwnOrder(
  tx: Tx,
  { tenantId, userId }: Caller,
  id: string,
  now: Instant,
): Promise<void> {
  const order = await lockOrder(tx, { tenantId, id })
  if (order?.userId !== userId) throw notFound('Order')
  if (statusOf(order) !== 'pending') {
    throw conflict(`An order with the status ${statusOf(order)} cannot be canceled.`, 'wrong_state')
  }
  const { invoiceId } = order
  await voidInvoice(tx, { tenantId, invoiceId }, HOUSE_REASONS.orderCanceled, now)
  await cancelOrder(tx, { tenantId, id, invoiceId }, now)
}

/** Marks an order as fulfilled once all its services are active. Safe to repeat. */
export async function fulfillOrder(tx: Tx, key: OrderKey, now: Instant): Promise<void> {
  const order = await lockOrder(tx, key)
  if (!order?.paidAt || order.fulfilledAt || order.canceledAt) return
  if ((await countWaiting(tx, key.tenantId, key.id)) > 0) return
  await updateOrder(tx, key, { fulfilledAt: now })
  const { tenantId, id: orderId, userId, invoiceId } = order
  await emit(tx, ordersFulfilled, { tenantId, orderId, userId, invoiceId })
}
