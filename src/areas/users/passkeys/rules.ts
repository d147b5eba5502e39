import { type Instant, later, MINUTE_MS } from '#lib/time.ts'

/** How many passkeys a person may have. */
export const MAX_PASSKEYS = 20

/** How long a person may take to touch their device. */
export const CHALLENGE_MS = 5 * MINUTE_MS

/** Until when a challenge is valid. */
export function challengeEnd(now: Instant): Instant {
  return later(now, CHALLENGE_MS)
}

/**
 * Whether a counter may follow another one (WebAuthn 6.1.1): it must grow, unless the device has no counter
 * and both are 0. One that went back was counted by a copy of the key.
 */
export function counterGoesOn(stored: number, shown: number): boolean {
  return (stored === 0 && shown === 0) || shown > stored
}

/** The challenge that the client data contains; null if there is none. */
export function challengeIn(clientDataJson: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return null
    return typeof data.challenge === 'string' ? data.challenge : null
  } catch {
    return null
  }
}

/** The id by which authenticators store a person: it does not reveal who that is. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url')
}
