import { Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'

const MOST_PER_HOUR = 10
const MOST_PER_DAY = 30

/** How long a wrong code counts. */
export const REMEMBERED_MS = DAY_MS

/** A wrong code that a customer entered, newest first in lists. */
export type Attempt = { readonly failedAt: Instant; readonly blockedUntil: Instant | null }

/** Until when a customer has to wait before the next code; null if it may be entered now. */
export function waitingUntil(attempts: readonly Attempt[], now: Instant): Instant | null {
  const block = attempts.find(({ blockedUntil }) => blockedUntil && blockedUntil > now)
  if (block) return block.blockedUntil
  const tenth = attempts[MOST_PER_HOUR - 1]
  const freeAt = tenth && later(tenth.failedAt, HOUR_MS)
  return freeAt && freeAt > now ? freeAt : null
}

/** Throws 429 with the seconds to wait after too many wrong codes. */
export function assertMayTry(attempts: readonly Attempt[], now: Instant): void {
  const until = waitingUntil(attempts, now)
  if (!until) return
  const seconds = Math.max(1, Math.ceil((millis(until) - millis(now)) / SECOND_MS))
  throw new Problem(429, 'Too many failed attempts. Try again later.', {
    code: 'too_many_attempts',
    headers: { 'retry-after': String(seconds) },
  })
}

/** The end of the block that another wrong code causes, the 30th within a day; null before that. */
export function blockAfter(attempts: readonly Attempt[], now: Instant): Instant | null {
  const within = attempts.filter(({ failedAt }) => failedAt > later(now, -DAY_MS))
  return within.length + 1 < MOST_PER_DAY ? null : later(now, DAY_MS)
}

/** Throws 422 for a customer who has not confirmed their address. */
export function assertConfirmed({ emailVerifiedAt }: { emailVerifiedAt: Instant | null }): void {
  if (emailVerifiedAt) return
  const message = 'Confirm your e-mail address first: the link is in the mail that we sent you.'
  throw unprocessable(message, 'voucher_needs_confirmed_address')
}

/** Throws 422 if a customer would have redeemed more than the shop allows in a day. */
export function assertWithinLimit(sumCents: number, mostCents: number): void {
  if (sumCents <= mostCents) return
  throw unprocessable(
    'You have redeemed as much as is possible within 24 hours. Try again tomorrow.',
    'voucher_daily_limit',
  )
}

/** 404, the same for every code that is no voucher of this shop, and for text that cannot be a code. */
export function unknownCode(): Problem {
  return new Problem(404, 'This code is not valid. Check it and try again.', {
    code: 'voucher_unknown',
  })
}
