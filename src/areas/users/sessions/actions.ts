import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { refreshTokenReused } from '../events.ts'
import {
  findLiveSession,
  findRefreshToken,
  findSession,
  insertRefreshToken,
  insertSession,
  lockRefreshToken,
  markRefreshed,
  markRotated,
  type RefreshTokenRow,
  revokeSession,
} from './queries.ts'
import { arrivedBefore, sessionEnd } from './rules.ts'

/** The network address and browser of a sign-in. */
export type Device = { address: string; userAgent: string | null }

/** A session that has just begun, or was refreshed: the refresh token is shown this once only. */
export type OpenedSession = { sessionId: string; refreshToken: string }

const USER_AGENT_LENGTH = 300

type Opening = UserKey & {
  device: Device
  /** When a second factor was shown; null for a sign-in without one. */
  secondFactorAt?: Instant | null
}

/** A session that was refreshed: without a refresh token if the earlier one was kept. */
export type ContinuedSession = { sessionId: string; refreshToken: string | null }

/** Opens a session for a person, whose credentials the caller of this function has checked. */
export async function openSession(
  tx: Tx,
  { tenantId, userId, device, secondFactorAt = null }: Opening,
  now: Instant,
): Promise<OpenedSession> {
  const sessionId = newId()
  await insertSession(tx, {
    tenantId,
    id: sessionId,
    userId,
    address: device.address,
    userAgent: device.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    impersonatorId: null,
    impersonatorSessionId: null,
    impersonatorKeyId: null,
    createdAt: now,
    refreshedAt: now,
    expiresAt: sessionEnd(now, now),
    revokedAt: null,
    secondFactorAt,
  })
  return { sessionId, refreshToken: await addRefreshToken(tx, { tenantId, sessionId }, now) }
}

/** Adds another refresh token to a session's family. */
async function addRefreshToken(
  tx: Tx,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  now: Instant,
): Promise<string> {
  const token = randomToken()
  const hash = tokenHash(token)
  await insertRefreshToken(tx, { tenantId, id: newId(), sessionId, hash, createdAt: now })
  return token
}

type Exchange = {
  tenantId: string
  /** The token as it was read before anything was locked. */
  seen: RefreshTokenRow
  address: string
  /** Whether the token is not exchanged: a browser's cookie, which all its tabs and pages share. */
  kept?: boolean
}

/**
 * Exchanges a refresh token for the next one of its family. If a token is used again after it was
 * exchanged, it was stolen: the session ends (`reused`), and its person is notified. Two
 * requests that arrive together both get one. A token that is kept prolongs its session and is not exchanged.
 * Null if the session is over.
 */
export async function refreshSession(
  tx: Tx,
  { tenantId, seen, address, kept = false }: Exchange,
  now: Instant,
  clock: Pick<Clock, 'now'>,
): Promise<(ContinuedSession & UserKey) | { reused: true; userId: string } | null> {
  const { id, sessionId } = seen
  const locked = await lockRefreshToken(tx, tenantId, id)
  const session = await findLiveSession(tx, { tenantId, sessionId }, now)
  if (!locked || !session) return null
  const { userId } = session
  if (!arrivedBefore(seen, locked, now)) {
    await revokeSession(tx, { tenantId, userId, sessionId }, now)
    await emit(tx, refreshTokenReused, { tenantId, userId, sessionId })
    return { reused: true, userId }
  }
  const expiresAt = sessionEnd(session.createdAt, now)
  await markRefreshed(tx, { tenantId, sessionId }, { refreshedAt: now, expiresAt, address })
  if (kept) return { tenantId, userId, sessionId, refreshToken: null }
  const refreshToken = await addRefreshToken(tx, { tenantId, sessionId }, now)
  await markRotated(tx, { tenantId, id }, clock.now())
  return { tenantId, userId, sessionId, refreshToken }
}

/** Ends the session that a refresh token belongs to, also if the token was exchanged before. */
export async function endSession(
  tx: Tx,
  { tenantId, hash }: { tenantId: string; hash: Buffer },
  now: Instant,
): Promise<{ sessionId: string } | null> {
  const token = await findRefreshToken(tx, tenantId, hash)
  if (!token) return null
  const { sessionId } = token
  const session = await findSession(tx, { tenantId, sessionId })
  if (session) await revokeSession(tx, { tenantId, userId: session.userId, sessionId }, now)
  return { sessionId }
}
