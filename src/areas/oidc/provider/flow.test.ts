import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as openid from 'openid-client'
import { areas } from '#app/areas.ts'
import { testApp, until } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import {
  AFTER_LOGOUT,
  allow,
  authorization,
  Browser,
  member,
  PASSWORD,
  register,
  relyingParty,
  signInFor,
} from '#test/relying-party.ts'

const port = await freePort()
const links = hearLinks()
const app = await testApp(null, {
  areas: [...areas, links.area],
  config: { port, publicUrl: `http://127.0.0.1:${port}` },
})
const issuer = `http://127.0.0.1:${port}/v1/oidc`
// A key outlives every movement of the clock.
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
const client = await register(admin)
const forum = await relyingParty(app, client)

/** That an application is refused, and with which code of the standard. */
function refusedWith(error: string) {
  return (thrown: unknown) => {
    assert.ok(thrown instanceof openid.ResponseBodyError, String(thrown))
    assert.equal(thrown.error, error)
    const body = thrown.cause as Record<string, unknown>
    assert.equal(body.statusCode, thrown.status)
    assert.equal(body.message, body.error_description)
    return true
  }
}

/** Whether an access token still opens what it is for. */
async function opens(accessToken: string): Promise<boolean> {
  const { status, headers } = await app.as(accessToken).get('/v1/oidc/userinfo')
  assert.ok(status === 200 || status === 401, String(status))
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /error="invalid_token"/)
  return status === 200
}

test('discovery names the endpoints, the code flow, and PKCE with S256 only', () => {
  const metadata = forum.serverMetadata()
  assert.equal(metadata.issuer, issuer)
  assert.equal(metadata.authorization_endpoint, `${issuer}/auth`)
  assert.equal(metadata.token_endpoint, `${issuer}/token`)
  assert.equal(metadata.userinfo_endpoint, `${issuer}/userinfo`)
  assert.equal(metadata.introspection_endpoint, `${issuer}/introspection`)
  assert.equal(metadata.revocation_endpoint, `${issuer}/revocation`)
  assert.equal(metadata.end_session_endpoint, `${issuer}/logout`)
  assert.equal(metadata.jwks_uri, `${issuer}/jwks`)
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(metadata.response_types_supported, ['code'])
  assert.deepEqual(metadata.response_modes_supported, ['query'])
  const scopes = ['email', 'offline_access', 'openid', 'profile', 'services']
  assert.deepEqual([...(metadata.scopes_supported ?? [])].sort(), scopes)
})

test('somebody signs in, and the application learns who it is', async () => {
  const ada = await member(app, { name: 'Ada Lovelace' })
  const tokens = await signInFor(forum, new Browser(app), ada.email)
  assert.equal(tokens.claims()?.sub, ada.userId)
  assert.equal(tokens.claims()?.iss, issuer)
  const who = await openid.fetchUserInfo(forum, tokens.access_token, ada.userId)
  assert.deepEqual(who, {
    sub: ada.userId,
    name: 'Ada Lovelace',
    locale: 'en',
    email: ada.email,
    email_verified: true,
    services: [],
  })
})

test('an application gets what it asked for, and no more', async () => {
  const ada = await member(app, { verified: false })
  const open = await relyingParty(app, await register(admin, { requireVerifiedEmail: false }))
  const tokens = await signInFor(open, new Browser(app), ada.email, { scope: 'openid email' })
  assert.equal(tokens.refresh_token, undefined)
  const who = await openid.fetchUserInfo(open, tokens.access_token, ada.userId)
  assert.deepEqual(who, { sub: ada.userId, email: ada.email, email_verified: false })
})

test('the ID token carries what its scopes name, but no services', async () => {
  const ada = await member(app, { name: 'Ada Lovelace' })
  const claims = (await signInFor(forum, new Browser(app), ada.email)).claims()
  assert.deepEqual(
    [claims?.email, claims?.email_verified, claims?.name, claims?.locale, claims?.services],
    [ada.email, true, 'Ada Lovelace', 'en', undefined],
  )
  const plain = await signInFor(forum, new Browser(app), ada.email, { scope: 'openid' })
  assert.deepEqual([plain.claims()?.email, plain.claims()?.name], [undefined, undefined])
})

