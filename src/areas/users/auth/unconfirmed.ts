import { Problem } from '#lib/problem.ts'
import type { Offers } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { findUser, type UserRow } from '../queries.ts'
import { isProven } from '../rules.ts'
import { registrationSettings } from '../settings.ts'

/** Whether a shop opens no session for an account whose address was never confirmed. */
export async function confirmsBeforeSession(db: Db, tenantId: string): Promise<boolean> {
  return (await settingsOf(db, tenantId, registrationSettings)).confirmBeforeSession
}

/**
 * 401: wrong, or not confirmed. It is one answer: a person who registers an address chooses its password, and
 * must not learn from a sign-in whether the address was free (decision 202).
 */
export function signInFailed(addition = ''): Problem {
  return new Problem(
    401,
    `The e-mail address or the password is wrong, or the address is not confirmed yet.${addition}`,
    { code: 'sign_in_failed', headers: { 'www-authenticate': 'Bearer' } },
  )
}

/** Throws 401 `sign_in_failed` for a person who may not have a session yet. */
export async function assertMayHaveSession(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  if (!(await confirmsBeforeSession(tx, tenantId))) return
  const user = await findUser(tx, { tenantId, userId })
  if (!user || !isProven(user)) throw signInFailed()
}

/** Whether this account gets its first session when its address is confirmed. */
export async function isConfirmedWithPassword(
  db: Db,
  tenantId: string,
  user: Pick<UserRow, 'emailVerifiedAt' | 'emailVerifiedBefore'>,
): Promise<boolean> {
  return !isProven(user) && (await confirmsBeforeSession(db, tenantId))
}

/** Who may open an account, and whether they get a session at once. */
export async function registrationOffer(
  db: Db,
  tenantId: string,
): Promise<Pick<Offers, 'registration' | 'confirmBeforeSession'>> {
  const { mode, confirmBeforeSession } = await settingsOf(db, tenantId, registrationSettings)
  return { registration: mode, confirmBeforeSession }
}
