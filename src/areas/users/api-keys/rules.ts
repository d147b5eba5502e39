import { badRequest, unprocessable } from '#lib/problem.ts'
import { type Instant, instant } from '#lib/time.ts'
import { isAddressRange } from './addresses.ts'

/** How many keys that count a person may have. */
export const MAX_KEYS = 100

/** When a key ends. Throws 422 for a moment that has passed. */
export function expiryOf(text: string | null, now: Instant): Instant | null {
  if (text === null) return null
  // A leap second is a valid time of day that no calendar here knows.
  if (Number.isNaN(Date.parse(text))) throw badRequest('expiresAt is not a moment')
  const expiresAt = instant(text)
  if (expiresAt <= now) {
    throw unprocessable('expiresAt has passed already.', 'expires_in_the_past')
  }
  return expiresAt
}

/** Throws 422 for a text that is neither an address nor a range. */
export function assertAddressRanges(ranges: readonly string[]): void {
  const wrong = ranges.find((range) => !isAddressRange(range))
  if (wrong === undefined) return
  throw unprocessable(`${wrong} is not an address or a range.`, 'address_invalid')
}
