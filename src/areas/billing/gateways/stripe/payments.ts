import type Stripe from 'stripe'
import { type Instant, later, MINUTE_MS, millis, SECOND_MS } from '#lib/time.ts'
import type {
  FindByAttemptQuery,
  Keyed,
  StartPaymentInput,
  StartPaymentResult,
} from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Correlation, PaymentSnapshot, ProviderRef } from '../snapshots.ts'
import { amountFor } from './amounts.ts'
import { everyOf, idOf, metadataOf, objectOf, type StripeApi } from './client.ts'
import { localeFor } from './locales.ts'
import { instantOf, paymentOf, unconfirmedPaymentOf } from './snapshots.ts'

type Session = Stripe.Checkout.Session
type Intent = Stripe.PaymentIntent

// Allowed difference between our clock and Stripe's in a search for what we created.
const CLOCK_SKEW_MS = 10 * MINUTE_MS

/** The parts of a PaymentIntent to expand for a payment snapshot. */
export const PAYMENT_PARTS = ['latest_charge.balance_transaction', 'payment_method']

/** Opens a hosted page for one amount. A repeated call returns the same page. */
export async function startPayment(
  api: StripeApi,
  input: StartPaymentInput,
): Promise<StartPaymentResult> {
  const { correlation, customerId, customerEmail, saveMethod } = input
  if (saveMethod && !customerId) {
    throw new GatewayError('invalid_request', 'A method can only be saved for a customer.')
  }
  const { amount, currency } = amountFor(input.amount)
  const metadata = metadataOf(correlation)
  const methodTypes = allowedMethodTypes(api)
  const session = await api.write('checkout.session', (sdk) =>
    sdk.checkout.sessions.create(
      {
        mode: 'payment',
        ...(customerId
          ? { customer: customerId }
          : customerEmail && { customer_email: customerEmail }),
        client_reference_id: correlation.attemptId,
        // One line: with rounding per line, or with credit deducted, several lines would not add up
        // to our total.
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency,
              unit_amount: amount,
              product_data: { name: input.description },
            },
          },
        ],
        metadata,
        // A session's metadata is not copied to the payment by itself.
        payment_intent_data: {
          metadata,
          description: input.description,
          ...(saveMethod && { setup_future_usage: 'off_session' as const }),
        },
        success_url: input.returnUrl,
        cancel_url: input.cancelUrl,
        locale: localeFor(input.locale),
        ...(input.expiresAt && { expires_at: Math.floor(millis(input.expiresAt) / SECOND_MS) }),
        ...methodTypes,
      },
      { idempotencyKey: input.idempotencyKey },
    ),
  )
  const { ref, state } = unconfirmedPaymentOf(session, api.context.now())
  return { ref: { ...ref, ...paymentIdOf(session) }, state, next: nextStepOf(session) }
}

/** The page to which a session sends the customer: none once the session is done. */
export function nextStepOf({ url, expires_at }: Session): StartPaymentResult['next'] {
  if (!url) return { kind: 'none' }
  return { kind: 'redirect', url, expiresAt: instantOf(expires_at) }
}

/** The payment methods that the gateway's settings allow, as request parameters. */
export function allowedMethodTypes({ context }: StripeApi) {
  const { allowedPaymentMethodTypes: types } = context.settings
  return Array.isArray(types) ? { allowed_payment_method_types: types.map(String) } : {}
}

/** The current state of a payment. Throws `not_found` for ids Stripe does not know. */
export async function fetchPayment(api: StripeApi, ref: ProviderRef): Promise<PaymentSnapshot> {
  const observedAt = api.context.now()
  const { checkoutId, paymentId } = ref
  if (checkoutId) return sessionPayment(api, await readSession(api, checkoutId), observedAt)
  if (!paymentId) throw new GatewayError('invalid_request', 'Stripe: a payment without an id.')
  const intent = await api.read('payment_intent', (sdk) =>
    sdk.paymentIntents.retrieve(paymentId, { expand: PAYMENT_PARTS }),
  )
  return intentPayment(api, intent, observedAt)
}

/** The payment of a session that was read with its PaymentIntent. */
export async function sessionPayment(
  api: StripeApi,
  session: Session,
  observedAt: Instant,
): Promise<PaymentSnapshot> {
  const intent = objectOf(session.payment_intent)
  if (!intent) return unconfirmedPaymentOf(session, observedAt)
  return paymentOf(intent, { session, disputes: await disputesOf(api, intent), observedAt })
}

/**
 * A payment from its PaymentIntent. A refused card has another meaning while a hosted page is still
 * open, so the page is looked up if that makes the difference.
 */
