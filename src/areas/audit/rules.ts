import { isIP } from 'node:net'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { JudgedRequest } from '#platform/area.ts'

const TOO_MANY = 429
/** The reader already has it: the response shows nothing. */
const NOT_MODIFIED = 304

/**
 * Whether a request that changed nothing gets an entry: a refused write, and what an administrator
 * reads. A refused request without a caller gets one if it may be a guess at a credential.
 */
export function isWorthAnEntry(
  { method, route, caller, audited }: JudgedRequest,
  statusCode: number,
) {
  if (statusCode >= 500 || statusCode === TOO_MANY || route === 'unknown') return false
  const reads = method === 'GET' || method === 'HEAD'
  if (reads) return audited && caller !== null && statusCode !== NOT_MODIFIED
  if (statusCode < 400) return false
  return caller !== null || /^\/v1\/(auth|setup|oidc)\b/.test(route)
}

const MONTH_DAYS = 31

/** The time before which entries are deleted, if they are kept for this many months of 31 days. */
export function retentionEnd(now: Instant, months: number): Instant {
  return later(now, -months * MONTH_DAYS * DAY_MS)
}

/** The address of a request as the log stores it, without a zone; null for a text that is not an address. */
export function recordedAddress(address: string): string | null {
  const [plain = ''] = address.split('%')
  return isIP(plain) ? plain : null
}
