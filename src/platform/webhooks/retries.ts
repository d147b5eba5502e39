import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'

/** So much longer, at most, that those who failed together do not come back together. */
const JITTER = 0.2
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

type Circumstances = {
  /** The pauses after each try, in seconds. */
  pausesSeconds: readonly number[]
  retryAfterMs: number | null
  /** From 0 to 1: how far the pause is stretched. */
  random: number
}

/**
 * When a message that failed so many times since it began is sent again: after its pause and jitter,
 * and not before the receiver wants it, within a day. Null after the last try.
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