test('V59: the OpenID Connect plugin of Pelican signs a customer in and finds the address in the ID token', async () => {
  const ada = await member(app, { name: 'Ada Lovelace' })
  const redirectUri = 'https://panel.example.org/auth/oauth/callback/moorage'
  const panel = await register(admin, {
    ...{ name: 'Panel', redirectUris: [redirectUri], postLogoutRedirectUris: [] },
    scopes: ['openid', 'profile', 'email'],
  })
  const { body: found } = await app.get('/v1/oidc/.well-known/openid-configuration')
  // The plugin sends its parameters in this order, form-encoded, and a nonce of 40 characters.
  const [nonce, verifier] = ['n'.repeat(40), 'v'.repeat(96)]
  const parameters = new URLSearchParams({
    client_id: panel.clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    response_type: 'code',
    state: 's'.repeat(40),
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const browser = new Browser(app)
  await browser.open(`${found.authorization_endpoint}?${parameters}`)
  await browser.submit('/login', { email: ada.email, password: PASSWORD })
  await browser.submit('/consent')
  assert.equal(browser.returned.get('state'), 's'.repeat(40))
  const answer = await fetch(found.token_endpoint, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: panel.clientId,
      client_secret: panel.clientSecret ?? '',
      code: browser.returned.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  const { id_token = '', expires_in } = (await answer.json()) as Record<string, string>
  assert.ok(expires_in)
  // It reads the middle part, without a look at the signature.
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString())
  assert.deepEqual(
    [claims.nonce, claims.sub, claims.email, claims.name],
    [nonce, ada.userId, ada.email, 'Ada Lovelace'],
  )
})

test('V60: without a confirmed address nobody signs in to a client that demands one', async () => {
  const eve = await member(app, { verified: false })
  const browser = new Browser(app)
  const { url, verifier, state, nonce } = await authorization(forum, { scope: 'openid email' })
  await browser.open(url)
  const page = await browser.submit('/login', { email: eve.email, password: PASSWORD })
  assert.match(page.text, /Forum accepts confirmed e-mail addresses only/)
  const again = await browser.submit('/continue')
  assert.match(again.text, /Forum accepts confirmed e-mail addresses only/)
  const sent = await browser.submit('/confirm')
  assert.match(sent.text, /We have sent a link to your mailbox/)
  const silent = new Browser(app)
  await silent.open((await authorization(forum, { scope: 'openid', prompt: 'none' })).url)
  assert.equal(silent.returned.get('error'), 'login_required')
  const token = await links.newest(app, 'verify', eve.email)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
  await browser.submit('/continue')
  await browser.submit('/consent')
  const tokens = await openid.authorizationCodeGrant(forum, new URL(browser.location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  })
  assert.deepEqual([tokens.claims()?.sub, tokens.claims()?.email_verified], [eve.userId, true])
})

test('V60: somebody who is signed in already is asked to confirm their address too', async () => {
  const eve = await member(app, { verified: false })
  const browser = new Browser(app)
  const open = await relyingParty(app, await register(admin, { requireVerifiedEmail: false }))
  await signInFor(open, browser, eve.email, { scope: 'openid', prompt: 'login' })
  const page = await browser.open((await authorization(forum, { scope: 'openid' })).url)
  assert.match(page.text, /Confirm your e-mail address/)
  await browser.open((await authorization(forum, { scope: 'openid', prompt: 'none' })).url)
  assert.equal(browser.returned.get('error'), 'interaction_required')
})

test('a scope that an application was not registered for is refused', async () => {
  const narrow = await relyingParty(app, await register(admin, { scopes: ['openid'] }))
  const { url } = await authorization(narrow, { scope: 'openid services' })
  const browser = new Browser(app)
  await browser.open(url)
  assert.equal(browser.returned.get('error'), 'invalid_scope')
})

test('a public application signs people in without a secret', async () => {
  const spa = await relyingParty(app, await register(admin, { type: 'public' }))
  const ada = await member(app)
  const tokens = await signInFor(spa, new Browser(app), ada.email)
  assert.equal(tokens.claims()?.sub, ada.userId)
  const next = await openid.refreshTokenGrant(spa, tokens.refresh_token ?? '')
  assert.notEqual(next.refresh_token, tokens.refresh_token)
})

test('who is signed in is asked for consent only, and without anything new for nothing', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const plain = { scope: 'openid email', prompt: 'login' }
  await signInFor(forum, browser, ada.email, plain)
  const again = await authorization(forum, { scope: 'openid email', prompt: 'none' })
  await browser.open(again.url)
  assert.ok(browser.returned.get('code'), browser.location)
  const more = await authorization(forum, { scope: 'openid profile', prompt: 'none' })
  await browser.open(more.url)
  assert.equal(browser.returned.get('error'), 'consent_required')
})

test('a refresh token is replaced each time, and one that comes back ends them all (hardening 17)', async () => {
  const ada = await member(app)
  const first = await signInFor(forum, new Browser(app), ada.email)
  const second = await openid.refreshTokenGrant(forum, first.refresh_token ?? '')
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal(await opens(second.access_token), true)
  await assert.rejects(
    openid.refreshTokenGrant(forum, first.refresh_token ?? ''),
    refusedWith('invalid_grant'),
  )
  for (const { access_token } of [first, second]) assert.equal(await opens(access_token), false)
  await assert.rejects(
    openid.refreshTokenGrant(forum, second.refresh_token ?? ''),
    refusedWith('invalid_grant'),
  )
})

test('a refresh token that comes back is told to its person, once, with the name of the application (hardening 17)', async () => {
  const ada = await member(app)
  await ada.patch('/v1/users/me', { locale: 'fr' })
  const { refresh_token: stolen = '' } = await signInFor(forum, new Browser(app), ada.email)
  await openid.refreshTokenGrant(forum, stolen)
  for (const _ of [1, 2]) {
    await assert.rejects(openid.refreshTokenGrant(forum, stolen), refusedWith('invalid_grant'))
  }
  const mails = await until('a mail', async () => {
    const { body } = await admin.get('/v1/admin/mails?limit=100')
    const mine = (body.data as { kind: string; recipient: string; subject: string }[]).filter(
      ({ kind, recipient }) => kind === 'application_stolen' && recipient === ada.email,
    )
    return mine.length > 0 && mine
  })
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Nous avons mis fin à votre connexion à Forum'],
  )
  const { data: notices } = (await ada.get('/v1/notifications')).body
  assert.equal(notices[0].kind, 'application_stolen')
  await app.eventually('it stands in the log and in the timeline', async () => {
    const { body } = await admin.get(`/v1/admin/users/${ada.userId}/timeline`)
    const happened = body.data.map((it: Record<string, string>) => `${it.kind} ${it.detail}`)
    return (
      happened.includes('audit.request POST /v1/oidc/token 400') &&
      happened.includes('notifications.told Nous avons mis fin à votre connexion à Forum')
    )
  })
})

