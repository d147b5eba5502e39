import { createSigner, createVerifier } from 'fast-jwt'
import { isId } from '#lib/id.ts'
import { type Instant, instant, millis, SECOND_MS } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { ACCESS_SECONDS } from './rules.ts'

/** What an access token says: whose, and of which session. */
export type AccessClaims = { tenantId: string; userId: string; sessionId: string }

type ReadClaims = AccessClaims & { expiresAt: Instant }

/** Makes and reads access tokens. */
export type AccessTokens = {
  /** `seconds` is how long it counts. */
  sign(claims: AccessClaims, now: Instant, seconds?: number): string
  /** Null for everything that this installation did not make for this tenant, or that has ended. */
  read(token: string, tenantId: string, now: Instant): ReadClaims | null
}

const ALGORITHM = 'HS256'

/** Access tokens under the installation's own keys: the current one signs, earlier ones still count. */
export function accessTokens({ secrets, config }: Pick<Deps, 'secrets' | 'config'>): AccessTokens {
  const iss = config.publicUrl
  const generations = secrets.keysFor('session').map(({ id, key }) => {
    const sign = createSigner({ algorithm: ALGORITHM, key, kid: id, iss, noTimestamp: true })
    const verify = createVerifier({
      key,
      algorithms: [ALGORITHM],
      allowedIss: iss,
      requiredClaims: ['aud', 'sub', 'sid', 'exp'],
      // Times are compared with the service's own clock, below.
      ignoreExpiration: true,
      ignoreNotBefore: true,
    })
    // The header is the same text every time; one with anything else in it was not made here.
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

/** Tokens count for one tenant only. */
function audienceOf(tenantId: string): string {
  return `tenant:${tenantId}`
}

function seconds(at: Instant): number {
  return Math.floor(millis(at) / SECOND_MS)
}
