import type { Caller } from '#lib/caller.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Area, Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { erasePlatformTraces } from '#platform/erasure.ts'
import { emit } from '#platform/events.ts'
import { eraseFactors } from '../erasure.ts'
import { userDeleted } from '../events.ts'
import { deleteFacts } from '../facts/queries.ts'
import { deleteNotes } from '../notes/queries.ts'
import { assertProven } from '../profile/rules.ts'
import { findPasswordHash, lockUser } from '../queries.ts'
import { deleteVatChecks } from '../vat/queries.ts'
import {
  anonymizeUser,
  deleteCredentials,
  deleteImpersonations,
  listAddressesWrittenTo,
} from './queries.ts'

type Wish = {
  /** The hash that the password was compared with. */
  passwordHash: string | null
  forfeitCredit: boolean
}

/**
 * Ends the caller's account: their sign-in methods are deleted, their data is removed or anonymized in every
 * area, and what the law requires is kept (R8.2, R8.3). 403 if the password was changed meanwhile,
 * 409 for the last owner and while anything of the account is not settled.
 */
export async function deleteAccount(
  tx: Tx,
  { areas, caller }: { areas: readonly Area[]; caller: Caller },
  { passwordHash, forfeitCredit }: Wish,
  now: Instant,
): Promise<void> {
  const key = { tenantId: caller.tenantId, userId: caller.userId }
  for (const area of areas) await area.assertMayLeave?.(tx, key, now)
  // From here on the lock prevents purchases, payments and sessions of this person.
  const user = await lockUser(tx, key)
  if (!user || user.deletedAt) throw notFound('User')
  const current = await findPasswordHash(tx, key)
  assertProven(current?.passwordHash === passwordHash)
  const { name, email } = user
  const emails = [...new Set([email, ...(await listAddressesWrittenTo(tx, key))])]
  const person: Leaving = { ...key, name, email, emails, forfeitCredit }
  // Areas that depend on others go first: what they look up there still exists.
  const lastFirst = areas.toReversed()
  for (const area of lastFirst) await area.assertSettled?.(tx, person)
  for (const area of lastFirst) await area.erase?.(tx, person, now)
  await erasePlatformTraces(tx, person)
  await emit(tx, userDeleted, key)
}

/** Erases this area's data of a person, except the id and when the account was opened and ended. */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  await deleteImpersonations(tx, person)
  await eraseFactors(tx, person)
  await deleteCredentials(tx, person)
  await deleteVatChecks(tx, person)
  await deleteNotes(tx, person)
  await deleteFacts(tx, person)
  await anonymizeUser(tx, person, now)
}
