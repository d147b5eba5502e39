import { areCharacters, randomCharacters, readCharacters } from '#lib/crockford.ts'
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

const CODE_LENGTH = 16
const GROUP = /.{4}(?=.)/g

/** A code with 80 bits, in groups that can be copied by hand: `k3vt-0c9m-8x2p-wq5z`. */
export function newRecoveryCode(): string {
  return randomCharacters(CODE_LENGTH).toLowerCase().replace(GROUP, '$&-')
}

/** A recovery code in its original form, however it was typed; null for a text that cannot be one. */
export function recoveryCodeOf(typed: string): string | null {
  const characters = readCharacters(typed.replace(/[\s-]/g, ''))
  if (characters.length !== CODE_LENGTH || !areCharacters(characters)) return null
  return characters.toLowerCase().replace(GROUP, '$&-')
}