export async function intentPayment(
  api: StripeApi,
  intent: Intent,
  observedAt: Instant,
): Promise<PaymentSnapshot> {
  const waiting = ['requires_payment_method', 'requires_action'].includes(intent.status)
  const session = waiting ? await sessionOf(api, intent.id) : undefined
  // May have been paid since the PaymentIntent was read: both must be read again together.
  if (session?.status === 'complete') {
    return sessionPayment(api, await readSession(api, session.id), observedAt)
  }
  const disputes = await disputesOf(api, intent)
  return paymentOf(intent, { ...(session && { session }), disputes, observedAt })
}

export function readSession(api: StripeApi, checkoutId: string): Promise<Session> {
  const expand = PAYMENT_PARTS.map((part) => `payment_intent.${part}`)
  return api.read('checkout.session', (sdk) =>
    sdk.checkout.sessions.retrieve(checkoutId, { expand }),
  )
}

async function sessionOf(api: StripeApi, paymentId: string): Promise<Session | undefined> {
  const sessions = api.list('checkout.session', (sdk, page) =>
    sdk.checkout.sessions.list({ ...page, payment_intent: paymentId }),
  )
  for await (const session of sessions) return session
  return undefined
}

/** The disputes of a payment; requested only if Stripe indicates that there are any. */
export async function disputesOf(api: StripeApi, intent: Intent): Promise<Stripe.Dispute[]> {
  if (!objectOf(intent.latest_charge)?.disputed) return []
  const disputes = api.list('dispute', (sdk, page) =>
    sdk.disputes.list({ ...page, payment_intent: intent.id }),
  )
  return everyOf(disputes)
}

/**
 * Looks for an attempt's payment among those created since the attempt, first the payments, then the
 * hosted pages. Uses lists, because Stripe's search lags behind.
 */
export async function findByAttempt(
  api: StripeApi,
  { correlation, customerId, since }: FindByAttemptQuery,
): Promise<PaymentSnapshot | null> {
  const from = Math.floor(millis(later(since, -CLOCK_SKEW_MS)) / SECOND_MS)
  const query = { created: { gte: from }, ...(customerId && { customer: customerId }) }
  const intents = api.list('payment_intent', (sdk, page) =>
    sdk.paymentIntents.list({ ...page, ...query }),
  )
  let found: Intent | undefined
  for await (const intent of intents) {
    if (!isOfAttempt(intent, correlation)) continue
    if (intent.status === 'succeeded') return fetchPayment(api, { paymentId: intent.id })
    found ??= intent
  }
  if (found) return fetchPayment(api, { paymentId: found.id })
  const sessions = api.list('checkout.session', (sdk, page) =>
    sdk.checkout.sessions.list({ ...page, ...query }),
  )
  for await (const session of sessions) {
    if (isOfAttempt(session, correlation)) return fetchPayment(api, { checkoutId: session.id })
  }
  return null
}

function isOfAttempt(
  { metadata }: { metadata: Stripe.Metadata | null },
  { gatewayId, attemptId }: Correlation,
): boolean {
  return metadata?.attempt_id === attemptId && metadata.gateway_id === gatewayId
}

/** Ends a hosted page, or cancels a payment without one, and returns the resulting state. */
export async function cancelPayment(
  api: StripeApi,
  ref: ProviderRef,
  { idempotencyKey }: Keyed,
): Promise<PaymentSnapshot> {
  const { checkoutId, paymentId } = ref
  let refusal: GatewayError | undefined
  try {
    // A payment made in a hosted page can only be ended with the page.
    if (checkoutId) {
      await api.write('checkout.session', (sdk) =>
        sdk.checkout.sessions.expire(checkoutId, {}, { idempotencyKey }),
      )
    } else if (paymentId) {
      await api.write('payment_intent', (sdk) =>
        sdk.paymentIntents.cancel(paymentId, {}, { idempotencyKey }),
      )
    }
  } catch (error) {
    refusal = refusalOf(error)
  }
  const snapshot = await fetchPayment(api, ref)
  // Stripe refused although the payment can still be paid: the request has failed.
  if (refusal && ['open', 'action_required'].includes(snapshot.state)) throw refusal
  return snapshot
}

/** Stripe refuses to end what has ended: that is checked; every other error is thrown. */
function refusalOf(error: unknown): GatewayError {
  const kinds = ['wrong_state', 'invalid_request', 'already_done']
  if (error instanceof GatewayError && kinds.includes(error.kind)) return error
  throw error
}

function paymentIdOf(session: Session): { paymentId?: string } {
  const paymentId = idOf(session.payment_intent)
  return paymentId ? { paymentId } : {}
}
