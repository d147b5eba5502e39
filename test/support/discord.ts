import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { randomToken } from '#platform/secrets.ts'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'

type Account = { id: string; username: string }
type Grant = { account: Account; challenge: string; redirectUri: string }

/** Discord as far as it is spoken to: OAuth 2 with PKCE, who somebody is, and giving tokens back. */
export type Discord = {
  readonly url: string
  /** `host:port`, as `MOORAGE_PRIVATE_HOSTS` takes it. */
  readonly host: string
  readonly application: { id: string; secret: string }
  /** The tokens that are out: what was handed out, and not given back. */
  readonly tokens: ReadonlySet<string>
  /** Somebody agrees on the page of `authorizeUrl`: the address their browser is sent back to. */
  agree(authorizeUrl: string, account: Account): URL
  /** Answers every further call with this status; null: as it should. */
  fail(status: number | null): void
}

/** Starts a Discord; it ends with the file. */
export async function discordServer(): Promise<Discord> {
  const application = { id: '123456789012345678', secret: randomToken() }
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Account>()
  const out = new Set<string>()
  let failing: number | null = null

  function tokenFor(form: URLSearchParams): string | null {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
    const right =
      form.get('client_id') === application.id &&
      form.get('client_secret') === application.secret &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === grant?.redirectUri &&
      verifier.digest('base64url') === grant?.challenge
    if (!grant || !right) return null
    const token = randomToken()
    tokens.set(token, grant.account)
    out.add(token)
    return token
  }

  function answerTo(request: IncomingMessage, form: URLSearchParams): [number, object] {
    if (failing !== null) return [failing, { message: 'Down' }]
    const call = `${request.method} ${request.url}`
    if (call === 'POST /api/v10/oauth2/token') {
      const token = tokenFor(form)
      if (!token) return [400, { error: 'invalid_grant' }]
      return [200, { access_token: token, token_type: 'Bearer', scope: 'identify' }]
    }
    if (call === 'POST /api/v10/oauth2/token/revoke') {
      out.delete(form.get('token') ?? '')
      return [200, {}]
    }
    const account = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (call === 'GET /api/v10/users/@me' && account) return [200, account]
    return [401, { message: '401: Unauthorized' }]
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = answerTo(request, new URLSearchParams(await text(request)))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void serve(request, response),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url: `http://${host}`, host, application, tokens: out },
    agree(authorizeUrl, account) {
      const { origin, pathname, searchParams: asked } = new URL(authorizeUrl)
      assert.equal(origin + pathname, `http://${host}/oauth2/authorize`)
      assert.equal(asked.get('client_id'), application.id)
      assert.equal(asked.get('response_type'), 'code')
      assert.equal(asked.get('scope'), 'identify')
      assert.equal(asked.get('code_challenge_method'), 'S256')
      const code = randomToken()
      const redirectUri = asked.get('redirect_uri') ?? ''
      grants.set(code, { account, challenge: asked.get('code_challenge') ?? '', redirectUri })
      const back = new URL(redirectUri)
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }))
      return back
    },
    fail(status) {
      failing = status
    },
  }
}
