import type { Caller } from '#lib/caller.ts'
import { forbidden } from '#lib/problem.ts'
import type { Named } from '#platform/area.ts'
import type { UserRow } from './queries.ts'
import type { UserStatus } from './schema.ts'

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

type Verified = Pick<UserRow, 'emailVerifiedAt' | 'emailVerifiedBefore'>

/** Whether the present address was ever confirmed, also while another one is pending. */
export function isProven({ emailVerifiedAt, emailVerifiedBefore }: Verified): boolean {
  return (emailVerifiedAt ?? emailVerifiedBefore) !== null
}

/** Throws 403 until the address is confirmed: what lets somebody in belongs to its owner alone. */
export function assertVerified({ emailVerifiedAt }: Pick<UserRow, 'emailVerifiedAt'>): void {
  if (emailVerifiedAt !== null) return
  throw forbidden('Confirm your e-mail address first.', 'email_not_verified')
}

type Facts = Pick<UserRow, 'suspendedAt' | 'deletedAt'>

/** Never stored: follows from what happened. */
export function statusOf({ suspendedAt, deletedAt }: Facts): UserStatus {
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}

/** A person as the API shows them. */
export function userView(user: UserRow, roles: readonly Named[]) {
  const { id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus } = user
  const { country, locale, phone, timeZone, marketingConsentAt, createdAt } = user
  const { termsVersion, termsLanguage, termsAcceptedAt } = user
  return {
    ...{ id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus },
    ...{ address: addressOf(user), country, locale, status: statusOf(user), roles: [...roles] },
    ...{ mfaEnabled: user.mfaEnabledAt !== null, phone, timeZone, marketingConsentAt },
    ...{ termsVersion, termsLanguage, termsAcceptedAt, createdAt },
  }
}

/** Throws 403 for an administrator who acts as somebody: their credentials are not for others. */
export function assertNotImpersonated({ impersonatorId }: Caller): void {
  if (impersonatorId) throw forbidden('Not while you act as somebody else.', 'impersonated')
}
