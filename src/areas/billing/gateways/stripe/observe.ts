import Stripe from 'stripe'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import type { EventEnvelope, GatewayContext, ListedPayment } from '../contract.ts'
import type { IgnoredReason, Observation } from '../snapshots.ts'
import { idOf, objectOf, type StripeApi } from './client.ts'
import {
  disputesOf,
  intentPayment,
  PAYMENT_PARTS,
  readSession,
  sessionPayment,
} from './payments.ts'
import { fetchRefunds } from './refunds.ts'
import { fetchSetup } from './setups.ts'
import {
  disputeOf,
  instantOf,
  methodOf,
  paymentOf,
  refundOf,
  removedMethodOf,
  setupOf,
  unconfirmedPaymentOf,
  unconfirmedSetupOf,
} from './snapshots.ts'
import { EVENT_TYPES, eventIn } from './webhooks.ts'

type Observations = Promise<readonly Observation[]>
type EventType = (typeof EVENT_TYPES)[number]

/** An event, and whether its payload has the shape this code reads. */
interface Seen {
  readonly event: Stripe.Event
  readonly objectId: string
  readonly readable: boolean
}

type Reader = (api: StripeApi, seen: Seen) => Observations

const INTENT_PARTS = PAYMENT_PARTS.map((part) => `payment_intent.${part}`)

const READERS: Readonly<Record<EventType, Reader>> = {
  'checkout.session.completed': observeSession,
  'checkout.session.async_payment_succeeded': observeSession,
  'checkout.session.async_payment_failed': observeSession,
  'checkout.session.expired': observeSession,
  'payment_intent.succeeded': observePayment,
  'payment_intent.payment_failed': observePayment,
  'payment_intent.requires_action': observePayment,
  'payment_intent.processing': observePayment,
  'payment_intent.canceled': observePayment,
  'setup_intent.succeeded': observeSetup,
  'setup_intent.setup_failed': observeSetup,
  'setup_intent.canceled': observeSetup,
  'payment_method.attached': observeMethod,
  'payment_method.detached': observeDetached,
  'payment_method.updated': observeMethod,
  'payment_method.automatically_updated': observeMethod,
  'customer.updated': observeCustomer,
  'customer.deleted': observeDeletedCustomer,
  'refund.created': observeRefund,
  'refund.updated': observeRefund,
  'refund.failed': observeRefund,
  'charge.refunded': observeRefundedCharge,
  'charge.dispute.created': observeDispute,
  'charge.dispute.updated': observeDispute,
  'charge.dispute.closed': observeDispute,
  'charge.dispute.funds_withdrawn': observeDispute,
  'charge.dispute.funds_reinstated': observeDispute,
  'mandate.updated': observeMandate,
}

/**
 * What an event means now. An event only names an object to read: events come late, twice and in
 * any order, and in the API version of the endpoint. The object is read again unless the payload is
 * of our version, in a final state, and contains all we need.
 */
export async function observe(api: StripeApi, envelope: EventEnvelope): Observations {
  const event = eventIn(envelope.payload)
  const reader = event && readerOf(event.type)
  if (!event || !reader) return ignored('irrelevant_type')
  if (event.livemode !== (api.context.mode === 'live')) return ignored('other_mode')
  const { id, metadata } = event.data.object as { id?: unknown; metadata?: Stripe.Metadata }
  if (typeof id !== 'string') return ignored('irrelevant_type')
  // An event in the key's own account names no account; money in another account is not ours.
  if (event.account) {
    const why = strangeness(api.context, metadata)
    if (why) return ignored(why)
    return [{ type: 'elsewhere', objectId: id, accountId: event.account }]
  }
  return reader(api, { event, objectId: id, readable: event.api_version === Stripe.API_VERSION })
}

/** Paid payments that were created since a time, each with its refunds and disputes. */
export async function* listPayments(api: StripeApi, since: Instant): AsyncGenerator<ListedPayment> {
  const created = { gte: Math.floor(millis(since) / SECOND_MS) }
  const expand = PAYMENT_PARTS.map((part) => `data.${part}`)
  const intents = api.list('payment_intent', (sdk, page) =>
    sdk.paymentIntents.list({ ...page, created, expand }),
  )
  for await (const intent of intents) {
    if (intent.status !== 'succeeded' || strangeness(api.context, intent.metadata)) continue
    yield { told: await wholePayment(api, intent) }
  }
}

