import { dayOf, type Instant } from '#lib/time.ts'
import { hmac, type Secrets } from '#platform/secrets.ts'

/** Up to this many clicks of one address are stored a day; more come from machines, or from a school's network. */
export const MOST_A_DAY = 20

const ROBOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|headless|facebookexternalhit|embedly|monitor/i

/** Whether a program's user agent says that it is not a browser, such as those that preview posted links. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && ROBOT.test(userAgent)
}

/**
 * The subject by which an address's clicks are counted: a keyed hash, different every day and in every shop, so that
 * nobody can be tracked and no address is stored.
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
