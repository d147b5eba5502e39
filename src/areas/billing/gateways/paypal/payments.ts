import { DAY_MS, later, MINUTE_MS, millis } from '#lib/time.ts'
import type {
  ChargeSavedInput,
  FindByAttemptQuery,
  StartPaymentInput,
  StartPaymentResult,
} from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { PaymentSnapshot, ProviderRef, RefundSnapshot } from '../snapshots.ts'
import type { PaypalApi } from './client.ts'
import { AUTHENTICATION } from './errors.ts'
import { eventsSince } from './event-log.ts'
import { Capture, Order } from './schema.ts'
import { amountFor, correlationIn, customIdFor, paymentOf, refundsOf } from './snapshots.ts'

// Allowed difference between our clock and PayPal's in a search for what we created.
const CLOCK_SKEW_MS = 10 * MINUTE_MS
/** PayPal keeps its log of events this long. */
const LOG_MS = 30 * DAY_MS
const LONGEST_DESCRIPTION = 127

/** The content of our orders. An invoice id, our attempt's id, is captured once in an account. */
function unitFor({
  correlation,
  amount,
  description,
}: Pick<StartPaymentInput, 'correlation' | 'amount' | 'description'>) {
  return {
    custom_id: customIdFor(correlation),
    invoice_id: correlation.attemptId,
    amount: amountFor(amount),
    description: description.slice(0, LONGEST_DESCRIPTION),
  }
}

/** Creates an order and returns the page on which it is approved. */
export async function startPayment(
  api: PaypalApi,
  input: StartPaymentInput,
): Promise<StartPaymentResult> {
  const { customerId, saveMethod, idempotencyKey, locale, returnUrl, cancelUrl } = input
  if (saveMethod && !customerId) {
    throw new GatewayError('invalid_request', 'A method can only be saved for a customer.')
  }
  const { brandName } = api.context.settings
  const order = await api.write('/v2/checkout/orders', Order, {
    idempotencyKey,
    body: {
      intent: 'CAPTURE',
      purchase_units: [unitFor(input)],
      payment_source: {
        paypal: {
          experience_context: {
            ...{ return_url: returnUrl, cancel_url: cancelUrl, user_action: 'PAY_NOW' },
            ...{ shipping_preference: 'NO_SHIPPING', payment_method_preference: IMMEDIATE },
            ...(locale && { locale: localeFor(locale) }),
            ...(typeof brandName === 'string' && { brand_name: brandName }),
          },
          ...(saveMethod && {
            attributes: {
              vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' },
              customer: { merchant_customer_id: customerId },
            },
          }),
        },
      },
    },
  })
  const { ref, state } = paymentOf(order, api.context.now())
  const url = order.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
  return { ref, state, next: url ? { kind: 'redirect', url } : { kind: 'none' } }
}

/** No cheques that take days: PayPal refuses payments that it cannot guarantee at once. */
const IMMEDIATE = 'IMMEDIATE_PAYMENT_REQUIRED'

function localeFor(tag: string): string {
  return tag.includes('-') ? tag : tag === 'en' ? 'en-US' : `${tag}-${tag.toUpperCase()}`
}

/** An order with its captures and refunds. Throws `not_found` for ids PayPal does not know. */
export function readOrder(api: PaypalApi, id: string): Promise<Order> {
  return api.read(`/v2/checkout/orders/${encodeURIComponent(id)}`, Order)
}

/** The order a capture belongs to. */
export async function orderOfCapture(api: PaypalApi, captureId: string): Promise<Order> {
  const capture = await api.read(`/v2/payments/captures/${encodeURIComponent(captureId)}`, Capture)
  const orderId = capture.supplementary_data?.related_ids?.order_id
  if (!orderId) throw new GatewayError('not_found', 'PayPal: a capture without an order.')
  return readOrder(api, orderId)
}

function orderOf(api: PaypalApi, { checkoutId, paymentId }: ProviderRef): Promise<Order> {
  if (checkoutId) return readOrder(api, checkoutId)
  if (paymentId) return orderOfCapture(api, paymentId)
  throw new GatewayError('invalid_request', 'PayPal: a payment without an id.')
}

/** The current state of a payment. */
export async function fetchPayment(api: PaypalApi, ref: ProviderRef): Promise<PaymentSnapshot> {
  const observedAt = api.context.now()
  return paymentOf(await orderOf(api, ref), observedAt)
}

