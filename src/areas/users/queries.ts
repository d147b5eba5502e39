import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled, compiledFirst } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

/** A person's row as other code reads it: without the password's hash and the state of the registration. */
export type UserRow = Omit<Row<'users.users'>, 'passwordHash' | 'registrationState'>

/** The columns of a person's row that other code reads. */
export const COLUMNS = [
  ...([
    'tenantId',
    'id',
    'email',
    'pendingEmail',
    'emailVerifiedAt',
    'emailVerifiedBefore',
  ] as const),
  ...(['name', 'company', 'vatNumber', 'vatStatus', 'vatCheckAt', 'vatCheckTries'] as const),
  ...(['country', 'locale', 'mfaEnabledAt'] as const),
  ...(['phone', 'timeZone', 'marketingConsentAt', 'marketingConsentSource'] as const),
  ...(['termsVersion', 'termsLanguage', 'termsAcceptedAt'] as const),
  ...(['addressLine1', 'addressLine2', 'addressPostcode', 'addressCity'] as const),
  ...(['addressRegion', 'addressCountry', 'createdAt', 'suspendedAt', 'deletedAt'] as const),
] as const

/** A person of a tenant, also if deleted. */
export const findUser = compiledFirst<UserKey, UserRow>((db, { tenantId, userId }) =>
  db
    .selectFrom('users.users')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId),
)

const usersAmong = compiled((db, { tenantId, ids }: { tenantId: string; ids: readonly string[] }) =>
  db
    .selectFrom('users.users')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** People of a tenant by their ids, also deleted ones. */
export function findUsers(db: Db, tenantId: string, ids: readonly string[]): Promise<UserRow[]> {
  return usersAmong(db, { tenantId, ids })
}

/** The languages of people, by their ids. */
export async function localesOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserRow['locale']>> {
  const rows = await db
    .selectFrom('users.users')
    .select(['id', 'locale'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, locale }) => [id, locale]))
}

/** The names and e-mail addresses of people, by their ids. */
export async function namesOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<UserRow, 'name' | 'email'>>> {
  const rows = await db
    .selectFrom('users.users')
    .select(['id', 'name', 'email'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, ...person }) => [id, person]))
}

/** Locks a person's row: the lock for everything that is counted per customer. */
export function lockUser(tx: Tx, { tenantId, userId }: UserKey): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users.users')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Locks a user's row as a foreign key to it does. Called before a row is locked that other transactions lock after
 * `lockUser`: taken in the other order, the two locks are a deadlock.
 */
export async function lockUserShared(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .selectFrom('users.users')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .forKeyShare()
    .execute()
}

export type EmailKey = { tenantId: string; email: string }

export function findUserByEmail(db: Db, { tenantId, email }: EmailKey) {
  return db
    .selectFrom('users.users')
    .select([...COLUMNS, 'passwordHash'])
    .where('tenantId', '=', tenantId)
    .where('email', '=', email)
    .executeTakeFirst()
}

export function findPasswordHash(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.users')
    .select('passwordHash')
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst()
}

export type NewUser = {
  tenantId: string
  id: string
  email: string
  passwordHash: string | null
  registrationState?: string | null
  name: string
  country?: string | null
  locale?: UserRow['locale']
  emailVerifiedAt?: Instant | null
  createdAt: Instant
} & Partial<Omit<UserRow, keyof UserKey>>

/** Inserts a person. Undefined if the address is taken in this tenant. */
export function insertUser(tx: Tx, row: NewUser): Promise<UserRow | undefined> {
  return tx
    .insertInto('users.users')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'email']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}