test('a refresh token outlives the browser, and ends thirty days after its last use', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const { refresh_token } = await signInFor(forum, browser, ada.email)
  const day = 24 * 3600
  await app.advance(29 * day)
  const next = await openid.refreshTokenGrant(forum, refresh_token ?? '')
  await app.advance(30 * day)
  await assert.rejects(
    openid.refreshTokenGrant(forum, next.refresh_token ?? ''),
    refusedWith('invalid_grant'),
  )
})

test('introspection tells an application of its own tokens only', async () => {
  const ada = await member(app)
  const { access_token, refresh_token } = await signInFor(forum, new Browser(app), ada.email)
  const seen = await openid.tokenIntrospection(forum, access_token)
  assert.equal(seen.active, true)
  assert.deepEqual([seen.sub, seen.client_id], [ada.userId, client.clientId])
  assert.equal((await openid.tokenIntrospection(forum, refresh_token ?? '')).active, true)
  const other = await relyingParty(app, await register(admin))
  assert.deepEqual(await openid.tokenIntrospection(other, access_token), { active: false })
  assert.deepEqual(await openid.tokenIntrospection(forum, 'unknown'), { active: false })
})

test('a revoked refresh token ends with its access tokens, by whose application it is', async () => {
  const ada = await member(app)
  const { access_token, refresh_token } = await signInFor(forum, new Browser(app), ada.email)
  const other = await relyingParty(app, await register(admin))
  await openid.tokenRevocation(other, refresh_token ?? '')
  assert.equal(await opens(access_token), true)
  await openid.tokenRevocation(forum, refresh_token ?? '')
  assert.equal(await opens(access_token), false)
  await assert.rejects(
    openid.refreshTokenGrant(forum, refresh_token ?? ''),
    refusedWith('invalid_grant'),
  )
})

