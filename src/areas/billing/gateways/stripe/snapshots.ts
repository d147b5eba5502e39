import type Stripe from 'stripe'
import { cents, sumCents } from '#lib/money.ts'
import { type Instant, instant, SECOND_MS } from '#lib/time.ts'
import type {
  Correlation,
  DisputeSnapshot,
  DisputeState,
  MethodKind,
  MethodSnapshot,
  PaymentSnapshot,
  PaymentState,
  ProviderRef,
  RefundSnapshot,
  RefundState,
  SetupSnapshot,
  SetupState,
} from '../snapshots.ts'
import { moneyOf } from './amounts.ts'
import { idOf, objectOf } from './client.ts'
import { declineOf } from './declines.ts'

type Session = Stripe.Checkout.Session
type Intent = Stripe.PaymentIntent

/** Facts that are known beside the PaymentIntent itself. */
export interface PaymentFacts {
  readonly session?: Session
  readonly disputes?: readonly Stripe.Dispute[]
  readonly observedAt: Instant
}

/** The instant of Stripe's time, which is in seconds since 1970. */
export function instantOf(seconds: number): Instant {
  return instant(seconds * SECOND_MS)
}

/** Our ids on one of Stripe's objects; undefined if it has none. */
export function correlationOf(
  metadata: Stripe.Metadata | null | undefined,
): Partial<Correlation> | undefined {
  if (!metadata?.installation_id) return undefined
  return {
    installationId: metadata.installation_id,
    ...(metadata.tenant_id && { tenantId: metadata.tenant_id }),
    ...(metadata.gateway_id && { gatewayId: metadata.gateway_id }),
    ...(metadata.attempt_id && { attemptId: metadata.attempt_id }),
    ...(metadata.invoice_id && { invoiceId: metadata.invoice_id }),
  }
}

/** A payment from its PaymentIntent, and from the Checkout Session it was made in, if any. */
export function paymentOf(intent: Intent, facts: PaymentFacts): PaymentSnapshot {
  const { session, disputes = [], observedAt } = facts
  const charge = objectOf(intent.latest_charge)
  const balance = objectOf(charge?.balance_transaction)
  const correlation = correlationOf(intent.metadata) ?? correlationOf(session?.metadata)
  const method = objectOf(intent.payment_method)
  const failure = intent.status !== 'succeeded' && intent.last_payment_error
  const paidAt = intent.status === 'succeeded' ? (charge?.created ?? intent.created) : undefined
  return {
    ref: refOf(intent, session),
    ...(correlation && { correlation }),
    state: session ? stateInSession(intent, session) : stateAlone(intent),
    requested: moneyOf(intent.amount, intent.currency),
    received: moneyOf(intent.amount_received, intent.currency),
    refundedCents: cents(charge?.amount_refunded ?? 0),
    disputedCents: sumCents(disputes.map(heldBy)),
    ...(paidAt !== undefined && { paidAt: instantOf(paidAt) }),
    ...(balance && { fee: moneyOf(balance.fee, balance.currency) }),
    ...(method && { method: methodOf(method) }),
    ...(failure && { failure: declineOf(failure) }),
    observedAt,
  }
}

/** A payment the customer has not confirmed yet: only its Checkout Session exists. */
export function unconfirmedPaymentOf(session: Session, observedAt: Instant): PaymentSnapshot {
  const correlation = correlationOf(session.metadata)
  const currency = session.currency ?? ''
  const customerId = idOf(session.customer)
  return {
    ref: { checkoutId: session.id, ...(customerId && { customerId }) },
    ...(correlation && { correlation }),
    state: pageStateOf(session) ?? 'processing',
    requested: moneyOf(session.amount_total ?? 0, currency),
    received: moneyOf(0, currency),
    refundedCents: cents(0),
    disputedCents: cents(0),
    observedAt,
  }
}

function refOf(intent: Intent, session: Session | undefined): ProviderRef {
  const customerId = idOf(intent.customer) ?? idOf(session?.customer)
  return {
    ...(session && { checkoutId: session.id }),
    paymentId: intent.id,
    ...(customerId && { customerId }),
  }
}

/** The state that the hosted page itself determines: it can still be used, or it has expired. */
function pageStateOf(session: Session | undefined): 'open' | 'expired' | undefined {
  if (session?.status === 'open') return 'open'
  return session?.status === 'expired' ? 'expired' : undefined
}

// A PaymentIntent without a session has no page to come back to: if it needs the customer, it has
// failed.
function stateAlone({ status, last_payment_error: failure }: Intent): PaymentState {
  switch (status) {
    case 'succeeded':
      return 'paid'
    case 'canceled':
      return 'canceled'
    case 'requires_action':
      return 'action_required'
    case 'requires_payment_method':
      return failure ? 'failed' : 'open'
    case 'requires_confirmation':
      return 'open'
    default:
      return 'processing'
  }
}

// In an open session a declined card is only noted: the customer may use another one.
function stateInSession(intent: Intent, session: Session): PaymentState {
  if (intent.status === 'succeeded') return 'paid'
  const page = pageStateOf(session)
  if (page) return page
  return intent.status === 'requires_payment_method' ? 'failed' : stateAlone(intent)
}

