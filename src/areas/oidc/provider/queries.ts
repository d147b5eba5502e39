import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'

export type ArtifactRow = Row<'oidc.artifacts'>
export type GrantRow = Row<'oidc.grants'>
export type ArtifactKey = Pick<ArtifactRow, 'tenantId' | 'kind' | 'hash'>
export type GrantKey = Pick<GrantRow, 'tenantId' | 'id'>

/** Artifacts that have not expired, of people who may sign in and whose session is not revoked. */
function liveArtifacts(db: Db, tenantId: string, now: Instant) {
  return db
    .selectFrom('oidc.artifacts as artifact')
    .leftJoin('users.users as user', (join) =>
      join
        .onRef('user.tenantId', '=', 'artifact.tenantId')
        .onRef('user.id', '=', 'artifact.userId'),
    )
    .leftJoin('oidc.sign_ins as signIn', (join) =>
      join
        .onRef('signIn.tenantId', '=', 'artifact.tenantId')
        .onRef('signIn.uid', '=', 'artifact.uid'),
    )
    .leftJoin('users.sessions as session', (join) =>
      join
        .onRef('session.tenantId', '=', 'signIn.tenantId')
        .onRef('session.id', '=', 'signIn.userSessionId'),
    )
    .select(['artifact.payload', 'artifact.consumedAt'])
    .where('artifact.tenantId', '=', tenantId)
    .where('artifact.expiresAt', '>', now)
    .where('user.suspendedAt', 'is', null)
    .where('user.deletedAt', 'is', null)
    .where('session.revokedAt', 'is', null)
}

export function findArtifact(db: Db, { tenantId, kind, hash }: ArtifactKey, now: Instant) {
  return liveArtifacts(db, tenantId, now)
    .where('artifact.kind', '=', kind)
    .where('artifact.hash', '=', hash)
    .executeTakeFirst()
}

export function findSessionByUid(db: Db, tenantId: string, uid: string, now: Instant) {
  return liveArtifacts(db, tenantId, now)
    .where('artifact.uid', '=', uid)
    .where('artifact.kind', '=', sql.lit('Session'))
    .executeTakeFirst()
}

type NewArtifact = Omit<ArtifactRow, 'payload' | 'consumedAt'> & { payload: object }

/** Inserts or updates an artifact. A foreign key refuses it if its grant is deleted. */
export async function upsertArtifact(tx: Tx, artifact: NewArtifact): Promise<void> {
  const payload = json(artifact.payload)
  const { userId, expiresAt } = artifact
  await tx
    .insertInto('oidc.artifacts')
    .values({ ...artifact, payload })
    .onConflict((it) =>
      it.columns(['tenantId', 'kind', 'hash']).doUpdateSet({ payload, userId, expiresAt }),
    )
    .execute()
}

/** Records the person's session that a browser's session depends on, and replaces an earlier one. */
export async function upsertSignIn(tx: Tx, signIn: Row<'oidc.sign_ins'>): Promise<void> {
  const { userId, userSessionId, expiresAt } = signIn
  await tx
    .insertInto('oidc.sign_ins')
    .values(signIn)
    .onConflict((it) =>
      it.columns(['tenantId', 'uid']).doUpdateSet({ userId, userSessionId, expiresAt }),
    )
    .execute()
}

/** Marks a code or token as used. Returns false if it was used before, or is deleted. */
export async function markConsumed(
  tx: Tx,
  { tenantId, kind, hash }: ArtifactKey,
  now: Instant,
): Promise<boolean> {
  const marked = await tx
    .updateTable('oidc.artifacts')
    .set({ consumedAt: now })
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('consumedAt', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return marked !== undefined
}

export function findGrantOfArtifact(db: Db, { tenantId, kind, hash }: ArtifactKey) {
  return db
    .selectFrom('oidc.artifacts')
    .select('grantId')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .executeTakeFirst()
}

export async function deleteArtifact(tx: Tx, { tenantId, kind, hash }: ArtifactKey): Promise<void> {
  await tx
    .deleteFrom('oidc.artifacts')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .execute()
}

export async function deleteArtifactsOfGrant(
  tx: Tx,
  { tenantId, kind, grantId }: Pick<ArtifactRow, 'tenantId' | 'kind'> & { grantId: string },
): Promise<void> {
  await tx
    .deleteFrom('oidc.artifacts')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('grantId', '=', grantId)
    .execute()
}

/** A grant that has not expired, of a person who may sign in. */
export function findGrant(db: Db, { tenantId, id }: GrantKey, now: Instant) {
  return db
    .selectFrom('oidc.grants as grant')
    .innerJoin('users.users as user', (join) =>
      join.onRef('user.tenantId', '=', 'grant.tenantId').onRef('user.id', '=', 'grant.userId'),
    )
    .select('grant.payload')
    .where('grant.tenantId', '=', tenantId)
    .where('grant.id', '=', id)
    .where('grant.expiresAt', '>', now)
    .where('user.suspendedAt', 'is', null)
    .where('user.deletedAt', 'is', null)
    .executeTakeFirst()
}

export async function upsertGrant(
  tx: Tx,
  grant: Omit<GrantRow, 'payload'> & { payload: object },
): Promise<void> {
  const payload = json(grant.payload)
  const { scopes, expiresAt } = grant
  await tx
    .insertInto('oidc.grants')
    .values({ ...grant, payload })
    .onConflict((it) => it.columns(['tenantId', 'id']).doUpdateSet({ payload, scopes, expiresAt }))
    .execute()
}

/** Deletes a grant with every code and token under it. Returns its person and client. */
export function deleteGrant(tx: Tx, { tenantId, id }: GrantKey) {
  return tx
    .deleteFrom('oidc.grants')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning(['userId', 'clientId'])
    .executeTakeFirst()
}

/** Deletes all sign-ins of a person: browsers' sessions, sign-ins under way, grants and their tokens. */
export async function deleteSignIns(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('oidc.grants')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  for (const table of ['oidc.artifacts', 'oidc.sign_ins'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .execute()
  }
}

/** Deletes artifacts that have ended. Returns how many. */
export async function deleteEndedArtifacts(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidc.artifacts')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('tenantId', 'kind', 'hash'),
        'in',
        selectFrom('oidc.artifacts')
          .select(['tenantId', 'kind', 'hash'])
          .where('expiresAt', '<=', now)
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('tenantId', 'kind', 'hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes grants that have ended. Returns how many. */
export async function deleteEndedGrants(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidc.grants')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('tenantId', 'id'),
        'in',
        selectFrom('oidc.grants')
          .select(['tenantId', 'id'])
          .where('expiresAt', '<=', now)
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('tenantId', 'id'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes records of sign-ins that have ended. Returns how many. */
export async function deleteEndedNotes(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidc.sign_ins')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('tenantId', 'uid'),
        'in',
        selectFrom('oidc.sign_ins')
          .select(['tenantId', 'uid'])
          .where('expiresAt', '<=', now)
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('tenantId', 'uid'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
