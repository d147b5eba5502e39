import { createHmac } from 'node:crypto'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, type Instant, later, MINUTE_MS, millis, SECOND_MS } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'

/** The state of the guesses at an account from one network, or from all of them. */
export type Guesses = { failures: number; guessedAt: Instant; signedInAt: Instant | null }

/** The network name of the row for all networks together. */
export const EVERYWHERE = '*'

/** How many guesses from one network, and from all together, cause no delay. */
const FREE_HERE = 10
const FREE_EVERYWHERE = 50
/** The longest delays: for a network without a sign-in, for one with a sign-in, and for all networks together. */
const STRANGE_MS = 15 * MINUTE_MS
const FAMILIAR_MS = 30 * SECOND_MS
const EVERYWHERE_MS = 5 * MINUTE_MS

/** Guesses are deleted a day after the last one, and those of networks with a sign-in after 90 days. */
export const FORGOTTEN_MS = DAY_MS
export const FAMILIAR_FOR_MS = 90 * DAY_MS

/**
 * How long the caller has to wait before the next guess, in milliseconds; 0 if it may be made now.
 * Each guess beyond the free ones doubles the delay. Guesses from other networks never stop a network
 * that the account's person has signed in from.
 */
export function waitMs(
  { here, everywhere }: { here: Guesses; everywhere: Guesses },
  now: Instant,
): number {
  const { signedInAt } = here
  const familiar = signedInAt !== null && signedInAt > later(now, -FAMILIAR_FOR_MS)
  const waitHere = remaining(here, FREE_HERE, familiar ? FAMILIAR_MS : STRANGE_MS, now)
  if (familiar) return waitHere
  return Math.max(waitHere, remaining(everywhere, FREE_EVERYWHERE, EVERYWHERE_MS, now))
}

function remaining(
  { failures, guessedAt }: Guesses,
  free: number,
  longestMs: number,
  now: Instant,
): number {
  if (failures < free || guessedAt <= later(now, -FORGOTTEN_MS)) return 0
  const pauseMs = Math.min(SECOND_MS * 2 ** Math.min(failures - free, 30), longestMs)
  return Math.max(0, millis(guessedAt) + pauseMs - millis(now))
}

/** The account id for an address without an account: guesses at it are counted as at any other. */
export function nobodyAt(secrets: Secrets, tenantId: string, email: string): string {
  const key = secrets.keysFor('guesses')[0]?.key ?? Buffer.alloc(0)
  const digest = createHmac('sha256', key).update(`${tenantId} ${email}`).digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** 429: too many guesses at this account. `ms` is the time until the next one may be made. */
export function tooManyGuesses(ms: number): Problem {
  const seconds = Math.max(1, Math.ceil(ms / SECOND_MS))
  return new Problem(429, 'Too many failed attempts. Try again later.', {
    code: 'too_many_attempts',
    headers: { 'retry-after': String(seconds) },
  })
}
