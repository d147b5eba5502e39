import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { liveApiKeys } from '../api-keys/queries.ts'

export type SessionRow = Row<'users.sessions'>
export type RefreshTokenRow = Pick<Row<'users.refresh_tokens'>, 'id' | 'sessionId' | 'rotatedAt'>
export type SessionKey = { tenantId: string; sessionId: string }

type MayBeUnset = 'secondFactorAt' | 'impersonationReason'
type NewSession = Omit<SessionRow, MayBeUnset> & Partial<Pick<SessionRow, MayBeUnset>>

export async function insertSession(tx: Tx, row: NewSession): Promise<void> {
  await tx.insertInto('users.sessions').values(row).execute()
}

export async function insertRefreshToken(
  tx: Tx,
  row: { tenantId: string; id: string; sessionId: string; hash: Buffer; createdAt: Instant },
): Promise<void> {
  await tx.insertInto('users.refresh_tokens').values(row).execute()
}

/**
 * The person of a session that is alive: neither ended nor revoked, and the account not deleted. A session in
 * which a person acts as another lives only as long as the session it was begun in.
 */
export function findLiveSession(db: Db, { tenantId, sessionId }: SessionKey, now: Instant) {
  return liveSession(db, { tenantId, sessionId, now })
}

const liveSession = compiledFirst(
  (db, { tenantId, sessionId, now }: SessionKey & { now: Instant }) =>
    liveSessions(db, tenantId, now)
      .select(['session.userId', 'session.impersonatorId', 'session.createdAt', 'user.email'])
      .where('session.id', '=', sessionId),
)

/** Which of these sessions are alive. */
export async function listLiveSessions(
  db: Db,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
  now: Instant,
): Promise<string[]> {
  const sessions = await liveSessions(db, tenantId, now)
    .select('session.id')
    .where('session.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return sessions.map(({ id }) => id)
}

function liveSessions(db: Db, tenantId: string, now: Instant) {
  return db
    .selectFrom('users.sessions as session')
    .innerJoin('users.users as user', (join) =>
      join.onRef('user.tenantId', '=', 'session.tenantId').onRef('user.id', '=', 'session.userId'),
    )
    .where('session.tenantId', '=', tenantId)
    .where('session.revokedAt', 'is', null)
    .where('session.expiresAt', '>', now)
    .where('user.suspendedAt', 'is', null)
    .where('user.deletedAt', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('session.impersonatorId', 'is', null),
        exists(
          selectFrom('users.sessions as own')
            .innerJoin('users.users as impersonator', (join) =>
              join
                .onRef('impersonator.tenantId', '=', 'own.tenantId')
                .onRef('impersonator.id', '=', 'own.userId'),
            )
            .select('own.id')
            .whereRef('own.tenantId', '=', 'session.tenantId')
            .whereRef('own.id', '=', 'session.impersonatorSessionId')
            .where('own.revokedAt', 'is', null)
            .where('own.expiresAt', '>', now)
            .where('impersonator.suspendedAt', 'is', null)
            .where('impersonator.deletedAt', 'is', null),
        ),
        exists(
          liveApiKeys(db, tenantId, now)
            .select('key.id')
            .where('key.id', '=', sql.ref<string>('session.impersonatorKeyId')),
        ),
      ]),
    )
}

export function findRefreshToken(db: Db, tenantId: string, hash: Buffer) {
  return db
    .selectFrom('users.refresh_tokens')
    .select(['id', 'sessionId', 'rotatedAt'])
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .executeTakeFirst()
}

export function lockRefreshToken(tx: Tx, tenantId: string, id: string) {
  return tx
    .selectFrom('users.refresh_tokens')
    .select(['id', 'sessionId', 'rotatedAt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRotated(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  rotatedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.refresh_tokens')
    .set({ rotatedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('rotatedAt', 'is', null)
    .execute()
}

export function findSession(db: Db, { tenantId, sessionId }: SessionKey) {
  return db
    .selectFrom('users.sessions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
}

export async function markRefreshed(
  tx: Tx,
  { tenantId, sessionId }: SessionKey,
  times: { refreshedAt: Instant; expiresAt: Instant; address: string },
): Promise<void> {
  await tx
    .updateTable('users.sessions')
    .set(times)
    .where('tenantId', '=', tenantId)
    .where('id', '=', sessionId)
    .execute()
}

/** Records that a session has shown a second factor. */
export async function markSecondFactor(
  tx: Tx,
  { tenantId, sessionId }: SessionKey,
  secondFactorAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.sessions')
    .set({ secondFactorAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sessionId)
    .execute()
}

/** Ends one session of a person. Undefined if it is not theirs or has ended. */
export function revokeSession(
  tx: Tx,
  { tenantId, userId, sessionId }: UserKey & SessionKey,
  revokedAt: Instant,
) {
  return tx
    .updateTable('users.sessions')
    .set({ revokedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', revokedAt)
    .returning('id')
    .executeTakeFirst()
}

/** Ends every session of a person, except `keptId`. Returns how many there were. */
export async function revokeSessions(
  tx: Tx,
  { tenantId, userId, keptId }: UserKey & { keptId?: string },
  revokedAt: Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('users.sessions')
    .set({ revokedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', revokedAt)
    .$if(keptId !== undefined, (it) => it.where('id', '!=', keptId ?? ''))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export function listSessions(db: Db, { tenantId, userId }: UserKey, page: PageQuery, now: Instant) {
  const query = db
    .selectFrom('users.sessions')
    .select(['id', 'address', 'userAgent', 'impersonatorId', 'createdAt', 'refreshedAt'])
    .select('expiresAt')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
  return pageOf(query, page)
}

/** The addresses from which a person used a session since a time; without those of people who act as them. */
export async function listAddressesSince(
  db: Db,
  { tenantId, userId }: UserKey,
  since: Instant,
): Promise<string[]> {
  const rows = await db
    .selectFrom('users.sessions')
    .select('address')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('refreshedAt', '>=', since)
    .where('impersonatorId', 'is', null)
    .where('address', 'is not', null)
    .execute()
  return rows.flatMap(({ address }) => address ?? [])
}

const EXPORTED = 10_000

/** Every session that is still stored, also ended ones, newest first. */
export function listSessionHistory(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.sessions')
    .select(['id', 'address', 'userAgent', 'createdAt', 'refreshedAt', 'expiresAt', 'revokedAt'])
    .select(({ eb }) => eb('impersonatorId', 'is not', null).as('ofStaff'))
    .select('impersonationReason as reasonOfStaff')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(EXPORTED)
    .execute()
}
