import { conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { nextTryAt } from '#platform/webhooks/retries.ts'
import type { Outcome } from '#platform/webhooks/sending.ts'
import { type EndpointRow, PATIENCE_MS } from '../endpoints/rules.ts'
import type { Delivery } from './schema.ts'

export type DeliveryRow = Row<'webhooks.deliveries'>
export type AttemptRow = Row<'webhooks.attempts'>

/** Longer than a try takes: past it, whoever was at it is dead. */
export const LEASE_MS = 60 * SECOND_MS

/** The pauses after each try, as Standard Webhooks has them: the last comes more than three days in. */
const PAUSES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
const MAX_PAUSE_MS = HOUR_MS

type Circumstances = { retryAfterMs: number | null; random: number }

/**
 * When a delivery that failed so many times since it began is tried again: after its pause and
 * jitter (`random` is from 0 to 1), and not before the receiver wants it, within a day. Null after
 * the last try.
 */
export function nextTry(
  tries: number,
  now: Instant,
  { retryAfterMs, random }: Circumstances,
): Instant | null {
  return nextTryAt(tries, now, { pausesSeconds: PAUSES_SECONDS, retryAfterMs, random })
}

/** Until when a receiver that asked for it is left alone altogether: an hour at most. */
export function pauseEnd({ retryAfterMs }: Outcome, now: Instant): Instant | null {
  return retryAfterMs === null ? null : later(now, Math.min(retryAfterMs, MAX_PAUSE_MS))
}

type Health = Pick<EndpointRow, 'failingSince' | 'disabledAt'>

/** Why an endpoint is switched off after a failure; null where it stays on. */
export function disablingReason(
  { failingSince, disabledAt }: Health,
  { statusCode }: Pick<Outcome, 'statusCode'>,
  now: Instant,
): 'gone' | 'failing' | null {
  if (disabledAt) return null
  if (statusCode === 410) return 'gone'
  return failingSince && later(failingSince, PATIENCE_MS) <= now ? 'failing' : null
}

/** How many tries one endpoint may have under way in a process; one while nothing arrives there. */
const PER_ENDPOINT = 4
/** How many a process has under way in all, and how many of them where nothing arrives. */
const IN_ALL = 64
const FAILING_IN_ALL = IN_ALL / 2

export type Load = {
  readonly total: number
  readonly failing: number
  readonly of: ReadonlyMap<string, number>
}

/**
 * How many deliveries each endpoint may begin now. Each gets one before any gets another, and those
 * where nothing arrives never take more than half of what there is.
 */
export function roomsFor(
  endpoints: readonly { id: string; failing: boolean }[],
  load: Load,
): Map<string, number> {
  const rooms = new Map<string, number>()
  let [left, leftFailing] = [IN_ALL - load.total, FAILING_IN_ALL - load.failing]
  for (let round = 0; round < PER_ENDPOINT; round += 1) {
    for (const { id, failing } of endpoints) {
      const used = (load.of.get(id) ?? 0) + (rooms.get(id) ?? 0)
      if (left <= 0 || used >= (failing ? 1 : PER_ENDPOINT)) continue
      if (failing && leftFailing <= 0) continue
      rooms.set(id, (rooms.get(id) ?? 0) + 1)
      left -= 1
      if (failing) leftFailing -= 1
    }
  }
  return rooms
}

/** Throws 409 `endpoint_disabled`: nothing goes to an endpoint that is off. */
export function assertEnabled({ disabledAt }: Pick<EndpointRow, 'disabledAt'>): void {
  if (disabledAt) throw conflict('Switch the endpoint on first.', 'endpoint_disabled')
}

export function deliveryView(row: DeliveryRow): Delivery {
  const { id, endpointId, messageId, type, status, attempts, nextAt: nextAttemptAt } = row
  const { statusCode, error, createdAt, deliveredAt } = row
  return {
    ...{ id, endpointId, messageId, type, status, attempts, nextAttemptAt },
    ...{ statusCode, error, createdAt, deliveredAt },
  }
}

/** The moment an attempt began, of how long it took. */
export function beganAt(now: Instant, { durationMs }: Pick<Outcome, 'durationMs'>): Instant {
  return instant(millis(now) - durationMs)
}
