import { randomBytes } from 'node:crypto'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'

/** How many recovery codes there are; each works once. */
export const RECOVERY_CODES = 10

/** Wrong codes after which a sign-in has to start again with the password. */
export const MAX_FAILURES = 5

const PENDING_MS = 10 * MINUTE_MS

/** Until when the second factor has to be shown. */
export function pendingEnd(now: Instant): Instant {
  return later(now, PENDING_MS)
}

/** Without letters and digits that look alike (Crockford). */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 16
const GROUP = /.{4}(?=.)/g

/** A code with 80 bits, in groups that can be copied by hand: `k3vt-0c9m-8x2p-wq5z`. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length])
  return letters.join('').replace(GROUP, '$&-')
}

/** A recovery code in its original form, however it was typed; null for a text that cannot be one. */
export function recoveryCodeOf(typed: string): string | null {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '')
  // Letters that Crockford reads as the digit they look like.
  const letters = plain.replaceAll('o', '0').replace(/[il]/g, '1')
  if (letters.length !== CODE_LENGTH) return null
  if (![...letters].every((letter) => LETTERS.includes(letter))) return null
  return letters.replace(GROUP, '$&-')
}
