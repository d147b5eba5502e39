import { createHash } from 'node:crypto'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'

const START_MS = 10 * MINUTE_MS

/** Until when a person who was sent to the provider may come back. */
export function startEnd(now: Instant): Instant {
  return later(now, START_MS)
}

/** The hash of the verifier that the provider gets beforehand (RFC 7636, S256). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** The outcome of a link, as the page that people come back to reads it. */
export type Outcome = 'connected' | 'denied' | 'expired' | 'taken' | 'failed'

/** The page the browser is redirected to at the end. */
export function returnUrl(origin: string, provider: string, outcome: Outcome): string {
  return `${origin}/account/security?${new URLSearchParams({ provider, outcome })}`
}
