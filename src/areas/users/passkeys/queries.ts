import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type PasskeyRow = Row<'users.passkeys'>
export type PasskeyKey = Pick<PasskeyRow, 'tenantId' | 'userId' | 'id'>
export type ChallengeRow = Row<'users.passkey_challenges'>

const SHOWN = ['id', 'name', 'backedUp', 'createdAt', 'lastUsedAt'] as const

/** The passkeys of a person, newest first: never more than a few. */
export function listPasskeys(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.passkeys')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** A person's passkeys of this host name, as the authenticator needs them. */
export function listCredentials(db: Db, { tenantId, userId }: UserKey, rpId: string) {
  return db
    .selectFrom('users.passkeys')
    .select(['credentialId as id', 'transports'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('rpId', '=', rpId)
    .execute()
}

export async function hasPasskey(db: Db, { tenantId, userId }: UserKey): Promise<boolean> {
  const row = await db
    .selectFrom('users.passkeys')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function findPasskey(db: Db, { tenantId, userId, id }: PasskeyKey) {
  return db
    .selectFrom('users.passkeys')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

type CredentialKey = { tenantId: string; credentialId: string }

export function findCredential(db: Db, { tenantId, credentialId }: CredentialKey) {
  return db
    .selectFrom('users.passkeys')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('credentialId', '=', credentialId)
    .executeTakeFirst()
}

/** Undefined if the authenticator's key belongs to a person already. */
export function insertPasskey(tx: Tx, row: Omit<PasskeyRow, 'lastUsedAt'>) {
  return tx
    .insertInto('users.passkeys')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'credentialId']).doNothing())
    .returning(SHOWN)
    .executeTakeFirst()
}

export async function markPasskeyUsed(
  tx: Tx,
  { tenantId, id }: Pick<PasskeyKey, 'tenantId' | 'id'>,
  use: { counter: number; backedUp: boolean; lastUsedAt: Instant },
): Promise<void> {
  await tx
    .updateTable('users.passkeys')
    .set(use)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export function deletePasskey(tx: Tx, { tenantId, userId, id }: PasskeyKey) {
  return tx
    .deleteFrom('users.passkeys')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export async function deletePasskeys(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.passkeys')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

export async function insertChallenge(tx: Tx, row: ChallengeRow): Promise<void> {
  await tx.insertInto('users.passkey_challenges').values(row).execute()
}

/** Deletes a challenge and returns it: it is used up, whatever the outcome. */
export function useUpChallenge(
  tx: Tx,
  { tenantId, hash }: Pick<ChallengeRow, 'tenantId' | 'hash'>,
) {
  return tx
    .deleteFrom('users.passkey_challenges')
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteChallenges(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.passkey_challenges')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