/** A saved or used method. One that belongs to no customer cannot be charged again. */
export function methodOf(method: Stripe.PaymentMethod): MethodSnapshot {
  const attached = method.customer !== null
  const { card, sepa_debit: debit } = method
  return {
    methodId: method.id,
    kind: kindOf(method.type),
    reusableOffSession: attached,
    state: 'usable',
    ...(card && {
      brand: card.brand,
      last4: card.last4,
      expMonth: card.exp_month,
      expYear: card.exp_year,
      ...(card.fingerprint && { fingerprint: card.fingerprint }),
      ...(card.country && { country: card.country }),
    }),
    ...(debit && {
      ...(debit.last4 && { last4: debit.last4 }),
      ...(debit.fingerprint && { fingerprint: debit.fingerprint }),
      ...(debit.country && { country: debit.country }),
    }),
    ...(kindOf(method.type) === 'other' && { label: method.type }),
  }
}

function kindOf(type: string): MethodKind {
  return type === 'card' || type === 'sepa_debit' || type === 'paypal' ? type : 'other'
}

/** A method that can no longer be charged. */
export function removedMethodOf(method: Stripe.PaymentMethod): MethodSnapshot {
  return { ...methodOf(method), reusableOffSession: false, state: 'gone' }
}

/** The saving of a method, from its SetupIntent and the Checkout Session it is made in, if any. */
export function setupOf(
  setup: Stripe.SetupIntent,
  { session, observedAt }: { session?: Session; observedAt: Instant },
): SetupSnapshot {
  const correlation = correlationOf(setup.metadata) ?? correlationOf(session?.metadata)
  const method = setup.status === 'succeeded' ? objectOf(setup.payment_method) : undefined
  const failure = setup.status !== 'succeeded' && setup.last_setup_error
  const customerId = idOf(setup.customer)
  return {
    setupId: session?.id ?? setup.id,
    ...(customerId && { customerId }),
    ...(correlation && { correlation }),
    state: setupStateOf(setup, session),
    ...(method && { method: methodOf(method) }),
    ...(failure && { failure: declineOf(failure) }),
    observedAt,
  }
}

/** A Checkout Session in which nothing was confirmed yet. */
export function unconfirmedSetupOf(session: Session, observedAt: Instant): SetupSnapshot {
  const correlation = correlationOf(session.metadata)
  const state = pageStateOf(session) ?? 'processing'
  return { setupId: session.id, ...(correlation && { correlation }), state, observedAt }
}

function setupStateOf(setup: Stripe.SetupIntent, session: Session | undefined): SetupState {
  const { status } = setup
  if (status === 'succeeded') return 'succeeded'
  const page = pageStateOf(session)
  if (page) return page
  if (status === 'canceled') return 'canceled'
  if (status === 'requires_action') return 'action_required'
  if (status === 'requires_payment_method') return setup.last_setup_error ? 'failed' : 'open'
  return status === 'requires_confirmation' ? 'open' : 'processing'
}

/** A refund, ours or one made in Stripe's dashboard. */
export function refundOf(refund: Stripe.Refund, observedAt: Instant): RefundSnapshot {
  const ourRefundId = refund.metadata?.refund_id
  return {
    refundId: refund.id,
    payment: paymentRefOf(refund.payment_intent),
    ...(ourRefundId && { ourRefundId }),
    amount: moneyOf(refund.amount, refund.currency),
    state: refundStateOf(refund.status),
    ...(refund.failure_reason && { failureCode: refund.failure_reason }),
    observedAt,
  }
}

function refundStateOf(status: string | null): RefundState {
  if (status === 'succeeded' || status === 'failed' || status === 'canceled') return status
  return status === 'requires_action' ? 'action_required' : 'pending'
}

/** A dispute. One in an unknown state is one that a person has to check. */
export function disputeOf(dispute: Stripe.Dispute, observedAt: Instant): DisputeSnapshot {
  const respondBy = dispute.evidence_details?.due_by
  const balance = dispute.balance_transactions ?? []
  return {
    disputeId: dispute.id,
    payment: paymentRefOf(dispute.payment_intent),
    amount: moneyOf(dispute.amount, dispute.currency),
    state: disputeStateOf(dispute),
    fundsHeldCents: heldBy(dispute),
    feeCents: sumCents(balance.map(({ fee }) => fee)),
    feeCurrency: (balance[0]?.currency ?? dispute.currency).toUpperCase(),
    reason: dispute.reason,
    ...(respondBy && { respondBy: instantOf(respondBy) }),
    observedAt,
  }
}

const DISPUTE_STATES: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'closed_without_loss',
  needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_needs_response: 'needs_response',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

/** A prevented dispute is over: it needs no answer, and its money does not come back. */
function disputeStateOf(dispute: Stripe.Dispute): DisputeState {
  if (dispute.status === 'prevented') return heldBy(dispute) > 0 ? 'lost' : 'closed_without_loss'
  return DISPUTE_STATES[dispute.status] ?? 'needs_response'
}

/** The amount that left for a dispute and has not come back, in the dispute's own currency. */
function heldBy(dispute: Stripe.Dispute): ReturnType<typeof cents> {
  const moves = dispute.balance_transactions ?? []
  const moved = sumCents(moves.map(({ amount }) => amount))
  if (moved >= 0) return cents(0)
  // If settled in another currency, the amounts cannot be compared; the disputed amount can be.
  const converted = moves.some(({ currency }) => currency !== dispute.currency)
  return cents(converted ? dispute.amount : -moved)
}

function paymentRefOf(intent: string | Intent | null): ProviderRef {
  const paymentId = idOf(intent)
  const customerId = idOf(objectOf(intent)?.customer)
  return { ...(paymentId && { paymentId }), ...(customerId && { customerId }) }
}
