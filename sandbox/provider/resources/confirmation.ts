import { AUTHENTICATION_REQUIRED, type Decline, findAccount, findCard } from '../cards.ts'
import { ProviderError, unexpectedState } from '../errors.ts'
import { newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Charge, PaymentIntent, PaymentMethod, SetupIntent } from '../store.ts'
import { bookCharge, newCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { announce } from './events.ts'
import { attach, declined, declineOf, natureOf } from './methods.ts'

type How = {
  method: PaymentMethod
  /** The customer is not there to answer their bank. */
  offSession: boolean
  /** The customer has just proved to be there. */
  authenticated?: boolean
}

/**
 * Pays an intent with a method: it ends as succeeded, requires_capture, processing or
 * requires_action. Throws a 402 with the intent in it when the bank says no, or wants a customer
 * who is not there; the intent then requires another method.
 */
export function confirmPayment(sandbox: Sandbox, intent: PaymentIntent, how: How): void {
  const { method, offSession, authenticated = false } = how
  intent.payment_method = method.id
  intent.payment_method_types = [method.type]
  intent.last_payment_error = null
  intent.next_action = null
  if (method.type === 'sepa_debit') {
    startDebit(sandbox, intent, method)
    return
  }
  if (!authenticated && wantsAuthentication(sandbox, method)) {
    if (offSession) throw failPayment(sandbox, intent, method, AUTHENTICATION_REQUIRED)
    requireAction(sandbox, intent)
    announce(sandbox, 'payment_intent.requires_action', intent)
    return
  }
  const decline = declineOf(sandbox, method)
  if (decline) throw failPayment(sandbox, intent, method, decline)
  succeed(sandbox, intent, method)
}

/** Whether the bank wants the customer for this method now. */
export function wantsAuthentication(sandbox: Sandbox, method: PaymentMethod): boolean {
  const nature = natureOf(sandbox, method)
  const wish = findCard(nature.number)?.authentication ?? 'never'
  return wish === 'always' || (wish === 'until-set-up' && !nature.setUp)
}

/** Sends the customer to the page where they answer their bank. */
export function requireAction(sandbox: Sandbox, intent: PaymentIntent | SetupIntent): void {
  const return_url = sandbox.store.returnUrls.get(intent.id) ?? null
  const redirect_to_url = { url: `${sandbox.publicUrl}/3ds/${intent.id}`, return_url }
  intent.status = 'requires_action'
  intent.next_action = { type: 'redirect_to_url', redirect_to_url }
}

function succeed(sandbox: Sandbox, intent: PaymentIntent, method: PaymentMethod): void {
  const charge = newCharge(sandbox, intent, method, { status: 'succeeded' })
  intent.latest_charge = charge.id
  announce(sandbox, 'charge.succeeded', charge)
  storeMethod(sandbox, intent, method)
  if (intent.capture_method === 'manual') {
    intent.status = 'requires_capture'
    intent.amount_capturable = intent.amount
    announce(sandbox, 'payment_intent.amount_capturable_updated', intent)
    return
  }
  finish(sandbox, intent, charge)
  const dispute = findCard(natureOf(sandbox, method).number)?.dispute
  if (dispute) openDispute(sandbox, charge, { kind: dispute, reason: 'fraudulent' })
}

function finish(sandbox: Sandbox, intent: PaymentIntent, charge: Charge): void {
  intent.status = 'succeeded'
  intent.amount_received = charge.amount_captured
  intent.amount_capturable = 0
  announce(sandbox, 'payment_intent.succeeded', intent)
}

/** A method that is to be used again goes to the customer; any other is spent. */
function storeMethod(sandbox: Sandbox, intent: PaymentIntent, method: PaymentMethod): void {
  const nature = natureOf(sandbox, method)
  if (intent.setup_future_usage && intent.customer) {
    nature.setUp = true
    attach(sandbox, method, intent.customer)
  } else if (!method.customer) nature.spent = true
}

/** Takes what an authorised payment holds, or less. Amounts in the smallest unit. */
export function capturePayment(sandbox: Sandbox, intent: PaymentIntent, amount: number): void {
  const charge = chargeOf(sandbox, intent)
  charge.amount_captured = amount
  charge.captured = true
  bookCharge(sandbox, charge)
  announce(sandbox, 'charge.captured', charge)
  finish(sandbox, intent, charge)
}

function startDebit(sandbox: Sandbox, intent: PaymentIntent, method: PaymentMethod): void {
  const charge = newCharge(sandbox, intent, method, { status: 'pending' })
  intent.latest_charge = charge.id
  intent.status = 'processing'
  storeMethod(sandbox, intent, method)
  announce(sandbox, 'charge.pending', charge)
  announce(sandbox, 'payment_intent.processing', intent)
  const succeeds = findAccount(natureOf(sandbox, method).number)?.succeeds
  const at = sandbox.clock.now() + sandbox.delayedPaymentMs
  const what = succeeds ? 'payment-succeeds' : 'payment-fails'
  sandbox.store.appointments.set(intent.id, { at, what, id: intent.id })
}

/** The delayed result of a bank debit. 400 for an intent that is not processing. */
export function settlePayment(sandbox: Sandbox, intent: PaymentIntent, succeeds: boolean): void {
  if (intent.status !== 'processing') throw unexpectedState('payment_intent', intent, 'settle')
  sandbox.store.appointments.delete(intent.id)
  const charge = chargeOf(sandbox, intent)
  if (succeeds) {
    charge.status = 'succeeded'
    charge.amount_captured = charge.amount
    bookCharge(sandbox, charge)
    announce(sandbox, 'charge.succeeded', charge)
    finish(sandbox, intent, charge)
    return
  }
  charge.status = 'failed'
  charge.paid = false
  charge.failure_code = DEBIT_REFUSED.code
  charge.failure_message = DEBIT_REFUSED.message
  announce(sandbox, 'charge.failed', charge)
  refuse(sandbox, intent, declined(DEBIT_REFUSED, { charge: charge.id }))
}

const DEBIT_REFUSED: Decline = {
  code: 'payment_intent_payment_attempt_failed',
  reason: 'generic_decline',
  message: 'The payment failed: the bank did not pay the debit.',
}

function chargeOf({ store }: Sandbox, intent: PaymentIntent): Charge {
  const charge = store.charges.get(intent.latest_charge ?? '')
  if (!charge) throw new TypeError(`The intent ${intent.id} has no charge`)
  return charge
}

/** Writes the failed charge; gives the 402 to throw. */
function failPayment(
  sandbox: Sandbox,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
): ProviderError {
  const charge = newCharge(sandbox, intent, method, { status: 'failed', decline })
  intent.latest_charge = charge.id
  announce(sandbox, 'charge.failed', charge)
  const about = { charge: charge.id, payment_method: structuredClone(method) }
  return refuse(sandbox, intent, declined(decline, about))
}

/** The customer did not prove to be there: no charge is made. Gives the 402 to throw. */
export function failAuthentication(sandbox: Sandbox, intent: PaymentIntent): ProviderError {
  return refuse(sandbox, intent, notAuthenticated('payment_intent'))
}

/** What an intent says whose customer refused, or failed, to authenticate. */
export function notAuthenticated(kind: 'payment_intent' | 'setup_intent'): ProviderError {
  return new ProviderError(402, {
    type: 'card_error',
    code: `${kind}_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment ' +
      'method and try again.',
  })
}

function refuse(sandbox: Sandbox, intent: PaymentIntent, error: ProviderError): ProviderError {
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.next_action = null
  intent.last_payment_error = resource('PaymentIntent.LastPaymentError', { ...error.body })
  announce(sandbox, 'payment_intent.payment_failed', intent)
  return new ProviderError(402, { ...error.body, payment_intent: structuredClone(intent) })
}

/** The secret a browser would confirm an intent with. */
export function clientSecretOf(id: string): string {
  return `${id}_secret_${newId('x').slice(2)}`
}
