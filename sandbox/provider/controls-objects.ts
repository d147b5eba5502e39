import type { ApiParts } from './api.ts'
import { cardNamed } from './cards.ts'
import type { Body, ControlCall } from './controls.ts'
import { settle } from './due.ts'
import { invalid, noSuch, ProviderError } from './errors.ts'
import { allOperations } from './operations.ts'
import { readNumber } from './pages/cards.ts'
import { findCharge } from './resources/charges.ts'
import { authenticate, FIRST_CARD, payLate, submitSession } from './resources/checkout.ts'
import {
  closeDispute,
  escalateDispute,
  findDispute,
  type Outcome,
  openDispute,
} from './resources/disputes.ts'
import { detach, expireCard, findMethod } from './resources/methods.ts'
import { findPayment } from './resources/payments.ts'
import { askForRefund, completeRefund, failRefund, findRefund } from './resources/refunds.ts'
import { expireSession, findSession } from './resources/sessions.ts'
import type { Sandbox } from './sandbox.ts'
import type { PaymentIntent, Session, SetupIntent } from './store.ts'

/**
 * `{ card?, authenticate?, late? }`: pays, or saves, without a browser. The card is a test number
 * or a shared name; the bank's question, if it asks, is answered as `authenticate` says (yes, if it
 * does not; `null` leaves it open). `late` pays a session that has expired. Answers the session,
 * its intent, and the error of a bank that said no.
 */
export function completeSession({ sandbox }: ApiParts, { body, ids: [id = ''] }: ControlCall) {
  const session = findSession(sandbox, id)
  const { card = FIRST_CARD, authenticate: answer = true } = body
  const named = typeof card === 'string' ? cardNamed(card) : undefined
  const number = named?.number ?? readNumber(card)
  const error = refusalOf(() => {
    if (body.late === true) payLate(sandbox, session, number)
    else submitSession(sandbox, session, number)
    const intent = intentOf(sandbox, session)
    if (intent?.status === 'requires_action' && answer !== null) {
      authenticate(sandbox, intent, answer === true)
    }
  })
  return { session, intent: intentOf(sandbox, session) ?? null, error }
}

/** What the bank said no with; null when it agreed. */
function refusalOf(act: () => void): object | null {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof ProviderError && error.status === 402) return error.body
    throw error
  }
}

function intentOf({ store }: Sandbox, session: Session): PaymentIntent | SetupIntent | undefined {
  const { payment_intent: payment, setup_intent: setup } = session
  return store.paymentIntents.get(payment ?? '') ?? store.setupIntents.get(setup ?? '')
}

export function expireNow({ sandbox }: ApiParts, { ids: [id = ''] }: ControlCall): object {
  const session = findSession(sandbox, id)
  if (session.status !== 'open') {
    throw invalid(`This Checkout Session has a status of ${session.status}.`)
  }
  expireSession(sandbox, session)
  return session
}

/** `{ outcome: 'succeeded' | 'failed' }`: the delayed result of a bank debit comes in now. */
export function settleIntent({ sandbox }: ApiParts, { body, ids: [id = ''] }: ControlCall): object {
  const { outcome = 'succeeded' } = body
  if (outcome !== 'succeeded' && outcome !== 'failed') {
    throw invalid('outcome must be succeeded or failed', { param: 'outcome' })
  }
  settle(sandbox, id, outcome === 'succeeded')
  return findPayment(sandbox, id)
}

/** `{ accept? }`: the customer answers their bank. */
export function authenticateIntent(
  { sandbox }: ApiParts,
  { body, ids: [id = ''] }: ControlCall,
): object {
  const { paymentIntents, setupIntents } = sandbox.store
  const intent = paymentIntents.get(id) ?? setupIntents.get(id)
  if (!intent) throw noSuch('intent', id)
  const error = refusalOf(() => authenticate(sandbox, intent, body.accept !== false))
  return { intent, error }
}

/** `{ charge | paymentIntent, kind?, reason?, amount? }` */
export function startDispute({ sandbox }: ApiParts, { body }: ControlCall): object {
  const { kind = 'chargeback', reason = 'general', amount } = body
  if (kind !== 'inquiry' && kind !== 'chargeback') {
    throw invalid('kind must be inquiry or chargeback', { param: 'kind' })
  }
  const intentId = body.paymentIntent
  const chargeId =
    intentId === undefined
      ? body.charge
      : findPayment(sandbox, String(intentId), 'paymentIntent').latest_charge
  const charge = findCharge(sandbox, String(chargeId ?? ''), 'charge')
  const opening = { kind, reason: String(reason) } as const
  const wanted = typeof amount === 'number' ? { amount } : {}
  return openDispute(sandbox, charge, { ...opening, ...wanted })
}

/** `close { outcome }` or `escalate`, which makes a chargeback of an inquiry. */
export function endDispute(
  { sandbox }: ApiParts,
  { body, ids: [id = '', verb] }: ControlCall,
): object {
  const dispute = findDispute(sandbox, id)
  if (verb === 'escalate') escalateDispute(sandbox, dispute)
  else closeDispute(sandbox, dispute, readOutcome(body))
  return dispute
}

function readOutcome({ outcome }: Body): Outcome {
  if (outcome === 'won' || outcome === 'lost' || outcome === 'warning_closed') return outcome
  throw invalid('outcome must be won, lost or warning_closed', { param: 'outcome' })
}

/** `{ paymentIntent, amount? }`: somebody refunds by hand; nothing of the service's is on it. */
export function createRefund({ sandbox }: ApiParts, { body }: ControlCall): object {
  const { paymentIntent, amount } = body
  const wanted = typeof amount === 'number' ? { amount } : {}
  const create = allOperations['POST /v1/refunds']
  if (!create) throw new TypeError('The API has no refunds')
  return create(sandbox, { payment_intent: String(paymentIntent ?? ''), ...wanted }, '')
}

export function changeRefund({ sandbox }: ApiParts, { ids: [id = '', verb] }: ControlCall): object {
  const refund = findRefund(sandbox, id)
  if (verb === 'fail') failRefund(sandbox, refund)
  else if (verb === 'succeed') completeRefund(sandbox, refund)
  else askForRefund(sandbox, refund)
  return refund
}

export function changeMethod({ sandbox }: ApiParts, { ids: [id = '', verb] }: ControlCall): object {
  const method = findMethod(sandbox, id)
  if (verb === 'expire') expireCard(sandbox, method)
  else if (method.customer) detach(sandbox, method)
  else throw invalid('The payment method is not attached to a customer.')
  return method
}