async function wholePayment(api: StripeApi, intent: Stripe.PaymentIntent): Observations {
  const observedAt = api.context.now()
  const payment = await intentPayment(api, intent, observedAt)
  const refunds = payment.refundedCents > 0 ? await fetchRefunds(api, payment.ref) : []
  const disputes = await disputesOf(api, intent)
  return [
    { type: 'payment', payment },
    ...refunds.map((refund) => ({ type: 'refund' as const, refund })),
    ...disputes.map((it) => ({ type: 'dispute' as const, dispute: disputeOf(it, observedAt) })),
  ]
}

function readerOf(type: string): Reader | undefined {
  const known = EVENT_TYPES.find((it) => it === type)
  return known && READERS[known]
}

function ignored(why: IgnoredReason): readonly Observation[] {
  return [{ type: 'ignored', why }]
}

/** Why an object is not of this gateway; undefined if it is. */
function strangeness(
  { installationId, gatewayId }: GatewayContext,
  metadata: Stripe.Metadata | null | undefined,
): IgnoredReason | undefined {
  if (metadata?.installation_id !== installationId) return 'not_ours'
  return metadata.gateway_id === gatewayId ? undefined : 'other_gateway'
}

/** The event's own object, if it can be trusted instead of being read again. */
function payloadOf<T extends { object: string }>(
  { event, readable }: Seen,
  name: T['object'],
): T | undefined {
  const object = event.data.object as { object?: unknown }
  return readable && object.object === name ? (object as unknown as T) : undefined
}

async function observeSession(api: StripeApi, seen: Seen): Observations {
  const payload = payloadOf<Stripe.Checkout.Session>(seen, 'checkout.session')
  const early = payload && strangeness(api.context, payload.metadata)
  if (early) return ignored(early)
  if (payload?.status === 'expired' && !payload.payment_intent && !payload.setup_intent) {
    return unconfirmed(payload, seen)
  }
  const observedAt = api.context.now()
  const session = payload ?? (await readSession(api, seen.objectId))
  const why = strangeness(api.context, session.metadata)
  if (why) return ignored(why)
  if (session.mode === 'setup') {
    return [{ type: 'setup', setup: await fetchSetup(api, session.id) }]
  }
  const current = payload ? await readSession(api, session.id) : session
  return [{ type: 'payment', payment: await sessionPayment(api, current, observedAt) }]
}

function unconfirmed(session: Stripe.Checkout.Session, { event }: Seen): readonly Observation[] {
  const observedAt = instantOf(event.created)
  if (session.mode === 'setup') {
    return [{ type: 'setup', setup: unconfirmedSetupOf(session, observedAt) }]
  }
  return [{ type: 'payment', payment: unconfirmedPaymentOf(session, observedAt) }]
}

async function observePayment(api: StripeApi, seen: Seen): Observations {
  const payload = payloadOf<Stripe.PaymentIntent>(seen, 'payment_intent')
  const early = payload && strangeness(api.context, payload.metadata)
  if (early) return ignored(early)
  if (payload?.status === 'canceled') {
    const observedAt = instantOf(seen.event.created)
    return [{ type: 'payment', payment: paymentOf(payload, { observedAt }) }]
  }
  // A succeeded payment is final too, but the payload lacks the card, the fee and the refunds.
  return paymentObservation(api, seen.objectId)
}

async function paymentObservation(api: StripeApi, paymentId: string): Observations {
  const observedAt = api.context.now()
  const intent = await api.read('payment_intent', (sdk) =>
    sdk.paymentIntents.retrieve(paymentId, { expand: PAYMENT_PARTS }),
  )
  const why = strangeness(api.context, intent.metadata)
  if (why) return ignored(why)
  return [{ type: 'payment', payment: await intentPayment(api, intent, observedAt) }]
}

async function observeSetup(api: StripeApi, seen: Seen): Observations {
  const payload = payloadOf<Stripe.SetupIntent>(seen, 'setup_intent')
  const early = payload && strangeness(api.context, payload.metadata)
  if (early) return ignored(early)
  if (payload?.status === 'canceled') {
    return [
      { type: 'setup', setup: setupOf(payload, { observedAt: instantOf(seen.event.created) }) },
    ]
  }
  const observedAt = api.context.now()
  const setup = await api.read('setup_intent', (sdk) =>
    sdk.setupIntents.retrieve(seen.objectId, { expand: ['payment_method'] }),
  )
  const why = strangeness(api.context, setup.metadata)
  return why ? ignored(why) : [{ type: 'setup', setup: setupOf(setup, { observedAt }) }]
}

async function observeMethod(api: StripeApi, { objectId }: Seen): Observations {
  const method = await readMethod(api, objectId)
  const customerId = idOf(method.customer)
  // Removed since: the event of the removal names the customer.
  if (!customerId) return [{ type: 'method', method: removedMethodOf(method) }]
  const why = strangenessOfOwner(api, method)
  return why ? ignored(why) : [{ type: 'method', customerId, method: methodOf(method) }]
}

