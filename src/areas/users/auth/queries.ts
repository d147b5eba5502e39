import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

type EmailTokenRow = Row<'users.email_tokens'>
type Purpose = EmailTokenRow['purpose']

export async function insertEmailToken(tx: Tx, row: Omit<EmailTokenRow, 'usedAt'>): Promise<void> {
  await tx.insertInto('users.email_tokens').values(row).execute()
}

export async function countEmailTokens(
  tx: Tx,
  { tenantId, userId, purpose }: UserKey & { purpose: Purpose },
  since: Instant,
): Promise<number> {
  const { count } = await tx
    .selectFrom('users.email_tokens')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export function lockEmailToken(
  tx: Tx,
  { tenantId, purpose, hash }: { tenantId: string; purpose: Purpose; hash: Buffer },
) {
  return tx
    .selectFrom('users.email_tokens')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
}

/** The person a link's token belongs to, its purpose, and how long it is valid. */
export function findLinkUser(db: Db, tenantId: string, hash: Buffer) {
  return db
    .selectFrom('users.email_tokens')
    .select(['userId', 'email', 'purpose', 'usedAt', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Uses up every open link of one purpose that a person has. */
export async function markLinksUsed(
  tx: Tx,
  { tenantId, userId, purpose }: UserKey & { purpose: Purpose },
  usedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.email_tokens')
    .set({ usedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute()
}

export async function updatePassword(
  tx: Tx,
  { tenantId, userId, passwordHash }: UserKey & { passwordHash: string },
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({ passwordHash })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

export async function confirmEmail(
  tx: Tx,
  { tenantId, userId, email }: UserKey & { email: string },
  emailVerifiedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({
      ...{ email, emailVerifiedAt, pendingEmail: null, emailVerifiedBefore: null },
      registrationState: null,
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

export async function markEmailVerified(
  tx: Tx,
  { tenantId, userId }: UserKey,
  emailVerifiedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({ emailVerifiedAt, registrationState: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .where('emailVerifiedAt', 'is', null)
    .execute()
}

/** The state that the front end passed at registration, to get it back once the address is confirmed. */
export async function findRegistrationState(db: Db, { tenantId, userId }: UserKey) {
  const row = await db
    .selectFrom('users.users')
    .select('registrationState')
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.registrationState ?? null
}

/** Cancels a pending address; the present one counts as confirmed again if it was before. */
export async function cancelEmailChange(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('users.users')
    .set(({ fn, ref }) => ({
      pendingEmail: null,
      emailVerifiedAt: fn.coalesce(ref('emailVerifiedAt'), ref('emailVerifiedBefore')),
      emailVerifiedBefore: null,
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .where('pendingEmail', 'is not', null)
    .execute()
}
