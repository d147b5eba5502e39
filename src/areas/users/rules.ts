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

type Facts = Pick<UserRow, 'suspendedAt' | 'deletedAt'>

/** Never stored: follows from what happened. */
export function statusOf({ suspendedAt, deletedAt }: Facts): UserStatus {
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}

/** A person as the API shows them. */
export function userView(user: UserRow, roles: readonly Named[]) {
  const { id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus } = user
  const { country, locale, createdAt } = user
  return {
    ...{ id, email, pendingEmail, emailVerifiedAt, name, company, vatNumber, vatStatus },
    ...{ address: addressOf(user), country, locale, status: statusOf(user), roles: [...roles] },
    ...{ mfaEnabled: user.mfaEnabledAt !== null, createdAt },
  }
}

/** Throws 403 for an administrator who acts as somebody: their credentials are not for others. */
export function assertNotImpersonated({ impersonatorId }: Caller): void {
  if (impersonatorId) throw forbidden('Not while you act as somebody else.', 'impersonated')
}

/**
 * Throws 403 unless the person is here themselves: who holds an API key must not be able to get
 * more than that key, or to keep it longer.
 */
export function assertInPerson(caller: Caller): void {
  assertNotImpersonated(caller)
  if (caller.via !== 'session') throw forbidden('Sign in to do this.', 'session_required')
}
