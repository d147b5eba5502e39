import type Stripe from 'stripe'
import { assertChargeable, readCurrency } from '../amounts.ts'
import { invalid, noSuch, refuseParameters, unexpectedState } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { PaymentIntent, PaymentMethod } from '../store.ts'
import { capturePayment, clientSecretOf, confirmPayment } from './confirmation.ts'
import { findCustomer } from './customers.ts'
import { announce } from './events.ts'
import { assertUsable, findMethod } from './methods.ts'

const UNSUPPORTED = [
  'application_fee_amount',
  'confirmation_token',
  'mandate',
  'payment_method_data',
  'transfer_data',
]

/** The intent of an id; 404, or 400 naming the parameter, for none. */
export function findPayment({ store }: Sandbox, id: string, param?: string): PaymentIntent {
  const intent = store.paymentIntents.get(id)
  if (!intent) throw noSuch('payment_intent', id, param)
  return intent
}

/** What an intent is made of: amount in the smallest unit of the currency. */
export type NewPayment = {
  amount: number
  currency: string
  customer: string | null
  fields?: Omit<Stripe.Checkout.SessionCreateParams.PaymentIntentData, 'shipping'>
  automatic?: boolean
}

/** Writes and announces an intent without a method. */
export function newPayment(sandbox: Sandbox, wanted: NewPayment): PaymentIntent {
  const { amount, currency, customer, automatic = true, fields = {} } = wanted
  const id = newId('pi')
  const intent = resource<PaymentIntent>('PaymentIntent', {
    ...born(sandbox),
    id,
    amount,
    currency,
    customer,
    automatic_payment_methods: automatic ? { enabled: true, allow_redirects: 'always' } : null,
    capture_method: fields.capture_method ?? 'automatic_async',
    client_secret: clientSecretOf(id),
    confirmation_method: 'automatic',
    description: fields.description ?? null,
    metadata: mergedMetadata(null, fields.metadata),
    payment_method_options: {},
    payment_method_types: ['card'],
    receipt_email: fields.receipt_email ?? null,
    setup_future_usage: fields.setup_future_usage ?? null,
    statement_descriptor: fields.statement_descriptor ?? null,
    statement_descriptor_suffix: fields.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
  })
  sandbox.store.paymentIntents.set(id, intent)
  announce(sandbox, 'payment_intent.created', intent)
  return intent
}

function create(sandbox: Sandbox, params: Stripe.PaymentIntentCreateParams): PaymentIntent {
  refuseParameters(params, UNSUPPORTED)
  if (params.off_session && !params.confirm) {
    throw invalid('You cannot pass `off_session` unless `confirm` is true.', {
      param: 'off_session',
    })
  }
  const currency = readCurrency(params.currency)
  assertChargeable(params.amount, currency)
  const customer = params.customer ? findCustomer(sandbox, params.customer, 'customer') : null
  const method = methodFor(sandbox, params.payment_method, customer?.id ?? null)
  const intent = newPayment(sandbox, {
    amount: params.amount,
    currency,
    customer: customer?.id ?? null,
    automatic: params.automatic_payment_methods?.enabled ?? true,
    fields: params,
  })
  if (method) setMethod(intent, method)
  if (!params.confirm) return intent
  return runConfirm(sandbox, intent, params)
}

/** The method of a parameter, usable by this customer. 400 otherwise. */
function methodFor(
  sandbox: Sandbox,
  id: string | undefined,
  customer: string | null,
): PaymentMethod | undefined {
  if (!id) return undefined
  const method = findMethod(sandbox, id, 'payment_method')
  assertUsable(sandbox, method)
  if (method.customer && method.customer !== customer) {
    throw invalid(
      customer
        ? 'The payment method belongs to another customer.'
        : 'The payment method belongs to a customer: pass that customer, too.',
      { param: 'payment_method' },
    )
  }
  return method
}

function setMethod(intent: PaymentIntent, method: PaymentMethod): void {
  intent.payment_method = method.id
  if (intent.status === 'requires_payment_method') intent.status = 'requires_confirmation'
}

function runConfirm(
  sandbox: Sandbox,
  intent: PaymentIntent,
  params: Stripe.PaymentIntentConfirmParams,
): PaymentIntent {
  if (!intent.payment_method) {
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. To confirm " +
        'the PaymentIntent with a payment method, pass `payment_method`.',
      { param: 'payment_method', code: 'payment_intent_unexpected_state' },
    )
  }
  if (params.return_url) sandbox.store.returnUrls.set(intent.id, params.return_url)
  const { off_session: off, error_on_requires_action: errorOnAction } = params
  confirmPayment(sandbox, intent, {
    method: findMethod(sandbox, intent.payment_method),
    offSession: Boolean(off) || errorOnAction === true,
  })
  return intent
}

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

function confirm(
  sandbox: Sandbox,
  params: Stripe.PaymentIntentConfirmParams,
  id: string,
): PaymentIntent {
  refuseParameters(params, UNSUPPORTED)
  const intent = findPayment(sandbox, id)
  assertNotInCheckout(sandbox, intent, 'confirm')
  if (!CONFIRMABLE.includes(intent.status)) {
    throw unexpectedState('payment_intent', intent, 'confirm')
  }
  const { setup_future_usage: usage } = params
  const method = methodFor(sandbox, params.payment_method, intent.customer)
  if (usage) intent.setup_future_usage = usage
  if (method) setMethod(intent, method)
  return runConfirm(sandbox, intent, params)
}

