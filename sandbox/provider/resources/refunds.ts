import type Stripe from 'stripe'
import { formatAmount } from '../amounts.ts'
import { findCard } from '../cards.ts'
import { invalid, noSuch, refuseParameters } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Charge, Refund } from '../store.ts'
import { book } from './balance.ts'
import { findCharge } from './charges.ts'
import { announce, type EventType } from './events.ts'
import { findPayment } from './payments.ts'

const UNSUPPORTED = ['currency', 'customer', 'origin', 'refund_application_fee', 'reverse_transfer']

/** The refund of an id; 404 for none. */
export function findRefund({ store }: Sandbox, id: string): Refund {
  const refund = store.refunds.get(id)
  if (!refund) throw noSuch('refund', id)
  return refund
}

function create(sandbox: Sandbox, params: Stripe.RefundCreateParams): Refund {
  refuseParameters(params, UNSUPPORTED)
  const charge = chargeOf(sandbox, params)
  const amount = amountOf(charge, params.amount)
  const pending = isSlow(sandbox, charge)
  const refund = resource<Refund>('Refund', {
    id: newId('re'),
    created: born(sandbox).created,
    amount,
    charge: charge.id,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { type: 'card', card: { type: 'refund', reference_status: 'pending' } },
    metadata: mergedMetadata(null, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    status: pending ? 'pending' : 'succeeded',
    ...(pending && { pending_reason: 'processing' }),
  })
  sandbox.store.refunds.set(refund.id, refund)
  refund.balance_transaction = bookRefund(sandbox, refund, -amount, 'refund')
  setRefunded(sandbox, charge, charge.amount_refunded + amount)
  announce(sandbox, 'refund.created', refund)
  appoint(sandbox, refund, charge)
  return refund
}

function chargeOf(sandbox: Sandbox, params: Stripe.RefundCreateParams): Charge {
  if (params.charge) return findCharge(sandbox, params.charge, 'charge')
  if (!params.payment_intent) {
    throw invalid('One of the following params should be provided: payment_intent or charge.', {
      code: 'parameter_missing',
      param: 'payment_intent',
    })
  }
  const intent = findPayment(sandbox, params.payment_intent, 'payment_intent')
  if (intent.status === 'succeeded' && intent.latest_charge) {
    return findCharge(sandbox, intent.latest_charge)
  }
  throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
    code: 'payment_intent_unexpected_state',
  })
}

