import { dayOf, type Instant } from '#lib/time.ts'
import { hmac, type Secrets } from '#platform/secrets.ts'

/** So many clicks of one address are kept a day; more are machines, or a school that shares it. */
export const MOST_A_DAY = 20

const ROBOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|headless|facebookexternalhit|embedly|monitor/i

/** Whether a program says of itself that it is no browser: what looks at links when they are posted. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && ROBOT.test(userAgent)
}

/**
 * What an address is counted by: a keyed hash, another one every day and in every shop, so that
 * nobody is followed and nothing is kept of where they were.
 */
export function originHash(
  secrets: Pick<Secrets, 'keysFor'>,
  { tenantId, address }: { tenantId: string; address: string },
  now: Instant,
): string {
  const [current] = secrets.keysFor('affiliation origins')
  if (!current) throw new Error('No secret key')
  return hmac(current.key, `${tenantId} ${dayOf(now)} ${address}`)
}
