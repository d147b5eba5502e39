import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { PAYMENT_FAILURES, type PaymentFailure, paymentFailureText } from '#notifications'
import type { NextStep } from '../gateways/contract.ts'
import type { PaymentSnapshot } from '../gateways/snapshots.ts'
import type { AttemptRow } from './queries.ts'
import type { PaymentView } from './schema.ts'

export type AttemptState = AttemptRow['state']

/** When to ask the provider about an attempt that it has not reported, from its creation. */
const CHECKS_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS]
/** A hosted page lives for a day; a week after that no payment is expected. */
const GIVEN_UP_MS = 8 * DAY_MS
/** Bank debits take longer. */
const PROCESSING_GIVEN_UP_MS = 30 * DAY_MS

/** Whether an attempt has ended. Money may still come for it, and then counts. */
export function isOver({ state }: Pick<AttemptRow, 'state'>): boolean {
  return state === 'paid' || state === 'failed' || state === 'canceled' || state === 'expired'
}

/** Whether the provider may not know of an attempt yet. */
export function isUnstarted(attempt: AttemptRow): boolean {
  const { state, checkoutId, providerPaymentId } = attempt
  return (state === 'created' || state === 'unknown') && !checkoutId && !providerPaymentId
}

/** When the next check of an attempt is due; null when it is given up. */
export function nextCheck(
  { createdAt, state }: Pick<AttemptRow, 'createdAt' | 'state'>,
  now: Instant,
): Instant | null {
  const end = later(createdAt, state === 'processing' ? PROCESSING_GIVEN_UP_MS : GIVEN_UP_MS)
  if (now >= end) return null
  const planned = CHECKS_MS.map((ms) => later(createdAt, ms)).find((at) => at > now)
  return planned ?? later(now, DAY_MS)
}

/**
 * The state after a snapshot: `paid` is final and always wins; an attempt that ended otherwise
 * stays as it is; a snapshot older than the latest one changes nothing.
 */
export function stateAfter(
  attempt: Pick<AttemptRow, 'state' | 'observedAt'>,
  { state, observedAt }: Pick<PaymentSnapshot, 'state' | 'observedAt'>,
): AttemptState {
  if (attempt.state === 'paid' || state === 'paid') return 'paid'
  if (isOver(attempt)) return attempt.state
  if (attempt.observedAt !== null && observedAt < attempt.observedAt) return attempt.state
  return state
}

/** The name of a failure for the customer: never more than they may know. */
export function failureOf(key: string): PaymentFailure {
  const code = key.replace(/^payment\./, '')
  return PAYMENT_FAILURES.find((it) => it === code) ?? 'declined'
}

/** What a customer reads about a payment that failed. */
function failureView(key: string): { code: string; message: string } {
  const code = failureOf(key)
  return { code, message: paymentFailureText('en', code) }
}

/** An attempt as its customer sees it. */
export function paymentView(row: AttemptRow, clientSecret: string | null = null): PaymentView {
  const { id, gatewayId, paymentMethodId, amountCents, currency, failureKey, createdAt } = row
  const next = row.nextStep as NextStep | null
  const payable = row.state === 'open' || row.state === 'action_required'
  const status = STATUSES[row.state] ?? row.state
  return {
    ...{ id, status: status as PaymentView['status'], gatewayId, paymentMethodId },
    ...{ amountCents, currency },
    redirectUrl: payable && next?.kind === 'redirect' ? next.url : null,
    instructions:
      payable && next?.kind === 'instructions'
        ? { lines: [...next.lines], reference: next.reference }
        : null,
    clientSecret,
    publishableKey: next?.kind === 'client_secret' ? next.publishableKey : null,
    failure: row.state === 'failed' && failureKey ? failureView(failureKey) : null,
    createdAt,
  }
}

/** A payment with the reason of its failure in a language. */
export function paymentIn<T extends PaymentView>(language: string, view: T): T {
  if (!view.failure) return view
  const { code } = view.failure
  return { ...view, failure: { code, message: paymentFailureText(language, failureOf(code)) } }
}

const STATUSES: Partial<Record<AttemptState, PaymentView['status']>> = {
  created: 'open',
  unknown: 'processing',
}