test('a logout asks, ends the session, and leads back to a registered address', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const tokens = await signInFor(forum, browser, ada.email, { scope: 'openid' })
  const url = openid.buildEndSessionUrl(forum, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: AFTER_LOGOUT,
    state: 'kept',
  })
  const page = await browser.open(url.href)
  assert.match(page.text, /Do you want to sign out of Moorage\?/)
  assert.equal(await opens(tokens.access_token), true)
  await browser.submit('/logout/confirm', { logout: 'yes' })
  assert.equal(browser.location, `${AFTER_LOGOUT}?state=kept`)
  assert.equal(await opens(tokens.access_token), false)
  const again = await authorization(forum, { scope: 'openid', prompt: 'none' })
  await browser.open(again.url)
  assert.equal(browser.returned.get('error'), 'login_required')
})

test('a logout of nobody is a page with a button, and ends at ours', async () => {
  const browser = new Browser(app)
  const page = await browser.open(`${issuer}/logout`)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /<script src/)
  await browser.submit('/logout/confirm', { logout: 'yes' })
  assert.equal(browser.location, `${issuer}/logout/success`)
  assert.match(browser.answer?.text ?? '', /You are signed out/)
})

test('somebody else signs in, in the place of who was signed in before', async () => {
  const [ada, eve] = [await member(app), await member(app)]
  const browser = new Browser(app)
  await signInFor(forum, browser, ada.email, { scope: 'openid' })
  const { url, verifier, state, nonce } = await authorization(forum, {
    scope: 'openid',
    prompt: 'login',
  })
  await browser.open(url)
  await browser.submit('/login', { email: eve.email, password: PASSWORD })
  assert.match(browser.answer?.text ?? '', /You were signed in with another account/)
  await browser.submit('/logout/confirm', { logout: 'yes' })
  await browser.submit('/consent')
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  const back = new URL(browser.location)
  const tokens = await openid.authorizationCodeGrant(forum, back, checks)
  assert.equal(tokens.claims()?.sub, eve.userId)
})

test('who does not agree goes back with access_denied, before the sign-in and after it', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const { url, state } = await authorization(forum)
  await browser.open(url)
  await browser.submit('/cancel')
  assert.deepEqual(
    [browser.returned.get('error'), browser.returned.get('state')],
    ['access_denied', state],
  )
  await browser.open((await authorization(forum)).url)
  await browser.submit('/login', { email: ada.email, password: PASSWORD })
  await browser.submit('/cancel')
  assert.equal(browser.returned.get('error'), 'access_denied')
})

test('during the overlap of a rotation both secrets hold, then only the new one (hardening 21)', async () => {
  const registered = await register(admin, { secretOverlapSeconds: 3600 })
  const before = await relyingParty(app, registered)
  const ada = await member(app)
  const tokens = await signInFor(before, new Browser(app), ada.email)
  const path = `/v1/admin/oauth-clients/${registered.clientId}/rotate-secret`
  const after = await relyingParty(app, (await admin.post(path)).body)
  const second = await openid.refreshTokenGrant(before, tokens.refresh_token ?? '')
  const third = await openid.refreshTokenGrant(after, second.refresh_token ?? '')
  await app.advance(3600)
  await assert.rejects(
    openid.refreshTokenGrant(before, third.refresh_token ?? ''),
    refusedWith('invalid_client'),
  )
  await openid.refreshTokenGrant(after, third.refresh_token ?? '')
})

