import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { spendAllowance } from '../allowances/actions.ts'
import { requestLink } from '../auth/links.ts'
import { markLinksUsed } from '../auth/queries.ts'
import { emailChangeRequested } from '../events.ts'
import { lockUser, type UserRow } from '../queries.ts'
import { limitSettings } from '../settings.ts'
import { updateUser } from './queries.ts'
import { type Change, profileColumns } from './rules.ts'

/** Changes the caller's profile. 422 if the VAT number does not fit the address. */
export async function changeProfile(
  tx: Tx,
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  change: Change,
  now: Instant,
): Promise<UserRow> {
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  return updateUser(tx, { tenantId, userId }, profileColumns(user, change, now))
}

/**
 * Requests a change of address. The present one stays the login, but counts as unconfirmed, and is
 * notified; the new one replaces it once its link is followed. Whether another account has the new
 * address is revealed only then, to the person who reads its mail.
 */
export async function requestEmailChange(
  tx: Tx,
  secrets: Secrets,
  { tenantId, userId, email }: Pick<Caller, 'tenantId' | 'userId'> & { email: string },
  now: Instant,
): Promise<UserRow> {
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  const pendingEmail = email === user.email ? null : email
  if (pendingEmail === user.pendingEmail) return user
  const { addressChangesPerAccount } = await settingsOf(tx, tenantId, limitSettings)
  const changes = { tenantId, kind: 'address-changes', subject: userId } as const
  await spendAllowance(tx, changes, addressChangesPerAccount, now)
  await markLinksUsed(tx, { tenantId, userId, purpose: 'verify' }, now)
  const verifiedAt = user.emailVerifiedAt ?? user.emailVerifiedBefore
  const verified = pendingEmail
    ? { emailVerifiedAt: null, emailVerifiedBefore: verifiedAt }
    : { emailVerifiedAt: verifiedAt, emailVerifiedBefore: null }
  const changed = await updateUser(tx, { tenantId, userId }, { pendingEmail, ...verified })
  if (changed.emailVerifiedAt) return changed
  await requestLink(tx, secrets, { user: changed, purpose: 'verify', email }, now)
  if (pendingEmail) {
    const { name, locale } = user
    const told = { tenantId, userId, changeId: newId(), email: user.email, newEmail: email }
    await emit(tx, emailChangeRequested, { ...told, name, locale })
  }
  return changed
}
