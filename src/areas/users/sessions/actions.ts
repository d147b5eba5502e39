import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { insertRefreshToken, insertSession } from './queries.ts'
import { sessionEnd } from './rules.ts'

/** Where a sign-in comes from. */
export type Device = { address: string; userAgent: string | null }

/** A session that has just begun, or goes on: the refresh token is seen here only. */
export type OpenedSession = { sessionId: string; refreshToken: string }

const USER_AGENT_LENGTH = 300

/** Opens a session of a person, whose credentials somebody else has checked. */
export async function openSession(
  tx: Tx,
  { tenantId, userId, device }: UserKey & { device: Device },
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
    createdAt: now,
    refreshedAt: now,
    expiresAt: sessionEnd(now, now),
    revokedAt: null,
  })
  return { sessionId, refreshToken: await addRefreshToken(tx, { tenantId, sessionId }, now) }
}

/** A further refresh token of a session's family. */
export async function addRefreshToken(
  tx: Tx,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  now: Instant,
): Promise<string> {
  const token = randomToken()
  const hash = tokenHash(token)
  await insertRefreshToken(tx, { tenantId, id: newId(), sessionId, hash, createdAt: now })
  return token
}