function update(
  sandbox: Sandbox,
  params: Stripe.PaymentIntentUpdateParams,
  id: string,
): PaymentIntent {
  refuseParameters(params, UNSUPPORTED)
  const intent = findPayment(sandbox, id)
  const changesMoney = params.amount !== undefined || params.currency !== undefined
  if (changesMoney && !CONFIRMABLE.includes(intent.status)) {
    throw unexpectedState('payment_intent', intent, 'change the amount of')
  }
  if (changesMoney || params.payment_method) assertNotInCheckout(sandbox, intent, 'update')
  const currency = params.currency ? readCurrency(params.currency) : intent.currency
  const amount = params.amount ?? intent.amount
  if (changesMoney) assertChargeable(amount, currency)
  if (params.customer) findCustomer(sandbox, params.customer, 'customer')
  const customer = params.customer ?? intent.customer
  const method = methodFor(sandbox, params.payment_method, customer)
  const { description, receipt_email, setup_future_usage } = params
  const fields = unsetEmpty({ description, receipt_email, setup_future_usage })
  Object.assign(intent, fields, { amount, currency, customer })
  intent.metadata = mergedMetadata(intent.metadata, params.metadata)
  if (method) setMethod(intent, method)
  return intent
}

function cancel(
  sandbox: Sandbox,
  params: Stripe.PaymentIntentCancelParams,
  id: string,
): PaymentIntent {
  const intent = findPayment(sandbox, id)
  assertNotInCheckout(sandbox, intent, 'cancel')
  if (!CONFIRMABLE.includes(intent.status) && intent.status !== 'requires_capture') {
    throw unexpectedState('payment_intent', intent, 'cancel')
  }
  cancelPayment(sandbox, intent, params.cancellation_reason ?? null)
  return intent
}

/** Ends an intent that has not been paid; what it held is let go. */
export function cancelPayment(
  sandbox: Sandbox,
  intent: PaymentIntent,
  reason: PaymentIntent['cancellation_reason'],
): void {
  const charge = sandbox.store.charges.get(intent.latest_charge ?? '')
  if (intent.status === 'requires_capture' && charge) {
    charge.amount_refunded = charge.amount
    charge.refunded = true
    announce(sandbox, 'charge.refunded', charge, { amount_refunded: 0, refunded: false })
  }
  intent.status = 'canceled'
  intent.canceled_at = sandbox.clock.seconds()
  intent.cancellation_reason = reason
  intent.amount_capturable = 0
  intent.next_action = null
  announce(sandbox, 'payment_intent.canceled', intent)
}

function capture(
  sandbox: Sandbox,
  params: Stripe.PaymentIntentCaptureParams,
  id: string,
): PaymentIntent {
  const intent = findPayment(sandbox, id)
  if (intent.status !== 'requires_capture') {
    throw unexpectedState('payment_intent', intent, 'capture')
  }
  const amount = params.amount_to_capture ?? intent.amount_capturable
  if (amount < 1 || amount > intent.amount_capturable) {
    throw invalid('The amount to capture must be between 1 and the amount capturable.', {
      param: 'amount_to_capture',
      code: 'amount_too_large',
    })
  }
  intent.metadata = mergedMetadata(intent.metadata, params.metadata)
  capturePayment(sandbox, intent, amount)
  return intent
}

/** An open session decides about its intent: only the customer or `expire` may end it. */
function assertNotInCheckout({ store }: Sandbox, intent: PaymentIntent, verb: string): void {
  const session = store.sessions.get(store.sessionOfIntent.get(intent.id) ?? '')
  if (session?.status !== 'open') return
  throw invalid(
    `You cannot ${verb} this PaymentIntent: it belongs to the open Checkout Session ` +
      `${session.id}. Expire the session instead.`,
    { code: 'payment_intent_unexpected_state' },
  )
}

function retrieve(
  sandbox: Sandbox,
  { client_secret: secret }: Stripe.PaymentIntentRetrieveParams,
  id: string,
): PaymentIntent {
  const intent = findPayment(sandbox, id)
  if (secret && secret !== intent.client_secret) throw noSuch('payment_intent', id)
  return intent
}

function list({ store }: Sandbox, params: Stripe.PaymentIntentListParams): object {
  const { customer, created } = params
  const rows = [...store.paymentIntents.values()].filter(
    (it) => !customer || it.customer === customer,
  )
  return listOf(rows, { url: '/v1/payment_intents', page: params, ...(created && { created }) })
}

export const paymentOperations: Operations = {
  'GET /v1/payment_intents': operation(list),
  'POST /v1/payment_intents': operation(create),
  'GET /v1/payment_intents/{intent}': operation(retrieve),
  'POST /v1/payment_intents/{intent}': operation(update),
  'POST /v1/payment_intents/{intent}/confirm': operation(confirm),
  'POST /v1/payment_intents/{intent}/cancel': operation(cancel),
  'POST /v1/payment_intents/{intent}/capture': operation(capture),
}
