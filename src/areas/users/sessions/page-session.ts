import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { tokenHash } from '#platform/secrets.ts'
import { findLiveSession, findRefreshToken } from './queries.ts'
import { ACCESS_SECONDS } from './rules.ts'
import { accessTokens } from './token.ts'

/** A browser's session, for as long as one page is rendered. */
export type PageSession = {
  readonly userId: string
  readonly sessionId: string
  /** Gives access to the API as the person, for a minute. */
  readonly accessToken: string
}

const PAGE_SECONDS = 60

/**
 * Reads the session of the refresh token in a browser's cookie, without exchanging it: pages are loaded in
 * parallel, and a token that is exchanged twice ends its session. Null if the session is over or unknown.
 */
export function pageSessions(deps: Pick<Deps, 'secrets' | 'config'>) {
  const tokens = accessTokens(deps)
  return async (
    db: Db,
    { tenantId, refreshToken }: { tenantId: string; refreshToken: string },
    now: Instant,
  ): Promise<PageSession | null> => {
    const found = await findRefreshToken(db, tenantId, tokenHash(refreshToken))
    if (!found || found.rotatedAt !== null) return null
    const { sessionId } = found
    const session = await findLiveSession(db, { tenantId, sessionId }, now)
    if (!session) return null
    const { userId } = session
    const accessToken = tokens.sign({ tenantId, userId, sessionId }, now, PAGE_SECONDS)
    return { userId, sessionId, accessToken }
  }
}

/** Creates the access token that an application in the browser starts with, from the session of its page. */
export function applicationTokens(deps: Pick<Deps, 'secrets' | 'config'>) {
  const tokens = accessTokens(deps)
  return (tenantId: string, { userId, sessionId }: PageSession, now: Instant) => ({
    accessToken: tokens.sign({ tenantId, userId, sessionId }, now),
    expiresIn: ACCESS_SECONDS,
  })
}
