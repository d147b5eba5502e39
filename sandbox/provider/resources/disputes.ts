import type Stripe from 'stripe'
import { invalid, noSuch } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Charge, Dispute } from '../store.ts'
import { book } from './balance.ts'
import { announce, type EventType } from './events.ts'

/** What the bank asks for a chargeback, in the charge's smallest unit. */
const FEE = 2000
const DAYS_TO_RESPOND = 9

export type Opening = { kind: 'inquiry' | 'chargeback'; reason?: string; amount?: number }
export type Outcome = 'won' | 'lost' | 'warning_closed'

/** The customer disputes a charge. A chargeback takes the money and a fee at once. */
export function openDispute(sandbox: Sandbox, charge: Charge, opening: Opening): Dispute {
  const { kind, reason = 'general', amount = charge.amount } = opening
  if (charge.disputed) throw invalid('This charge is already disputed.', { param: 'charge' })
  if (!charge.captured || charge.status !== 'succeeded') {
    throw invalid('Only a charge that was paid can be disputed.', { param: 'charge' })
  }
  if (amount < 1 || amount > charge.amount_captured - charge.amount_refunded) {
    throw invalid('The amount is not what is left of the charge.', { param: 'amount' })
  }
  const inquiry = kind === 'inquiry'
  const due = sandbox.clock.seconds() + DAYS_TO_RESPOND * 24 * 60 * 60
  const dispute = resource<Dispute>('Dispute', {
    ...born(sandbox),
    id: newId('du'),
    amount,
    charge: charge.id,
    currency: charge.currency,
    evidence_details: { due_by: due, submission_method: 'not_submitted' },
    is_charge_refundable: inquiry,
    payment_intent: charge.payment_intent,
    payment_method_details: { type: 'card', card: cardOf(charge, kind) },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  })
  sandbox.store.disputes.set(dispute.id, dispute)
  charge.disputed = true
  announce(sandbox, 'charge.updated', charge, { disputed: false })
  announce(sandbox, 'charge.dispute.created', dispute)
  if (!inquiry) withdraw(sandbox, dispute)
  return dispute
}

function cardOf(charge: Charge, kind: 'inquiry' | 'chargeback') {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  return { brand, case_type: kind, network: brand, network_reason_code: '10.4' }
}

/** The money of a chargeback, and its fee, leave. */
function withdraw(sandbox: Sandbox, dispute: Dispute): void {
  bookDispute(sandbox, dispute, { amount: -dispute.amount, fee: FEE, category: 'dispute' })
  announce(sandbox, 'charge.dispute.funds_withdrawn', dispute)
}

type Booking = { amount: number; fee: number; category: string }

function bookDispute(sandbox: Sandbox, dispute: Dispute, booking: Booking): void {
  const { id, charge, currency } = dispute
  const entry = { ...booking, currency, source: id, type: 'adjustment' as const }
  const booked = book(sandbox, { ...entry, description: `Chargeback for ${charge}` })
  dispute.balance_transactions = [...dispute.balance_transactions, structuredClone(booked)]
}

/** An inquiry becomes a chargeback. 400 for anything that is not an open inquiry. */
export function escalateDispute(sandbox: Sandbox, dispute: Dispute): void {
  if (!isOpen(dispute) || !isInquiry(dispute)) throw invalid('This is not an open inquiry.')
  change(sandbox, dispute, { status: 'needs_response', is_charge_refundable: false })
  withdraw(sandbox, dispute)
}

/** Ends a dispute. The money comes back when it is won. 400 for one that has ended. */
export function closeDispute(sandbox: Sandbox, dispute: Dispute, outcome: Outcome): void {
  if (!isOpen(dispute)) throw invalid('This dispute is already closed.')
  if (isInquiry(dispute) !== (outcome === 'warning_closed')) {
    throw invalid('An inquiry ends as warning_closed, a chargeback as won or lost.')
  }
  change(sandbox, dispute, { status: outcome }, 'charge.dispute.closed')
  const charge = sandbox.store.charges.get(dispute.charge)
  if (outcome === 'warning_closed' && charge) charge.disputed = false
  if (outcome !== 'won') return
  bookDispute(sandbox, dispute, { amount: dispute.amount, fee: 0, category: 'dispute_reversal' })
  announce(sandbox, 'charge.dispute.funds_reinstated', dispute)
}