/**
 * Captures an order that its customer has approved, and returns the state of the payment. An order
 * is captured once, whoever calls; after a decline the customer can approve it again.
 */
export async function settlePayment(api: PaypalApi, ref: ProviderRef): Promise<PaymentSnapshot> {
  const observedAt = api.context.now()
  const order = await orderOf(api, ref)
  const before = paymentOf(order, observedAt)
  if (!before.toSettle) return before
  try {
    await api.write(`/v2/checkout/orders/${encodeURIComponent(order.id)}/capture`, Order, {
      // After another approval, which follows a decline, the order is captured with a new key.
      idempotencyKey: `capture:${order.id}:${order.update_time ?? ''}`,
      body: {},
    })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { kind, decline } = error
    if (kind === 'declined' || kind === 'authentication_required') {
      const { toSettle: _, ...rest } = before
      return { ...rest, state: 'open', ...(decline && { failure: decline }) }
    }
    if (kind !== 'already_done' && kind !== 'wrong_state') throw error
  }
  return fetchPayment(api, { checkoutId: order.id })
}

/**
 * The state of an order that is no longer wanted. PayPal cannot cancel orders, but only we can
 * capture them: it stays approved, and expires.
 */
export async function cancelPayment(api: PaypalApi, ref: ProviderRef): Promise<PaymentSnapshot> {
  const { toSettle, ...snapshot } = await fetchPayment(api, ref)
  return snapshot.state === 'open' || toSettle ? { ...snapshot, state: 'canceled' } : snapshot
}

/**
 * Looks for the capture of an attempt in PayPal's log: orders cannot be searched. An order to which
 * no customer was sent brings no money, and a second capture of the same attempt is refused.
 */
export async function findByAttempt(
  api: PaypalApi,
  { correlation, since }: FindByAttemptQuery,
): Promise<PaymentSnapshot | null> {
  const wanted = customIdFor(correlation)
  const oldest = later(api.context.now(), -LOG_MS)
  const from = later(since, -CLOCK_SKEW_MS)
  for await (const { resource } of eventsSince(
    api,
    millis(from) > millis(oldest) ? from : oldest,
  )) {
    if (resource.custom_id !== wanted || typeof resource.id !== 'string') continue
    const snapshot = await captured(api, resource.id)
    if (snapshot) return snapshot
  }
  return null
}

async function captured(api: PaypalApi, id: string): Promise<PaymentSnapshot | null> {
  try {
    return await fetchPayment(api, { paymentId: id })
  } catch (error) {
    // The event was about something else, such as a refund.
    if (error instanceof GatewayError && error.kind === 'not_found') return null
    throw error
  }
}

/** Charges a saved wallet: such an order is captured by the call that creates it. */
export async function chargeSaved(
  api: PaypalApi,
  input: ChargeSavedInput,
): Promise<PaymentSnapshot> {
  const order = await api.write('/v2/checkout/orders', Order, {
    idempotencyKey: input.idempotencyKey,
    body: {
      intent: 'CAPTURE',
      purchase_units: [unitFor(input)],
      payment_source: {
        paypal: {
          vault_id: input.methodId,
          stored_credential: {
            ...{ payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
            usage_pattern: 'RECURRING_PREPAID',
          },
        },
      },
    },
  })
  const snapshot = paymentOf(order, api.context.now())
  const { state, ref, failure } = snapshot
  if (state === 'paid' || (state === 'processing' && !snapshot.toSettle)) return snapshot
  if (state === 'failed' && failure) {
    throw new GatewayError('declined', 'PayPal: the payment was declined.', {
      decline: failure,
      ref,
    })
  }
  throw new GatewayError('authentication_required', 'PayPal: the customer has to approve it.', {
    decline: AUTHENTICATION,
  })
}

/** All refunds of a payment, also those made in PayPal's own pages. */
export async function fetchRefunds(
  api: PaypalApi,
  payment: ProviderRef,
): Promise<readonly RefundSnapshot[]> {
  const observedAt = api.context.now()
  return refundsOf(await orderOf(api, payment), observedAt)
}

/** Whose order it is: of this gateway, of another one, or not ours. */
export function ownerOf(api: PaypalApi, order: Order): 'ours' | 'not_ours' | 'other_gateway' {
  const { installationId, gatewayId } = api.context
  const own = correlationIn(order.purchase_units[0]?.custom_id)
  if (own?.installationId !== installationId) return 'not_ours'
  return own.gatewayId === gatewayId ? 'ours' : 'other_gateway'
}
