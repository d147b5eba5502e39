import { createSigner, createVerifier } from 'fast-jwt'
import { isId } from '#lib/id.ts'
import { type Instant, instant, millis, SECOND_MS } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { ACCESS_SECONDS } from './rules.ts'

/** The content of an access token: its person and session. */
export type AccessClaims = { tenantId: string; userId: string; sessionId: string }

type ReadClaims = AccessClaims & { expiresAt: Instant }

/** Creates and reads access tokens. */
export type AccessTokens = {
  /** `seconds` is how long the token is valid. */
  sign(claims: AccessClaims, now: Instant, seconds?: number): string
  /** Null unless this installation issued the token for this tenant and it has not expired. */
  read(token: string, tenantId: string, now: Instant): ReadClaims | null
}

const ALGORITHM = 'HS256'

/** Access tokens signed with the installation's own keys: by the current one; earlier ones stay valid. */
export function accessTokens({ secrets, config }: Pick<Deps, 'secrets' | 'config'>): AccessTokens {
  const iss = config.publicUrl
  const generations = secrets.keysFor('session').map(({ id, key }) => {
    const sign = createSigner({ algorithm: ALGORITHM, key, kid: id, iss, noTimestamp: true })
    const verify = createVerifier({
      key,
      algorithms: [ALGORITHM],
      allowedIss: iss,
      requiredClaims: ['aud', 'sub', 'sid', 'exp'],
      // Times are compared below with the service's own clock.
      ignoreExpiration: true,
      ignoreNotBefore: true,
    })
    // The header is always the same text; a token with any other header was not issued here.
    return { sign, verify, header: sign({}).split('.')[0] ?? '' }
  })
  return {
    sign({ tenantId, userId, sessionId }, now, lasting = ACCESS_SECONDS) {
      const iat = seconds(now)
      const exp = iat + lasting
      const [current] = generations
      if (!current) throw new Error('No key to sign with')
      return current.sign({ aud: audienceOf(tenantId), sub: userId, sid: sessionId, iat, exp })
    },
    read(token, tenantId, now) {
      const header = token.slice(0, token.indexOf('.'))
      const generation = generations.find((it) => it.header === header)
      if (!generation) return null
      const claims = claimsOf(generation.verify, token)
      if (!claims || claims.aud !== audienceOf(tenantId)) return null
      const { sub, sid, exp, nbf } = claims
      if (typeof sub !== 'string' || !isId(sub)) return null
      if (typeof sid !== 'string' || !isId(sid)) return null
      if (typeof exp !== 'number' || exp <= seconds(now)) return null
      if (nbf !== undefined && (typeof nbf !== 'number' || nbf > seconds(now))) return null
      return { tenantId, userId: sub, sessionId: sid, expiresAt: instant(exp * SECOND_MS) }
    },
  }
}

function claimsOf(
  verify: (token: string) => unknown,
  token: string,
): Record<string, unknown> | null {
  try {
    return verify(token) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Tokens are valid for one tenant only. */
function audienceOf(tenantId: string): string {
  return `tenant:${tenantId}`
}

function seconds(at: Instant): number {
  return Math.floor(millis(at) / SECOND_MS)
}
