import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'

/**
 * The largest share by which a pause is extended, so that messages that failed together are not
 * retried together.
 */
const JITTER = 0.2
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

type Circumstances = {
  /** The pauses after each attempt, in seconds. */
  pausesSeconds: readonly number[]
  retryAfterMs: number | null
  /** From 0 to 1: how much the pause is extended. */
  random: number
}

/**
 * When a message that failed this many times is sent again: after its pause with jitter, and not
 * before the time that the receiver requests, up to a day. Null after the last attempt.
 */
export function nextTryAt(
  tries: number,
  now: Instant,
  { pausesSeconds, retryAfterMs, random }: Circumstances,
): Instant | null {
  const seconds = pausesSeconds[tries - 1]
  if (seconds === undefined) return null
  const pause = seconds * SECOND_MS * (1 + JITTER * random)
  const wanted = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return later(now, Math.round(Math.max(pause, wanted)))
}