test('without an overlap the old secret is refused at once (hardening 21)', async () => {
  const registered = await register(admin)
  const before = await relyingParty(app, registered)
  const { access_token } = await signInFor(before, new Browser(app), (await member(app)).email)
  const path = `/v1/admin/oauth-clients/${registered.clientId}/rotate-secret`
  const after = await relyingParty(app, (await admin.post(path)).body)
  const introspect = (by: openid.Configuration) => openid.tokenIntrospection(by, access_token)
  await assert.rejects(introspect(before), refusedWith('invalid_client'))
  assert.equal((await introspect(after)).active, true)
})

test('a deleted application signs nobody in, and its tokens are gone', async () => {
  const registered = await register(admin)
  const gone = await relyingParty(app, registered)
  const { access_token } = await signInFor(gone, new Browser(app), (await member(app)).email)
  await admin.delete(`/v1/admin/oauth-clients/${registered.clientId}`)
  assert.equal(await opens(access_token), false)
  const page = await new Browser(app).open((await authorization(gone)).url)
  assert.equal(page.status, 400)
})

test('a rotated key is published before it signs, and what the old one signed still counts', async () => {
  const day = 24 * 3600
  const kids = async () =>
    (await app.get('/v1/oidc/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
  const ada = await member(app)
  const signedBy = async () => {
    const browser = new Browser(app)
    const { id_token = '' } = await signInFor(forum, browser, ada.email, { scope: 'openid' })
    const [header = ''] = id_token.split('.')
    return { kid: JSON.parse(Buffer.from(header, 'base64url').toString()).kid, id_token, browser }
  }
  const [first] = await kids()
  const old = await signedBy()
  assert.equal(old.kid, first)
  await app.advance(90 * day)
  const second = await until('another key is published', async () => (await kids())[1])
  assert.equal((await signedBy()).kid, first)
  await app.advance(day)
  assert.equal((await signedBy()).kid, second)
  assert.deepEqual(await kids(), [second, first])
  const logout = openid.buildEndSessionUrl(forum, { id_token_hint: old.id_token })
  assert.equal((await old.browser.open(logout.href)).status, 200)
  const { text } = await app.get('/v1/oidc/jwks')
  assert.doesNotMatch(text, /"(d|p|q|dp|dq|qi)":/)
})

test('no private key and no secret of a sign-in stands in the database', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const { url, verifier, state, nonce } = await authorization(forum)
  const back = await allow(browser, url, ada.email)
  const tokens = await openid.authorizationCodeGrant(forum, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  })
  const secrets = [
    ...[back.searchParams.get('code'), tokens.access_token, tokens.refresh_token, PASSWORD],
    ...browser.cookieValues(),
  ].filter((it) => typeof it === 'string' && it !== '')
  assert.ok(secrets.length >= 5, 'the secrets are known')
  for (const table of ['artifacts', 'grants', 'sign_ins', 'signing_keys']) {
    const { rows } = await app.deps.database.execute(
      `select from oidc.${table} as it where it::text like any ($1) or it::text like '%"d":%'`,
      [secrets.map((secret) => `%${secret}%`)],
    )
    assert.equal(rows.length, 0, `${table} holds a secret`)
  }
})

test('what has ended is forgotten', async () => {
  const ada = await member(app)
  await signInFor(forum, new Browser(app), ada.email)
  const count = async (table: string) => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from oidc.${table} where user_id = $1`,
      [ada.userId],
    )
    return rows[0]?.count
  }
  assert.equal(await count('grants'), 1)
  await app.advance(400 * 24 * 3600)
  for (const table of ['artifacts', 'grants', 'sign_ins']) {
    await until(`${table} is empty`, async () => (await count(table)) === 0)
  }
})
