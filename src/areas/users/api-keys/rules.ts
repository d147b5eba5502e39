import { badRequest, unprocessable } from '#lib/problem.ts'
import { type Instant, instant } from '#lib/time.ts'
import { isAddressRange, isWithinRanges } from './addresses.ts'

/** When a key ends. Throws 422 for a time that has passed. */
export function expiryOf(text: string | null, now: Instant): Instant | null {
  if (text === null) return null
  // A leap second matches the schema, but `Date` cannot parse it.
  if (Number.isNaN(Date.parse(text))) throw badRequest('expiresAt is not a date with a time')
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

type Bounds = { expiresAt: Instant | null; allowedIps: readonly string[] }

/**
 * The limits of a key that is created with another one: it ends no later and may be used from no other
 * addresses. Limits that are left out are inherited. Throws 422 for anything wider.
 */
export function boundedBy(
  parent: (Bounds & { id: string }) | null,
  { expiresAt, allowedIps }: Bounds,
): { expiresAt: Instant | null; allowedIps: string[]; parentId: string | null } {
  if (!parent) return { expiresAt, allowedIps: [...allowedIps], parentId: null }
  if (parent.expiresAt && expiresAt && expiresAt > parent.expiresAt) {
    throw unprocessable(
      'A key cannot expire later than the key that it is made with.',
      'expires_after_parent',
    )
  }
  const outside = allowedIps.find((range) => !isWithinRanges(range, parent.allowedIps))
  if (outside !== undefined) {
    throw unprocessable(
      `The key it is made with may not be used from ${outside}.`,
      'address_invalid',
    )
  }
  return {
    expiresAt: expiresAt ?? parent.expiresAt,
    allowedIps: [...(allowedIps.length > 0 ? allowedIps : parent.allowedIps)],
    parentId: parent.id,
  }
}