function isOpen({ status }: Dispute): boolean {
  return !['won', 'lost', 'warning_closed', 'prevented'].includes(status)
}

function isInquiry({ status }: Dispute): boolean {
  return status.startsWith('warning_')
}

function change(
  sandbox: Sandbox,
  dispute: Dispute,
  fields: Partial<Dispute>,
  type: EventType = 'charge.dispute.updated',
): void {
  const old = Object.keys(fields).map((key) => [key, dispute[key as keyof Dispute]])
  Object.assign(dispute, fields)
  announce(sandbox, type, dispute, structuredClone(Object.fromEntries(old)))
}

/** The dispute of an id; 404 for none. */
export function findDispute({ store }: Sandbox, id: string): Dispute {
  const dispute = store.disputes.get(id)
  if (!dispute) throw noSuch('dispute', id)
  return dispute
}

function retrieve(sandbox: Sandbox, _params: object, id: string): Dispute {
  return findDispute(sandbox, id)
}

function update(sandbox: Sandbox, params: Stripe.DisputeUpdateParams, id: string): Dispute {
  const dispute = findDispute(sandbox, id)
  if (params.evidence && !isOpen(dispute)) throw invalid('This dispute is already closed.')
  const { enhanced_evidence: _, appeal: __, ...evidence } = params.evidence ?? {}
  const metadata = mergedMetadata(dispute.metadata, params.metadata)
  const given = Object.keys(evidence).length > 0
  change(sandbox, dispute, {
    metadata,
    evidence: { ...dispute.evidence, ...unsetEmpty(evidence) },
    evidence_details: { ...dispute.evidence_details, has_evidence: given || hasEvidence(dispute) },
  })
  if (given && params.submit !== false) submit(sandbox, dispute)
  return dispute
}

function hasEvidence({ evidence_details: details }: Dispute): boolean {
  return details.has_evidence
}

/** Sends the evidence to the bank. Two texts decide at once, as in the provider's own test mode. */
function submit(sandbox: Sandbox, dispute: Dispute): void {
  const { evidence_details: details, evidence } = dispute
  const count = details.submission_count + 1
  const inquiry = isInquiry(dispute)
  change(sandbox, dispute, {
    status: inquiry ? 'warning_under_review' : 'under_review',
    evidence_details: { ...details, submission_count: count, submission_method: 'manual' },
  })
  const text = evidence.uncategorized_text
  if (text !== 'winning_evidence' && text !== 'losing_evidence') return
  const outcome = text === 'winning_evidence' ? 'won' : 'lost'
  closeDispute(sandbox, dispute, inquiry ? 'warning_closed' : outcome)
}

/** The account accepts the loss. */
function close(sandbox: Sandbox, _params: object, id: string): Dispute {
  const dispute = findDispute(sandbox, id)
  closeDispute(sandbox, dispute, isInquiry(dispute) ? 'warning_closed' : 'lost')
  return dispute
}

function list({ store }: Sandbox, params: Stripe.DisputeListParams): object {
  const { charge, payment_intent: intent, created } = params
  const rows = [...store.disputes.values()].filter(
    (it) => (!charge || it.charge === charge) && (!intent || it.payment_intent === intent),
  )
  return listOf(rows, { url: '/v1/disputes', page: params, ...(created && { created }) })
}

export const disputeOperations: Operations = {
  'GET /v1/disputes': operation(list),
  'GET /v1/disputes/{dispute}': operation(retrieve),
  'POST /v1/disputes/{dispute}': operation(update),
  'POST /v1/disputes/{dispute}/close': operation(close),
}
