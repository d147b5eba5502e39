import assert from 'node:assert/strict'
import type http from 'node:http'
import * as openid from 'openid-client'
import { hashPassword } from '#users'
import type { TestApp } from './app.ts'
import type { Answer, Client } from './client.ts'
import { person } from './people.ts'

export const PASSWORD = 'a long enough password'
export const REDIRECT = 'https://forum.example.org/callback'
export const AFTER_LOGOUT = 'https://forum.example.org/bye'
export const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'services']

/** An application that is registered, as its developers have it. */
export type Registered = { clientId: string; clientSecret: string | null }

/** Registers an application through the administration. */
export async function register(admin: Client, fields: object = {}): Promise<Registered> {
  const { status, body, text } = await admin.post('/v1/admin/oauth-clients', {
    name: 'Forum',
    redirectUris: [REDIRECT],
    postLogoutRedirectUris: [AFTER_LOGOUT],
    scopes: SCOPES,
    ...fields,
  })
  assert.equal(status, 201, text)
  return body
}

/** The application at work: openid-client, after it has read the discovery document. */
export function relyingParty(
  app: TestApp,
  { clientId, clientSecret }: Registered,
): Promise<openid.Configuration> {
  const authentication = clientSecret === null ? openid.None() : undefined
  return openid.discovery(
    new URL(`${app.deps.config.publicUrl}/v1/oidc`),
    clientId,
    clientSecret ?? undefined,
    authentication,
    // It wants https by itself; the service of a test has none.
    { execute: [openid.allowInsecureRequests] },
  )
}

let hash: Promise<string> | undefined

/** Somebody with a password, which is `PASSWORD`. */
export async function member(app: TestApp, wanted: Parameters<typeof person>[1] = {}) {
  const made = await person(app, wanted)
  await givePassword(app, made.userId)
  return made
}

/** Gives somebody the password `PASSWORD`. */
export async function givePassword(app: TestApp, userId: string): Promise<void> {
  hash ??= hashPassword(PASSWORD)
  await app.deps.database.execute('update users.users set password_hash = $1 where id = $2', [
    await hash,
    userId,
  ])
}

/** A browser without scripts: it follows redirects of the service, keeps cookies, and sends forms. */
export class Browser {
  readonly #app: TestApp
  readonly #origin: string
  readonly #cookies = new Map<string, { value: string; path: string }>()
  /** Where it stands: the address of the last answer. */
  location = ''
  answer: Answer | null = null

  constructor(app: TestApp) {
    this.#app = app
    this.#origin = new URL(app.deps.config.publicUrl).origin
  }

  /** Opens an address, and follows what the service redirects to until it leads elsewhere. */
  async open(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#go('GET', url, undefined, headers)
  }

  /** Sends the form of the page whose action ends like this, with these fields. */
  async submit(
    ending: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = this.answer?.text ?? ''
    const forms = [...text.matchAll(/<form [^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)]
    const form = forms.find(([, action]) => action?.endsWith(ending))
    assert.ok(form, `There is no form for ${ending} in ${text}`)
    const [, action = '', inside = ''] = form
    const hidden = inside.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
    const body = new URLSearchParams(fields)
    // A field that is hidden may have been filled by a script.
    for (const [, name = '', value = ''] of hidden) if (!body.has(name)) body.set(name, value)
    const url = new URL(action, this.#origin).href
    return this.#go('POST', url, body.toString(), { origin: this.#origin, ...headers })
  }

  /** The values of its cookies that open something: signatures open nothing. */
  cookieValues(): string[] {
    return [...this.#cookies].flatMap(([name, { value }]) => (name.endsWith('.sig') ? [] : [value]))
  }

  /** The query of the address outside that the service has sent it to. */
  get returned(): URLSearchParams {
    return new URL(this.location).searchParams
  }

  async #go(
    method: string,
    url: string,
    form: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    this.location = url
    const { pathname, search, origin } = new URL(url)
    if (origin !== this.#origin) return this.answer ?? assert.fail('It has left at once')
    const answer = await this.#app.request(method, pathname + search, undefined, {
      headers: {
        accept: 'text/html,application/xhtml+xml',
        cookie: this.#cookiesFor(pathname),
        ...(form !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(form)),
        }),
        ...headers,
      },
      ...(form !== undefined && { raw: form }),
    })
    this.answer = answer
    this.#keep(answer.headers)
    const { location } = answer.headers
    if (answer.status < 300 || answer.status >= 400 || !location) return answer
    return this.#go('GET', new URL(location, url).href, undefined, {})
  }

  #keep(headers: http.IncomingHttpHeaders): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name = '', value = ''] = pair.split('=')
      const path = attributes.find((it) => it.startsWith('path='))?.slice(5) ?? '/'
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, { value, path })
    }
  }

  #cookiesFor(pathname: string): string {
    return [...this.#cookies]
      .filter(
        ([, { path }]) => pathname === path || pathname.startsWith(`${path}/`) || path === '/',
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }
}

/** What an application sends a browser with, and keeps for when it comes back. */
export async function authorization(
  configuration: openid.Configuration,
  parameters: Record<string, string> = {},
) {
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const nonce = openid.randomNonce()
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT,
    scope: SCOPES.join(' '),
    prompt: 'consent',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  return { url: url.href, verifier, state, nonce }
}

/** Goes through sign-in and consent, and gives the address the application gets the browser back at. */
export async function allow(browser: Browser, url: string, email: string): Promise<URL> {
  await browser.open(url)
  if (browser.answer?.text.includes('type="password"')) {
    await browser.submit('/login', { email, password: PASSWORD })
  }
  if (!browser.location.startsWith(REDIRECT)) await browser.submit('/consent')
  assert.ok(browser.location.startsWith(REDIRECT), `${browser.location} ${browser.answer?.text}`)
  return new URL(browser.location)
}

/** The whole code flow: somebody signs in for an application, which gets its tokens. */
export async function signInFor(
  configuration: openid.Configuration,
  browser: Browser,
  email: string,
  parameters: Record<string, string> = {},
) {
  const { url, verifier, state, nonce } = await authorization(configuration, parameters)
  const back = await allow(browser, url, email)
  return openid.authorizationCodeGrant(configuration, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  })
}
