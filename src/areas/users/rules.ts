import type { Caller } from '#lib/caller.ts'
import { forbidden } from '#lib/problem.ts'
import type { Named } from '#platform/area.ts'
import type { UserRow } from './queries.ts'
import type { ConsentSource, UserStatus } from './schema.ts'

type Address = {
  line1: string
  line2: string | null
  postcode: string
  city: string
  region: string | null
  country: string
}

/** A person's billing address; null unless it is complete. */
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

/** Whether the present address was ever confirmed, also while a change to another one is pending. */
export function isProven({ emailVerifiedAt, emailVerifiedBefore }: Verified): boolean {
  return (emailVerifiedAt ?? emailVerifiedBefore) !== null
}

/** Throws 403 until the address is confirmed: sign-in methods are only for the address's owner. */
export function assertVerified({ emailVerifiedAt }: Pick<UserRow, 'emailVerifiedAt'>): void {
  if (emailVerifiedAt !== null) return
  throw forbidden('Confirm your e-mail address first.', 'email_not_verified')
}

type Facts = Pick<UserRow, 'suspendedAt' | 'deletedAt'>

/** Derived from the dates; never stored. */
export function statusOf({ suspendedAt, deletedAt }: Facts): UserStatus {
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}

/** A person as the API shows them. */
export function userView(user: UserRow, roles: readonly Named[]) {
  const { id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus } = user
  const { country, locale, phone, timeZone, marketingConsentAt, createdAt } = user
  // The version before takes a consent back without its source.
  const marketingConsentSource = marketingConsentAt ? user.marketingConsentSource : null
  const { termsVersion, termsLanguage, termsAcceptedAt } = user
  return {
    ...{ id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus },
    ...{ address: addressOf(user), country, locale, status: statusOf(user), roles: [...roles] },
    ...{ mfaEnabled: user.mfaEnabledAt !== null, phone, timeZone, marketingConsentAt },
    marketingConsentSource: marketingConsentSource as ConsentSource | null,
    ...{ termsVersion, termsLanguage, termsAcceptedAt, createdAt },
  }
}

/** Throws 403 for an administrator who acts as another person: only the person may change their credentials. */
export function assertNotImpersonated({ impersonatorId }: Caller): void {
  if (impersonatorId)
    throw forbidden('This is not available while you act as another person.', 'impersonated')
}
