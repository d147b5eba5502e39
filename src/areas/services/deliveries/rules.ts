import { Value } from 'typebox/value'
import { conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { nextTryAt } from '#platform/webhooks/retries.ts'
import { type DeliveryState, Done, Refusal } from './schema.ts'

export type DeliveryRow = Row<'services.deliveries'>
export type AttemptRow = Row<'services.delivery_attempts'>

type Facts = Pick<DeliveryRow, 'sentAt' | 'acceptedAt' | 'doneAt' | 'failedAt' | 'canceledAt'>

/** The state is never stored: it is derived from what happened. */
export function deliveryStateOf(facts: Facts): DeliveryState {
  if (facts.doneAt) return 'done'
  if (facts.failedAt) return 'failed'
  if (facts.canceledAt) return 'canceled'
  if (facts.acceptedAt) return 'accepted'
  return facts.sentAt ? 'sent' : 'waiting'
}

/** Whether the outcome is still open. */
export function isPending({ doneAt, failedAt, canceledAt }: Omit<Facts, 'sentAt' | 'acceptedAt'>) {
  return !doneAt && !failedAt && !canceledAt
}

/** Throws 409 for a delivery that is done, failed or canceled. */
export function assertPending(delivery: Facts): void {
  if (isPending(delivery)) return
  throw conflict(`This delivery is ${deliveryStateOf(delivery)}.`, 'delivery_closed')
}

/** Longer than a try takes: past it, the process that made it is dead. */
const LEASE_MS = MINUTE_MS

/** When the lease of a try that begins now ends. */
export function leaseEnd(now: Instant): Instant {
  return later(now, LEASE_MS)
}

const FALLBACK_HOURS = 24

/** When staff are notified of a delivery that is not confirmed: after the hours that the product defines. */
export function confirmBy(confirmHours: number | undefined, now: Instant): Instant {
  return later(now, (confirmHours ?? FALLBACK_HOURS) * HOUR_MS)
}

/** The pauses after each try: the first is 10 seconds, and the last try comes 72 hours after the first. */
const PAUSES_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 98_630] as const

/** When to send a delivery again that failed this many times; null after the last try. `random` is from 0 to 1. */
export function nextTry(
  tries: number,
  now: Instant,
  circumstances: { retryAfterMs: number | null; random: number },
): Instant | null {
  return nextTryAt(tries, now, { pausesSeconds: PAUSES_SECONDS, ...circumstances })
}

/** What the answer of a system means. */
export type Meaning =
  | { readonly is: 'done'; readonly result: Done }
  | { readonly is: 'accepted' }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'unclear' }

const REFUSALS: ReadonlySet<number | null> = new Set([409, 410, 422])

/**
 * Reads an answer: 200 with the outcome `done` is done, 202 promises a call-back, 409, 410 and 422 refuse for good. Any
 * other answer is unclear, and the delivery is sent again.
 */
export function meaningOf(statusCode: number | null, text: string | null): Meaning {
  if (statusCode === 202) return { is: 'accepted' }
  const body = parsed(text)
  if (statusCode === 200) {
    return Value.Check(Done, body) ? { is: 'done', result: body } : { is: 'unclear' }
  }
  if (!REFUSALS.has(statusCode)) return { is: 'unclear' }
  const reason = Value.Check(Refusal, body) ? body.reason : `It answered ${statusCode}.`
  return { is: 'refused', reason }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

/** Whether a system may have done a delivery at least in part: it was sent, and not refused. */
export function mayBeDone({ sentAt, failureCode }: Pick<DeliveryRow, 'sentAt' | 'failureCode'>) {
  return sentAt !== null && (failureCode === null || failureCode === 'unanswered')
}
