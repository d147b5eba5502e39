import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { NextStep } from '../gateways/contract.ts'
import type { PaymentSnapshot } from '../gateways/snapshots.ts'
import type { AttemptRow } from './queries.ts'
import type { PaymentView } from './schema.ts'

export type AttemptState = AttemptRow['state']

/** When to ask the provider about an attempt nobody told us of, counted from its beginning. */
const CHECKS_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS]
/** A hosted page lives a day; a week later nothing comes of it any more. */
const GIVEN_UP_MS = 8 * DAY_MS
/** Bank debits take their time. */
const PROCESSING_GIVEN_UP_MS = 30 * DAY_MS

/** Whether an attempt has ended. Money may still come for it, and then counts. */
export function isOver({ state }: Pick<AttemptRow, 'state'>): boolean {
  return state === 'paid' || state === 'failed' || state === 'canceled' || state === 'expired'
}

/** Whether the provider may not have heard of an attempt. */
export function isUnstarted(attempt: AttemptRow): boolean {
  const { state, checkoutId, providerPaymentId } = attempt
  return (state === 'created' || state === 'unknown') && !checkoutId && !providerPaymentId
}

/** When the next look at an attempt is due; null when it is given up. */
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
 * The state after a snapshot: `paid` is final and always wins; what has ended otherwise stays as
 * it ended; an older snapshot than the one that is known says nothing new.
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

const WORDS: Readonly<Record<string, string>> = {
  amount_not_allowed: 'This amount cannot be paid this way.',
  authentication_required: 'Your bank wants you to confirm this payment. Please pay once more.',
  card_not_supported: 'This card is not supported. Please use another one.',
  declined: 'The payment was declined. Please try another way to pay.',
  expired_card: 'The card has expired. Please use another one.',
  incorrect_cvc: 'The card’s security code is wrong.',
  incorrect_number: 'The card number is wrong.',
  insufficient_funds: 'There is not enough money on the account.',
  method_gone: 'This payment method is no longer saved. Please use another one.',
  provider_error: 'The payment could not be started. Please try another way to pay.',
  try_again_later: 'The bank cannot be reached. Please try again later.',
}

/** What a customer reads about a payment that failed: never more than they may know. */
export function failureView(key: string): { code: string; message: string } {
  const code = key.replace(/^payment\./, '')
  const message = WORDS[code] ?? WORDS.declined ?? ''
  return { code: code in WORDS ? code : 'declined', message }
}

/** An attempt as its customer sees it. */
export function paymentView(row: AttemptRow, clientSecret: string | null = null): PaymentView {
  const { id, gatewayId, amountCents, currency, failureKey, createdAt } = row
  const next = row.nextStep as NextStep | null
  const payable = row.state === 'open' || row.state === 'action_required'
  const status = STATUSES[row.state] ?? row.state
  return {
    ...{ id, status: status as PaymentView['status'], gatewayId, amountCents, currency },
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

const STATUSES: Partial<Record<AttemptState, PaymentView['status']>> = {
  created: 'open',
  unknown: 'processing',
}
