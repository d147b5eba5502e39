import { Value } from 'typebox/value'
import { type Instant, instant } from '#lib/time.ts'
import type { EventEnvelope } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Observation } from '../snapshots.ts'
import type { PaypalApi } from './client.ts'
import { eventsSince } from './event-log.ts'
import { orderOfCapture, ownerOf, readOrder } from './payments.ts'
import { Dispute, type Order, PaymentToken, WebhookEvent } from './schema.ts'
import { disputeOf, methodOf, paymentOf, refundsOf } from './snapshots.ts'

/** All events that `observe` understands and that our webhook is subscribed to. */
export const EVENT_TYPES = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
  'VAULT.PAYMENT-TOKEN.CREATED',
  'VAULT.PAYMENT-TOKEN.DELETED',
] as const

/** An event as the inbox stores it. */
export function envelopeOf(event: WebhookEvent): EventEnvelope {
  const { id: eventKey, event_type: type, create_time: at, resource } = event
  const objectId = resource.id ?? resource.dispute_id
  return {
    ...{ eventKey, type, payload: event },
    ...(typeof objectId === 'string' && { objectId }),
    ...(at && { occurredAt: instant(at) }),
  }
}

/** What an event means now: it only names an object, which is read again. */
export async function observe(
  api: PaypalApi,
  { type, payload }: EventEnvelope,
): Promise<readonly Observation[]> {
  if (!Value.Check(WebhookEvent, payload)) return [{ type: 'ignored', why: 'irrelevant_type' }]
  const { resource }: WebhookEvent = payload
  try {
    if (type.startsWith('VAULT.PAYMENT-TOKEN.')) return [observeToken(type, resource)]
    if (type.startsWith('CUSTOMER.DISPUTE.')) return await observeDispute(api, resource)
    const order = await orderIn(api, type, resource)
    return order ? observations(api, order) : [{ type: 'ignored', why: 'irrelevant_type' }]
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'not_found') {
      return [{ type: 'ignored', why: 'not_ours' }]
    }
    throw error
  }
}

type Resource = WebhookEvent['resource']

async function orderIn(
  api: PaypalApi,
  type: string,
  resource: Resource,
): Promise<Order | undefined> {
  const { id, links } = resource
  if (type.startsWith('CHECKOUT.ORDER.')) {
    return typeof id === 'string' ? readOrder(api, id) : undefined
  }
  // The event of a refund contains the refund, and a link to its capture.
  const up = (Array.isArray(links) ? links : []).find((it) => it?.rel === 'up')?.href
  const [, above] = /\/captures\/([\w-]{1,60})$/.exec(String(up)) ?? []
  const captureId = above ?? id
  return typeof captureId === 'string' ? orderOfCapture(api, captureId) : undefined
}

/** An order of this gateway with its refunds, or why the order is not of this gateway. */
export function observations(api: PaypalApi, order: Order): readonly Observation[] {
  const owner = ownerOf(api, order)
  if (owner !== 'ours') return [{ type: 'ignored', why: owner }]
  const observedAt = api.context.now()
  return [
    { type: 'payment', payment: paymentOf(order, observedAt) },
    ...refundsOf(order, observedAt).map((refund) => ({ type: 'refund' as const, refund })),
  ]
}

async function observeDispute(
  api: PaypalApi,
  { dispute_id: id }: Resource,
): Promise<readonly Observation[]> {
  if (typeof id !== 'string') return [{ type: 'ignored', why: 'irrelevant_type' }]
  const observedAt = api.context.now()
  const dispute = await api.read(`/v1/customer/disputes/${encodeURIComponent(id)}`, Dispute)
  const captureId = dispute.disputed_transactions[0]?.seller_transaction_id
  if (!captureId) return [{ type: 'ignored', why: 'not_ours' }]
  const told = observations(api, await orderOfCapture(api, captureId))
  if (told[0]?.type !== 'payment') return told
  return [...told, { type: 'dispute', dispute: disputeOf(dispute, captureId, observedAt) }]
}

function observeToken(type: string, resource: Resource): Observation {
  if (!Value.Check(PaymentToken, resource)) return { type: 'ignored', why: 'irrelevant_type' }
  const { id, customer, payment_source: source } = resource
  const method = methodOf(id, source?.paypal)
  if (type.endsWith('.DELETED')) return { type: 'method', method: { ...method, state: 'gone' } }
  const customerId = customer?.merchant_customer_id
  return { type: 'method', ...(customerId && { customerId }), method }
}

/** The events since a time, of the kinds we subscribe to. */
export async function* listChanges(api: PaypalApi, since: Instant): AsyncGenerator<EventEnvelope> {
  for await (const event of eventsSince(api, since)) {
    if (EVENT_TYPES.some((type) => type === event.event_type)) yield envelopeOf(event)
  }
}