/** What is left of the charge, or the part asked for. 400 when it is not there to give back. */
function amountOf(charge: Charge, wanted: number | undefined): number {
  if (!charge.captured || charge.status !== 'succeeded') {
    throw invalid(`Charge ${charge.id} was not captured.`, { code: 'charge_not_refundable' })
  }
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw invalid(message, { code: 'charge_already_refunded' })
  }
  const left = charge.amount_captured - charge.amount_refunded
  const amount = wanted ?? left
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalid(message, { param: 'amount', code: 'parameter_invalid_integer' })
  }
  if (amount > left) {
    const [asked, rest] = [amount, left].map((it) => formatAmount(it, charge.currency))
    const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`
    throw invalid(message, { param: 'amount' })
  }
  return amount
}

/** 400 for a charge whose money the bank has taken back. */
function assertUndisputed({ store }: Sandbox, charge: Charge): void {
  const dispute = [...store.disputes.values()].find((it) => it.charge === charge.id)
  if (charge.disputed && dispute && !dispute.is_charge_refundable) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
}

function isSlow(sandbox: Sandbox, charge: Charge): boolean {
  assertUndisputed(sandbox, charge)
  return cardOf(sandbox, charge)?.refund === 'pending' || !charge.payment_method_details?.card
}

function cardOf({ store }: Sandbox, charge: Charge) {
  return findCard(store.natures.get(charge.payment_method ?? '')?.number ?? '')
}

/** A slow refund arrives later; that of a certain card comes back. */
function appoint(sandbox: Sandbox, refund: Refund, charge: Charge): void {
  const fails = cardOf(sandbox, charge)?.refund === 'fails'
  if (refund.status !== 'pending' && !fails) return
  const at = sandbox.clock.now() + sandbox.delayedPaymentMs
  const what = fails ? 'refund-fails' : 'refund-succeeds'
  sandbox.store.appointments.set(refund.id, { at, what, id: refund.id })
}

function bookRefund(
  sandbox: Sandbox,
  { id, currency }: Refund,
  amount: number,
  category: 'refund' | 'refund_failure',
): string {
  const entry = { amount, currency, fee: 0, source: id, type: category, category }
  return book(sandbox, { ...entry, description: null }).id
}

function setRefunded(sandbox: Sandbox, charge: Charge, amount: number): void {
  const { amount_refunded, refunded } = charge
  charge.amount_refunded = amount
  charge.refunded = amount === charge.amount_captured
  const type: EventType = amount > amount_refunded ? 'charge.refunded' : 'charge.updated'
  announce(sandbox, type, charge, { amount_refunded, refunded })
}

/** The bank sends the money back to the account. 400 for a refund that has failed already. */
export function failRefund(sandbox: Sandbox, refund: Refund): void {
  giveBack(sandbox, refund, 'failed', 'refund.failed')
}

function giveBack(
  sandbox: Sandbox,
  refund: Refund,
  status: 'failed' | 'canceled',
  type: EventType,
): void {
  const { status: before } = refund
  if (before === 'failed' || before === 'canceled') {
    throw invalid(`This refund has a status of ${before}.`)
  }
  sandbox.store.appointments.delete(refund.id)
  refund.status = status
  delete refund.pending_reason
  if (status === 'failed') refund.failure_reason = 'expired_or_canceled_card'
  refund.failure_balance_transaction = bookRefund(sandbox, refund, refund.amount, 'refund_failure')
  const charge = findCharge(sandbox, refund.charge ?? '')
  setRefunded(sandbox, charge, charge.amount_refunded - refund.amount)
  if (type === 'refund.failed') announce(sandbox, 'refund.updated', refund, { status: before })
  announce(sandbox, type, refund, ...(type === 'refund.updated' ? [{ status: before }] : []))
}

/** A slow refund arrives. 400 for one that is not on its way. */
export function completeRefund(sandbox: Sandbox, refund: Refund): void {
  if (refund.status !== 'pending' && refund.status !== 'requires_action') {
    throw invalid(`This refund has a status of ${refund.status}.`)
  }
  moveRefund(sandbox, refund, 'succeeded')
}

/** The customer has to say where the money goes. 400 for a refund that is not on its way. */
export function askForRefund(sandbox: Sandbox, refund: Refund): void {
  if (refund.status !== 'pending') throw invalid(`This refund has a status of ${refund.status}.`)
  moveRefund(sandbox, refund, 'requires_action')
}

function moveRefund(sandbox: Sandbox, refund: Refund, status: string): void {
  const before = { status: refund.status }
  sandbox.store.appointments.delete(refund.id)
  refund.status = status
  delete refund.pending_reason
  announce(sandbox, 'refund.updated', refund, before)
}

function retrieve(sandbox: Sandbox, _params: object, id: string): Refund {
  return findRefund(sandbox, id)
}

function update(sandbox: Sandbox, params: Stripe.RefundUpdateParams, id: string): Refund {
  const refund = findRefund(sandbox, id)
  const before = { metadata: refund.metadata }
  refund.metadata = mergedMetadata(refund.metadata, params.metadata)
  announce(sandbox, 'refund.updated', refund, before)
  return refund
}

function cancel(sandbox: Sandbox, _params: object, id: string): Refund {
  const refund = findRefund(sandbox, id)
  if (refund.status !== 'requires_action') {
    throw invalid('You can only cancel a refund that requires action.')
  }
  giveBack(sandbox, refund, 'canceled', 'refund.updated')
  return refund
}

function list({ store }: Sandbox, params: Stripe.RefundListParams): object {
  const { charge, payment_intent: intent, created } = params
  const rows = [...store.refunds.values()].filter(
    (it) => (!charge || it.charge === charge) && (!intent || it.payment_intent === intent),
  )
  return listOf(rows, { url: '/v1/refunds', page: params, ...(created && { created }) })
}

export const refundOperations: Operations = {
  'GET /v1/refunds': operation(list),
  'POST /v1/refunds': operation(create),
  'GET /v1/refunds/{refund}': operation(retrieve),
  'POST /v1/refunds/{refund}': operation(update),
  'POST /v1/refunds/{refund}/cancel': operation(cancel),
}
