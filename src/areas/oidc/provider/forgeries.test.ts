import assert from 'node:assert/strict'
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { Browser, member, register, relyingParty, signInFor } from '#test/relying-party.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const app = await testApp(null, { config: { port, publicUrl: origin } })
const forum = await relyingParty(app, await register(await person(app, { admin: true })))

/** What is public of the key that signs, in every form in which it could be taken for a secret. */
function formsOf(jwk: JsonWebKey, jwks: string): [string, string | Buffer][] {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return [
    ['as PEM', key.export({ type: 'spki', format: 'pem' })],
    [
      'as PEM without its last line break',
      String(key.export({ type: 'spki', format: 'pem' })).trim(),
    ],
    ['as DER', key.export({ type: 'spki', format: 'der' })],
    ['as JWK', JSON.stringify(jwk)],
    ['as the text of the key set', jwks],
    ['as the bytes of its point or modulus', Buffer.from(jwk.x ?? jwk.n ?? '', 'base64url')],
    ['as its point or modulus in base64', jwk.x ?? jwk.n ?? ''],
  ]
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

test('token confusion: no token signed with what is public of a key counts anywhere (hardening 12)', async () => {
  const ada = await member(app)
  const { id_token: idToken = '' } = await signInFor(forum, new Browser(app), ada.email)
  const [idClaims = ''] = idToken.split('.').slice(1)
  const seconds = Math.floor(Date.parse(app.deps.clock.now()) / 1000)
  const session = {
    iss: origin,
    aud: `tenant:${app.tenantId}`,
    sub: ada.userId,
    sid: ada.sessionId,
  }
  const claims = [idClaims, encode({ ...session, iat: seconds, exp: seconds + 900 })]
  const { text, body } = await app.get('/v1/oidc/jwks')
  const [ownKid] = app.deps.secrets.keysFor('session').map(({ id }) => id)
  const forged: [string, string][] = []
  for (const part of claims) {
    for (const kid of [body.keys[0].kid, ownKid, undefined]) {
      forged.push(['no algorithm', `${encode({ alg: 'none', typ: 'JWT', kid })}.${part}.`])
      const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${part}`
      for (const [what, secret] of formsOf(body.keys[0], text)) {
        const signature = createHmac('sha256', secret).update(signed).digest('base64url')
        forged.push([`the public key ${what}`, `${signed}.${signature}`])
      }
    }
  }
  assert.equal(forged.length, 48)
  for (const [what, token] of forged) {
    assert.equal((await app.as(token).get('/v1/users/me')).status, 401, what)
    assert.equal((await app.as(token).get('/v1/oidc/userinfo')).status, 401, what)
    assert.equal((await app.get(`/v1/oidc/logout?id_token_hint=${token}`)).status, 400, what)
  }
})

test('CSRF: every write of the pages with a cookie refuses what another site sends (hardening 22)', async () => {
  const writes = app.routes.filter(
    ({ method, url, config }) =>
      method !== 'GET' && method !== 'HEAD' && config.hidden && url.startsWith('/v1/oidc/'),
  )
  const urls = writes.map(({ url }) => url)
  for (const page of ['login', 'code', 'passkey', 'consent', 'cancel']) {
    assert.ok(urls.includes(`/v1/oidc/interaction/:uid/${page}`), page)
  }
  assert.ok(urls.includes('/v1/oidc/logout/confirm'))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const { method, url } of writes) {
    const path = url.replace(':uid', 'a-sign-in-of-somebody')
    const send = (headers: Record<string, string>) =>
      app.request(method, path, undefined, { raw: 'a=b', headers: { ...form, ...headers } })
    for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const { status, text } = await send({ origin: foreign })
      assert.equal(status, 403, `${url} from ${foreign}: ${text}`)
    }
    assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status, 403, url)
    assert.notEqual((await send({ origin })).status, 403, url)
  }
})
