import type { UserRow } from './queries.ts'

type Address = {
  line1: string
  line2: string | null
  postcode: string
  city: string
  region: string | null
  country: string
}

/** A person's billing address: whole, or null. */
export function addressOf(user: UserRow): Address | null {
  const { addressLine1, addressPostcode, addressCity, addressCountry } = user
  if (!addressLine1 || !addressPostcode || !addressCity || !addressCountry) return null
  return {
    line1: addressLine1,
    line2: user.addressLine2,
    postcode: addressPostcode,
    city: addressCity,
    region: user.addressRegion,
    country: addressCountry,
  }
}

/** Never stored: follows from what happened. */
export function statusOf({ suspendedAt, deletedAt }: Pick<UserRow, 'suspendedAt' | 'deletedAt'>) {
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}
