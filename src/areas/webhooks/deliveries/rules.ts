import { conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { nextTryAt } from '#platform/webhooks/retries.ts'
import type { Outcome } from '#platform/webhooks/sending.ts'
import { type EndpointRow, PATIENCE_MS } from '../endpoints/rules.ts'
import type { Delivery } from './schema.ts'

export type DeliveryRow = Row<'webhooks.deliveries'>
export type AttemptRow = Row<'webhooks.attempts'>

/** Longer than an attempt takes: after it, the process that had the lease is dead. */
export const LEASE_MS = 60 * SECOND_MS

/** The pauses after each attempt, as in Standard Webhooks: more than three days in all. */
const PAUSES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
const MAX_PAUSE_MS = HOUR_MS

type Circumstances = { retryAfterMs: number | null; random: number }

/**
 * When a delivery with this many failed attempts is tried again: after its pause and jitter (`random`
 * is from 0 to 1), and not before the time the receiver asked for, up to a day. Null after the last
 * attempt.
 */
export function nextTry(
  tries: number,
  now: Instant,
  { retryAfterMs, random }: Circumstances,
): Instant | null {
  return nextTryAt(tries, now, { pausesSeconds: PAUSES_SECONDS, retryAfterMs, random })
}

/** Until when nothing is sent to a receiver that asked for a pause: an hour at most. */
export function pauseEnd({ retryAfterMs }: Outcome, now: Instant): Instant | null {
  return retryAfterMs === null ? null : later(now, Math.min(retryAfterMs, MAX_PAUSE_MS))
}

type Health = Pick<EndpointRow, 'failingSince' | 'disabledAt'>

/** Why an endpoint is switched off after a failure; null if it stays on. */
export function disablingReason(
  { failingSince, disabledAt }: Health,
  { statusCode }: Pick<Outcome, 'statusCode'>,
  now: Instant,
): 'gone' | 'failing' | null {
  if (disabledAt) return null
  if (statusCode === 410) return 'gone'
  return failingSince && later(failingSince, PATIENCE_MS) <= now ? 'failing' : null
}

/** How many deliveries to one endpoint a process may send at once; one while deliveries to it fail. */
const PER_ENDPOINT = 4
/** How many deliveries a process sends at once, and how many of them to endpoints that are failing. */
const IN_ALL = 64
const FAILING_IN_ALL = IN_ALL / 2

export type Load = {
  readonly total: number
  readonly failing: number
  readonly of: ReadonlyMap<string, number>
}

/**
 * How many deliveries each endpoint may start now. Each gets one before any gets another, and failing
 * endpoints never take more than half of the room.
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

/** Throws 409 `endpoint_disabled`: nothing is sent to an endpoint that is off. */
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

/** The time when an attempt began, from its duration. */
export function beganAt(now: Instant, { durationMs }: Pick<Outcome, 'durationMs'>): Instant {
  return instant(millis(now) - durationMs)
}
