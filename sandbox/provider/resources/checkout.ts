import type Stripe from 'stripe'
import { TEST_CARDS } from '../cards.ts'
import { invalid, type ProviderError } from '../errors.ts'
import type { Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { PaymentIntent, Session, SetupIntent } from '../store.ts'
import { confirmPayment, failAuthentication } from './confirmation.ts'
import { newCustomer } from './customers.ts'
import { announce } from './events.ts'
import { assertUsable, findMethod, newMethod } from './methods.ts'
import { findPayment, newPayment } from './payments.ts'
import { confirmSetup, failSetupAuthentication, findSetup } from './setups.ts'

/** The card a page offers first. */
export const FIRST_CARD = TEST_CARDS[0]?.number ?? ''

/**
 * The customer pays, or saves, with a test number on the hosted page. Throws the 402 of a bank that
 * says no: the session stays open. The intent is made when the customer first confirms.
 */
export function submitSession(sandbox: Sandbox, session: Session, number: string): void {
  if (session.status !== 'open') {
    throw invalid(`This Checkout Session has a status of ${session.status}.`)
  }
  if (session.mode === 'setup') {
    const intent = findSetup(sandbox, session.setup_intent ?? '')
    confirmSetup(sandbox, intent, { method: newMethod(sandbox, number, billingOf(session)) })
  } else {
    pay(sandbox, session, number)
  }
  followIntent(sandbox, session)
}

function pay(sandbox: Sandbox, session: Session, number: string): void {
  const intent = intentOf(sandbox, session)
  const method = newMethod(sandbox, number, billingOf(session))
  confirmPayment(sandbox, intent, { method, offSession: false })
}

/** Money that comes when the session has expired: it stays expired, but its intent is paid. */
export function payLate(sandbox: Sandbox, session: Session, number: string): void {
  if (session.status !== 'expired' || session.mode !== 'payment') {
    throw invalid('Only an expired payment session can be paid late.')
  }
  session.payment_intent = null
  pay(sandbox, session, number)
}

function billingOf(session: Session) {
  const known = { email: session.customer_email }
  const name = 'PaymentMethod.BillingDetails'
  return { billing: resource<Stripe.PaymentMethod.BillingDetails>(name, known) }
}

function intentOf(sandbox: Sandbox, session: Session): PaymentIntent {
  if (session.payment_intent) return findPayment(sandbox, session.payment_intent)
  const plan = sandbox.store.plans.get(session.id)
  if (session.customer_creation === 'always' && !session.customer) {
    const { customer_email: email } = session
    session.customer = newCustomer(sandbox, email ? { email } : {}).id
  }
  const intent = newPayment(sandbox, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'eur',
    customer: session.customer,
    fields: plan?.intent ?? {},
    automatic: false,
  })
  session.payment_intent = intent.id
  sandbox.store.sessionOfIntent.set(intent.id, session.id)
  return intent
}

/** A customer answers their bank: accepted, the intent goes on; refused, it asks for another. */
export function authenticate(
  sandbox: Sandbox,
  intent: PaymentIntent | SetupIntent,
  accepted: boolean,
): void {
  if (intent.status !== 'requires_action') {
    throw invalid(`There is nothing to authenticate: the status is ${intent.status}.`)
  }
  if (!accepted) throw refusal(sandbox, intent)
  const method = findMethod(sandbox, intent.payment_method ?? '')
  assertUsable(sandbox, method)
  const how = { method, authenticated: true, offSession: false }
  if (intent.object === 'payment_intent') confirmPayment(sandbox, intent, how)
  else confirmSetup(sandbox, intent, how)
  const session = sessionOf(sandbox, intent.id)
  if (session) followIntent(sandbox, session)
}

function refusal(sandbox: Sandbox, intent: PaymentIntent | SetupIntent): ProviderError {
  if (intent.object === 'payment_intent') return failAuthentication(sandbox, intent)
  return failSetupAuthentication(sandbox, intent)
}

/** The session an intent belongs to, if any. */
export function sessionOf({ store }: Sandbox, intentId: string): Session | undefined {
  return store.sessions.get(store.sessionOfIntent.get(intentId) ?? '')
}

/** Brings a session to what its intent has become, and announces the step. */
export function followIntent(sandbox: Sandbox, session: Session): void {
  if (session.mode === 'setup') {
    const { status } = findSetup(sandbox, session.setup_intent ?? '')
    if (session.status === 'open' && status === 'succeeded') complete(sandbox, session)
    return
  }
  const { status } = findPayment(sandbox, session.payment_intent ?? '')
  if (session.status === 'open') {
    if (status === 'succeeded') session.payment_status = 'paid'
    if (['succeeded', 'processing', 'requires_capture'].includes(status)) complete(sandbox, session)
  } else if (session.status === 'complete' && session.payment_status === 'unpaid') {
    if (status === 'succeeded') {
      session.payment_status = 'paid'
      announce(sandbox, 'checkout.session.async_payment_succeeded', session)
    } else if (status === 'requires_payment_method') {
      announce(sandbox, 'checkout.session.async_payment_failed', session)
    }
  }
}

function complete(sandbox: Sandbox, session: Session): void {
  const customer = sandbox.store.customers.get(session.customer ?? '')
  session.status = 'complete'
  session.url = null
  sandbox.store.appointments.delete(session.id)
  session.customer_details = resource('Checkout.Session.CustomerDetails', {
    address: customer?.address ?? null,
    email: customer?.email ?? session.customer_email,
    name: customer?.name ?? null,
    phone: customer?.phone ?? null,
    tax_exempt: 'none',
  })
  announce(sandbox, 'checkout.session.completed', session)
}

/** Where the browser goes after the session is complete. */
export function successUrlOf(session: Session): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}
