import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

export function findTotp(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.totp_secrets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Begins again: an unconfirmed seed is replaced. */
export async function upsertTotp(
  tx: Tx,
  row: UserKey & { sealedSecret: string; createdAt: Instant },
): Promise<void> {
  const { sealedSecret, createdAt } = row
  await tx
    .insertInto('users.totp_secrets')
    .values(row)
    .onConflict((it) =>
      it
        .columns(['tenantId', 'userId'])
        .doUpdateSet({ sealedSecret, createdAt, confirmedAt: null, lastStep: 0 }),
    )
    .execute()
}

export async function markTotpConfirmed(
  tx: Tx,
  { tenantId, userId }: UserKey,
  confirmedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.totp_secrets')
    .set({ confirmedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Marks a step as used. Undefined if it or a later one was used meanwhile. */
export function markStepUsed(tx: Tx, { tenantId, userId }: UserKey, lastStep: number) {
  return tx
    .updateTable('users.totp_secrets')
    .set({ lastStep })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('lastStep', '<', lastStep)
    .returning('lastStep')
    .executeTakeFirst()
}

export async function deleteTotp(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.totp_secrets')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Deletes a seed that is being enrolled. */
export async function deleteUnconfirmedTotp(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.totp_secrets')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .execute()
}

export type NewRecoveryCode = UserKey & { id: string; hash: Buffer; createdAt: Instant }

export async function insertRecoveryCodes(tx: Tx, rows: readonly NewRecoveryCode[]) {
  await tx.insertInto('users.recovery_codes').values(rows).execute()
}

/** Marks a recovery code as used. Undefined if it is not this person's, or was used. */
export function markRecoveryCodeUsed(
  tx: Tx,
  { tenantId, userId, hash }: UserKey & { hash: Buffer },
  usedAt: Instant,
) {
  return tx
    .updateTable('users.recovery_codes')
    .set({ usedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteRecoveryCodes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.recovery_codes')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** How many codes still work. */
export async function countRecoveryCodes(db: Db, { tenantId, userId }: UserKey): Promise<number> {
  const { count } = await db
    .selectFrom('users.recovery_codes')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Sets since when signing in requires a second factor; null if it no longer does. */
export async function updateMfa(
  tx: Tx,
  { tenantId, userId }: UserKey,
  mfaEnabledAt: Instant | null,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({ mfaEnabledAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

export type PendingKey = { tenantId: string; hash: Buffer }

export async function insertPendingSignIn(
  tx: Tx,
  row: UserKey & { id: string; hash: Buffer; createdAt: Instant; expiresAt: Instant },
): Promise<void> {
  await tx.insertInto('users.pending_sign_ins').values(row).execute()
}

export function findPendingSignIn(db: Db, { tenantId, hash }: PendingKey, now: Instant) {
  return db
    .selectFrom('users.pending_sign_ins')
    .select(['id', 'userId'])
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** Counts a wrong code, and returns how many there were. */
export async function markFailure(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<number> {
  const { failures } = await tx
    .updateTable('users.pending_sign_ins')
    .set((it) => ({ failures: it('failures', '+', 1) }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

export async function deletePendingSignIn(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  await tx
    .deleteFrom('users.pending_sign_ins')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function deletePendingSignIns(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.pending_sign_ins')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
