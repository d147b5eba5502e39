import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { testApp } from '#test/app.ts'
import { apiKey, type Person, person } from '#test/people.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
const [generation] = app.deps.secrets.keysFor('session')
if (!generation) throw new Error('No key')
const { id: kid, key } = generation

function claimsOf({ userId, sessionId, tenantId }: Person) {
  const seconds = Math.floor(Date.now() / 1000)
  return {
    ...{ iss: 'http://shop.test', aud: `tenant:${tenantId}`, sub: userId, sid: sessionId },
    ...{ iat: seconds, exp: seconds + 900 },
  }
}

function signed(claims: object, header: Record<string, unknown> = {}): string {
  const all = { alg: 'HS256', typ: 'JWT', kid, ...header }
  const text = [all, claims].map((it) => Buffer.from(JSON.stringify(it)).toString('base64url'))
  const signature = createHmac('sha256', key).update(text.join('.')).digest('base64url')
  return `${text.join('.')}.${signature}`
}

const ada = await person(app)
const right = claimsOf(ada)
const soon = Math.floor(Date.now() / 1000) + 600

test('a token made by hand with the right key, header and claims is the measure: it counts', async () => {
  const token = signed(right)
  assert.equal(token.split('.')[0], ada.token.split('.')[0])
  assert.equal((await app.as(token).get(ME)).status, 200)
})

const FORGED = [
  ['no algorithm', `${signed(right, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
  ['an algorithm of none and a signature', signed(right, { alg: 'none' })],
  ['a path as its key id', signed(right, { kid: '../../dev/null' })],
  ['a key of its own in the header', signed(right, { jwk: { kty: 'oct', k: 'AA' } })],
  ['a place to fetch keys from', signed(right, { jku: 'https://evil.test/keys' })],
  ['another audience', signed({ ...right, aud: 'tenant:other' })],
  ['another issuer', signed({ ...right, iss: 'https://evil.test' })],
  ['no session, like an ID token', signed({ ...right, sid: undefined })],
  ['an end in the past', signed({ ...right, exp: right.iat - 1 })],
  ['a start in the future', signed({ ...right, nbf: soon })],
  ['no end', signed({ ...right, exp: undefined })],
  ['a changed signature', `${ada.token.slice(0, -2)}${ada.token.endsWith('AA') ? 'BB' : 'AA'}`],
  ['another key', createSigner({ algorithm: 'HS256', key: Buffer.alloc(32), kid })(right)],
] as const

for (const [what, token] of FORGED) {
  test(`a token with ${what} is a 401 (hardening 12)`, async () => {
    assert.equal((await app.as(token).get(ME)).status, 401)
  })
}

test('a token counts in the Authorization header only (hardening 13)', async () => {
  assert.equal((await app.get(`${ME}?access_token=${ada.token}`)).status, 401)
  const basic = { headers: { authorization: `Basic ${ada.token}` } }
  assert.equal((await app.get(ME, basic)).status, 401)
})

test('sessions are listed with the one that asks, and end at once when they are ended', async () => {
  const eve = await person(app)
  const { data } = (await eve.get(`${ME}/sessions`)).body
  assert.equal(data.length, 1)
  assert.equal(data[0].id, eve.sessionId)
  assert.equal(data[0].current, true)
  const ended = await eve.delete(`${ME}/sessions/${eve.sessionId}`)
  assert.deepEqual(ended.body, { id: eve.sessionId, deleted: true })
  assert.equal((await eve.get(ME)).status, 401)
})

test("somebody else's session cannot be ended", async () => {
  const eve = await person(app)
  const victim = await person(app)
  assert.equal((await eve.delete(`${ME}/sessions/${victim.sessionId}`)).status, 404)
  assert.equal((await victim.get(ME)).status, 200)
})

test('a changed password ends every session and key, and answers a new session (hardening 18)', async () => {
  const { body } = await app.post('/v1/auth/register', {
    ...{ email: 'kay@example.org', password: 'correct horse battery', name: 'Kay' },
  })
  const kay = app.as(body.accessToken)
  const owner = { tenantId: app.tenantId, userId: body.user.id }
  const phone = await apiKey(app, owner, { permission: 'read' })
  const other = await app.post('/v1/auth/login', {
    ...{ email: 'kay@example.org', password: 'correct horse battery' },
  })
  const laptop = app.as(other.body.accessToken)
  for (const client of [kay, phone, laptop]) assert.equal((await client.get(ME)).status, 200)
  const wrong = { currentPassword: 'not it', newPassword: 'another horse battery' }
  assert.equal((await kay.post(`${ME}/password`, wrong)).status, 403)
  const change = await kay.post(`${ME}/password`, {
    ...{ currentPassword: 'correct horse battery', newPassword: 'another horse battery' },
  })
  assert.equal(change.status, 200)
  for (const client of [kay, phone, laptop]) assert.equal((await client.get(ME)).status, 401)
  assert.equal((await app.as(change.body.accessToken).get(ME)).status, 200)
})
