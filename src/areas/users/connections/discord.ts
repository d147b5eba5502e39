import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Outbound, OutboundResponse } from '#platform/outbound.ts'
import { challengeOf } from './rules.ts'

/** The application that a shop has registered at Discord. */
export type Application = { clientId: string; clientSecret: string }

/** An account at Discord. */
export type Account = { accountId: string; name: string }

type Asked = { clientId: string; state: string; verifier: string; redirectUri: string }
type Returned = { code: string; verifier: string; redirectUri: string }

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) })
const Me = Type.Object({
  id: Type.String({ pattern: '^[0-9]{5,30}$' }),
  username: Type.String({ minLength: 1, maxLength: 100 }),
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }

/** Discord's OAuth 2: code flow with PKCE, for the identity of a person only. */
export function discord(outbound: Outbound, baseUrl: string) {
  return {
    /** The page on which people consent. */
    authorizeUrl({ clientId, state, verifier, redirectUri }: Asked): string {
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id: clientId, scope: 'identify', state },
        ...{ redirect_uri: redirectUri, prompt: 'consent' },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
      })
      return `${baseUrl}/oauth2/authorize?${query}`
    },

    /**
     * The account that a code belongs to; null if Discord does not accept the code. The token that was exchanged
     * for it is revoked at once: it is needed for nothing else. Throws an `OutboundError` if Discord is unreachable.
     */
    async accountOf(application: Application, returned: Returned): Promise<Account | null> {
      const token = await exchange(application, returned)
      if (!token) return null
      const answer = await outbound.request({
        url: `${baseUrl}/api/v10/users/@me`,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      })
      await revoke(application, token)
      const me = answer.status === 200 ? jsonOf(answer) : null
      return Value.Check(Me, me) ? { accountId: me.id, name: me.username } : null
    },
  }

  async function exchange(
    { clientId, clientSecret }: Application,
    { code, verifier, redirectUri }: Returned,
  ): Promise<string | null> {
    const form = new URLSearchParams({
      ...{ client_id: clientId, client_secret: clientSecret, grant_type: 'authorization_code' },
      ...{ code, redirect_uri: redirectUri, code_verifier: verifier },
    })
    const answer = await post('/api/v10/oauth2/token', form)
    const body = answer.status === 200 ? jsonOf(answer) : null
    return Value.Check(Token, body) ? body.access_token : null
  }

  async function revoke({ clientId, clientSecret }: Application, token: string): Promise<void> {
    const form = new URLSearchParams({
      ...{ client_id: clientId, client_secret: clientSecret, token },
      token_type_hint: 'access_token',
    })
    await post('/api/v10/oauth2/token/revoke', form)
  }

  function post(path: string, form: URLSearchParams): Promise<OutboundResponse> {
    const url = `${baseUrl}${path}`
    return outbound.request({ url, method: 'POST', headers: FORM, body: form.toString() })
  }
}

function jsonOf({ text }: OutboundResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
