import type Stripe from 'stripe'
import type { Decline } from '../cards.ts'
import { noSuch } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Charge, PaymentIntent, PaymentMethod } from '../store.ts'
import { book, cardFee } from './balance.ts'

type Result = { status: 'succeeded' | 'pending' | 'failed'; decline?: Decline }

/** Writes the charge of one attempt to pay an intent. It takes the intent's metadata with it. */
export function newCharge(
  sandbox: Sandbox,
  intent: PaymentIntent,
  method: PaymentMethod,
  { status, decline }: Result,
): Charge {
  const held = intent.capture_method === 'manual'
  const id = newId('ch')
  const { amount, currency, customer, description, metadata, receipt_email } = intent
  const charge = resource<Charge>('Charge', {
    ...born(sandbox),
    id,
    ...{ amount, currency, customer, description, receipt_email, status },
    amount_captured: status === 'succeeded' && !held ? amount : 0,
    captured: status !== 'failed' && !held,
    paid: status !== 'failed',
    metadata: { ...metadata },
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'SANDBOX',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, amount),
    outcome: outcomeOf(decline),
    fraud_details: {},
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
  })
  sandbox.store.charges.set(charge.id, charge)
  if (charge.amount_captured > 0) bookCharge(sandbox, charge)
  return charge
}

/** Books what a charge has captured, once. */
export function bookCharge(sandbox: Sandbox, charge: Charge): void {
  const { id, amount_captured: amount, currency, description } = charge
  charge.balance_transaction = book(sandbox, {
    ...{ amount, currency, description, source: id },
    fee: charge.payment_method_details?.type === 'card' ? cardFee(amount) : 35,
    type: charge.payment_method_details?.type === 'card' ? 'charge' : 'payment',
    category: 'charge',
  }).id
}

function detailsOf(method: PaymentMethod, amount: number): Charge['payment_method_details'] {
  const { card, sepa_debit: account } = method
  if (account) {
    const { bank_code, branch_code, country, fingerprint, last4 } = account
    const details = { bank_code, branch_code, country, fingerprint, last4 }
    return resource('Charge.PaymentMethodDetails', { type: 'sepa_debit', sepa_debit: details })
  }
  if (!card) throw new TypeError(`The payment method ${method.id} is neither card nor account`)
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = card
  const details = { brand, country, exp_month, exp_year, fingerprint: fingerprint ?? null, funding }
  return resource('Charge.PaymentMethodDetails', {
    type: 'card',
    card: { ...details, last4, amount_authorized: amount, network: brand },
  })
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  return resource('Charge.Outcome', {
    advice_code: decline?.advice ?? null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.reason ?? null,
    risk_level: 'normal',
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  })
}

/** The charge of an id; 404, or 400 naming the parameter, for none. */
export function findCharge({ store }: Sandbox, id: string, param?: string): Charge {
  const charge = store.charges.get(id)
  if (!charge) throw noSuch('charge', id, param)
  return charge
}

function retrieve(sandbox: Sandbox, _params: object, id: string): Charge {
  return findCharge(sandbox, id)
}

function list({ store }: Sandbox, params: Stripe.ChargeListParams): object {
  const { created, customer, payment_intent: intent } = params
  const rows = [...store.charges.values()].filter(
    (it) => (!customer || it.customer === customer) && (!intent || it.payment_intent === intent),
  )
  return listOf(rows, { url: '/v1/charges', page: params, ...(created && { created }) })
}

export const chargeOperations: Operations = {
  'GET /v1/charges': operation(list),
  'GET /v1/charges/{charge}': operation(retrieve),
}
