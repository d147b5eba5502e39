import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

/**
 * Every address that a link was sent to for this person and that is still stored; without those that
 * belong to another account: anybody can ask for a link to any address.
 */
export async function listAddressesWrittenTo(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<string[]> {
  const rows = await db
    .selectFrom('users.email_tokens as token')
    .leftJoin('users.users as other', (join) =>
      join
        .onRef('other.tenantId', '=', 'token.tenantId')
        .onRef('other.email', '=', 'token.email')
        .on('other.id', '<>', userId),
    )
    .select('token.email')
    .distinct()
    .where('token.tenantId', '=', tenantId)
    .where('token.userId', '=', userId)
    .where('other.id', 'is', null)
    .execute()
  return rows.map(({ email }) => email)
}

/** Deletes a person's sessions and API keys, and the links that were mailed to them. */
export async function deleteCredentials(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  for (const table of ['users.sessions', 'users.api_keys', 'users.email_tokens'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .execute()
  }
}

/** Ends the sessions in which this person acts as others. */
export async function deleteImpersonations(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.sessions')
    .where('tenantId', '=', tenantId)
    .where('impersonatorId', '=', userId)
    .execute()
}

/** The address and name that replace those of a deleted account. */
export function nobody(userId: string): { email: string; name: string } {
  return { email: `deleted-${userId}@invalid`, name: 'Deleted user' }
}

/** Removes everything from a person's row except its id and when the account was opened and ended (R8.2). */
export async function anonymizeUser(
  tx: Tx,
  { tenantId, userId }: UserKey,
  deletedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({
      ...nobody(userId),
      vatStatus: 'none',
      vatCheckTries: 0,
      ...NOTHING,
      deletedAt,
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

const NOTHING = {
  pendingEmail: null,
  emailVerifiedAt: null,
  emailVerifiedBefore: null,
  passwordHash: null,
  registrationState: null,
  company: null,
  vatNumber: null,
  vatCheckAt: null,
  country: null,
  phone: null,
  timeZone: null,
  marketingConsentAt: null,
  marketingConsentSource: null,
  termsVersion: null,
  termsLanguage: null,
  termsAcceptedAt: null,
  addressLine1: null,
  addressLine2: null,
  addressPostcode: null,
  addressCity: null,
  addressRegion: null,
  addressCountry: null,
  mfaEnabledAt: null,
}