async function observeDetached(api: StripeApi, seen: Seen): Observations {
  const payload = payloadOf<Stripe.PaymentMethod>(seen, 'payment_method')
  const method = payload ?? (await readMethod(api, seen.objectId))
  const before = seen.event.data.previous_attributes as { customer?: unknown } | undefined
  const customerId = typeof before?.customer === 'string' ? before.customer : undefined
  return [{ type: 'method', ...(customerId && { customerId }), method: removedMethodOf(method) }]
}

async function observeMandate(api: StripeApi, { objectId }: Seen): Observations {
  const mandate = await api.read('mandate', (sdk) => sdk.mandates.retrieve(objectId))
  const methodId = idOf(mandate.payment_method)
  if (mandate.status !== 'inactive' || !methodId) return ignored('irrelevant_type')
  const method = await readMethod(api, methodId)
  const customerId = idOf(method.customer)
  const why = customerId && strangenessOfOwner(api, method)
  if (why) return ignored(why)
  return [{ type: 'method', ...(customerId && { customerId }), method: removedMethodOf(method) }]
}

function readMethod(api: StripeApi, id: string): Promise<Stripe.PaymentMethod> {
  return api.read('payment_method', (sdk) =>
    sdk.paymentMethods.retrieve(id, { expand: ['customer'] }),
  )
}

/** A method has none of our ids, but its customer does. */
function strangenessOfOwner({ context }: StripeApi, { customer }: Stripe.PaymentMethod) {
  const owner = objectOf(customer)
  return strangeness(context, owner && 'metadata' in owner ? owner.metadata : null)
}

async function observeCustomer(api: StripeApi, { objectId }: Seen): Observations {
  const customer = await api.read('customer', (sdk) => sdk.customers.retrieve(objectId))
  if (customer.deleted) return [{ type: 'customer_gone', customerId: objectId }]
  const why = strangeness(api.context, customer.metadata)
  if (why) return ignored(why)
  const methodId = idOf(customer.invoice_settings.default_payment_method) ?? null
  return [{ type: 'default_method', customerId: objectId, methodId }]
}

async function observeDeletedCustomer({ context }: StripeApi, seen: Seen): Observations {
  // A deleted object cannot be read again; its metadata has the same form in every version.
  const { metadata } = seen.event.data.object as { metadata?: Stripe.Metadata }
  const why = strangeness(context, metadata)
  return why ? ignored(why) : [{ type: 'customer_gone', customerId: seen.objectId }]
}

async function observeRefund(api: StripeApi, { objectId }: Seen): Observations {
  const observedAt = api.context.now()
  const refund = await api.read('refund', (sdk) =>
    sdk.refunds.retrieve(objectId, { expand: INTENT_PARTS }),
  )
  return withPayment(api, refund, async () => [
    { type: 'refund', refund: refundOf(refund, observedAt) },
  ])
}

async function observeRefundedCharge(api: StripeApi, { objectId }: Seen): Observations {
  const charge = await api.read('charge', (sdk) =>
    sdk.charges.retrieve(objectId, { expand: INTENT_PARTS }),
  )
  return withPayment(api, charge, async ({ id: paymentId }) => {
    const refunds = await fetchRefunds(api, { paymentId })
    return refunds.map((refund) => ({ type: 'refund', refund }))
  })
}

async function observeDispute(api: StripeApi, { objectId }: Seen): Observations {
  const observedAt = api.context.now()
  const dispute = await api.read('dispute', (sdk) =>
    sdk.disputes.retrieve(objectId, { expand: INTENT_PARTS }),
  )
  return withPayment(api, dispute, async () => [
    { type: 'dispute', dispute: disputeOf(dispute, observedAt) },
  ])
}

/**
 * The payment first, then its refunds and disputes. Disputes and refunds from the dashboard have
 * none of our ids, so the payment also identifies their owner.
 */
async function withPayment(
  api: StripeApi,
  { payment_intent }: { payment_intent?: string | Stripe.PaymentIntent | null },
  then: (intent: Stripe.PaymentIntent) => Observations,
): Observations {
  const observedAt = api.context.now()
  const intent = objectOf(payment_intent)
  const why = strangeness(api.context, intent?.metadata)
  if (!intent || why) return ignored(why ?? 'not_ours')
  const payment = await intentPayment(api, intent, observedAt)
  return [{ type: 'payment', payment }, ...(await then(intent))]
}
