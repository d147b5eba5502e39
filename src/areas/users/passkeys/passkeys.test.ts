import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, enrolPasskey, enrolTotp, passkeySignIn } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { authenticator } from '#test/authenticator.ts'
import { clientFor } from '#test/client.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { challengeIn, counterGoesOn } from './rules.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
const ORIGIN = 'http://shop.test'

async function withPasskey() {
  const ada = await person(app)
  return { ...ada, ...(await enrolPasskey(ada, ORIGIN)) }
}

test('a passkey signs its person in by itself, without a name or a password', async () => {
  const ada = await withPasskey()
  const { status, body, text } = await passkeySignIn(app, ada.device)
  assert.equal(status, 200, text)
  assert.equal(body.user.id, ada.userId)
  assert.equal((await app.as(body.accessToken).get(ME)).status, 200)
  const { data } = (await ada.get(`${ME}/passkeys`)).body
  assert.deepEqual(Object.keys(data[0]), ['id', 'name', 'backedUp', 'createdAt', 'lastUsedAt'])
  assert.equal(data[0].name, 'Phone')
  assert.notEqual(data[0].lastUsedAt, null)
})

test('a shop tells its visitors how they may sign in', async () => {
  const { body } = await app.get('/v1/meta')
  assert.deepEqual(body.signInMethods, ['password', 'passkey'])
})

test('what a browser is asked for names the shop and the person, and wants no attestation', async () => {
  const ada = await person(app)
  const { body } = await ada.post(`${ME}/passkeys/options`, {})
  assert.deepEqual(body.rp, { id: 'shop.test', name: 'Moorage' })
  assert.equal(body.user.name, ada.email)
  assert.equal(body.attestation, 'none')
  assert.equal(body.authenticatorSelection.residentKey, 'required')
  const alone = await app.post('/v1/auth/passkeys/options', {})
  assert.equal(alone.body.userVerification, 'required')
  assert.equal(alone.body.allowCredentials, undefined)
})

const AT_SIGN_IN = [
  ['a wrong origin', { origin: 'https://shop.test.evil' }],
  ['another scheme', { origin: 'https://shop.test' }],
  ['a wrong rp id', { rpId: 'evil.test' }],
  ['neither a finger nor a PIN', { verified: false }],
] as const

for (const [what, ceremony] of AT_SIGN_IN) {
  test(`a passkey that signed with ${what} does not sign in`, async () => {
    const ada = await withPasskey()
    assert.equal((await passkeySignIn(app, ada.device, ceremony)).status, 401)
    assert.equal((await passkeySignIn(app, ada.device)).status, 200)
  })
}

for (const [what, ceremony] of AT_SIGN_IN.slice(0, 3)) {
  test(`a passkey made with ${what} is refused`, async () => {
    const ada = await person(app)
    const device = authenticator(ORIGIN)
    const { body } = await ada.post(`${ME}/passkeys/options`, {})
    const response = device.create(body, ceremony)
    const { status, body: answer } = await ada.post(`${ME}/passkeys`, { response })
    assert.equal(status, 422)
    assert.equal(answer.code, 'passkey_refused')
    assert.equal((await ada.get(ME)).body.mfaEnabled, false)
  })
}

test('a challenge counts once: what was signed is refused when it comes again', async () => {
  const ada = await withPasskey()
  const { body: options } = await app.post('/v1/auth/passkeys/options', {})
  const response = ada.device.get(options)
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response })).status, 200)
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response })).status, 401)
})

test('a challenge is used up by a wrong answer, and ends after five minutes', async () => {
  const ada = await withPasskey()
  const { body: options } = await app.post('/v1/auth/passkeys/options', {})
  const wrong = ada.device.get(options, { origin: 'https://evil.test' })
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response: wrong })).status, 401)
  const right = ada.device.get(options)
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response: right })).status, 401)
  const { body: late } = await app.post('/v1/auth/passkeys/options', {})
  await app.advance(301)
  const signed = ada.device.get(late)
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response: signed })).status, 401)
})

test('a challenge counts for what it was made for, and for the session that asked', async () => {
  const ada = await withPasskey()
  const eve = await person(app)
  const { body: creation } = await ada.post(`${ME}/passkeys/options`, {})
  const signed = { response: ada.device.get({ ...creation, rpId: 'shop.test' }) }
  assert.equal((await app.post('/v1/auth/passkeys/verify', signed)).status, 401)
  const { body: asked } = await ada.post(`${ME}/passkeys/options`, {})
  const response = authenticator(ORIGIN).create(asked)
  assert.equal((await eve.post(`${ME}/passkeys`, { response })).status, 422)
})

test('a challenge that nobody made signs nobody in', async () => {
  const ada = await withPasskey()
  const made = { challenge: 'A'.repeat(43), rpId: 'shop.test' }
  const response = ada.device.get(made)
  assert.equal((await app.post('/v1/auth/passkeys/verify', { response })).status, 401)
})

test('passkey counter: one that goes back is refused, and its owner is told', async () => {
  const ada = await withPasskey()
  assert.equal((await passkeySignIn(app, ada.device, { counter: 40 })).status, 200)
  for (const counter of [40, 39, 0]) {
    assert.equal((await passkeySignIn(app, ada.device, { counter })).status, 401)
  }
  await until('the notice', async () => {
    const { body } = await ada.get('/v1/notifications')
    return body.data.some(({ kind }: { kind: string }) => kind === 'passkey_copied')
  })
  assert.equal((await passkeySignIn(app, ada.device, { counter: 41 })).status, 200)
})

test('of two answers with one counter at once only one signs in', async () => {
  const ada = await withPasskey()
  const answers = await Promise.all(
    [0, 1].map(() => passkeySignIn(app, ada.device, { counter: 50 })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
})

test("the second step takes a passkey of its person, and nobody else's", async () => {
  const ada = await account(app)
  await enrolTotp(app, ada.me)
  const { device } = await enrolPasskey(ada.me, ORIGIN)
  const eve = await withPasskey()
  const { mfaToken, methods } = (await ada.login()).body
  assert.deepEqual(methods, ['totp', 'passkey', 'recovery_code'])
  assert.equal((await passkeySignIn(app, eve.device, { mfaToken })).status, 401)
  const { status, body } = await passkeySignIn(app, device, { mfaToken, verified: false })
  assert.equal(status, 200)
  assert.equal(body.user.id, ada.userId)
  const again = await app.post('/v1/auth/passkeys/options', { mfaToken })
  assert.equal(again.status, 401)
})

test('what was signed for the second step of one sign-in fits no other, and none by itself', async () => {
  const ada = await account(app)
  const { device } = await enrolPasskey(ada.me, ORIGIN)
  const [one, two] = [(await ada.login()).body.mfaToken, (await ada.login()).body.mfaToken]
  const asked = async () => (await app.post('/v1/auth/passkeys/options', { mfaToken: one })).body
  const other = { mfaToken: two, response: device.get(await asked()) }
  assert.equal((await app.post('/v1/auth/passkeys/verify', other)).status, 401)
  const alone = { response: device.get(await asked()) }
  assert.equal((await app.post('/v1/auth/passkeys/verify', alone)).status, 401)
})

test('who signs in by a passkey alone is named by the device, and is its owner', async () => {
  const ada = await withPasskey()
  const eve = await person(app)
  const { body: options } = await app.post('/v1/auth/passkeys/options', {})
  const signed = ada.device.get(options) as { response: object }
  for (const userHandle of [Buffer.from(eve.userId).toString('base64url'), null]) {
    const response = { ...signed, response: { ...signed.response, userHandle } }
    assert.equal((await app.post('/v1/auth/passkeys/verify', { response })).status, 401)
  }
})

test('a passkey belongs to one person, and to the host name it was made for', async () => {
  const ada = await withPasskey()
  const eve = await person(app)
  const { body: options } = await eve.post(`${ME}/passkeys/options`, {})
  const taken = await eve.post(`${ME}/passkeys`, { response: ada.device.create(options) })
  assert.equal(taken.status, 409)
  const tenantId = await otherTenant(app, 'second.test')
  const grace = await person(app, { tenantId })
  const here = clientFor(app.url, { host: 'second.test' })
  const theirs = await enrolPasskey(grace, 'http://second.test')
  assert.equal((await passkeySignIn(here, theirs.device)).status, 200)
  assert.equal((await passkeySignIn(app, theirs.device)).status, 401)
})

test('host header spoofing: a host that nobody registered is not what a passkey is made for', async () => {
  const ada = await person(app)
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
  const { body } = await ada.request('POST', `${ME}/passkeys/options`, {}, { headers })
  assert.equal(body.rp.id, 'shop.test')
})

test('a removed passkey no longer signs in, and without any the account has no second factor', async () => {
  const ada = await withPasskey()
  const eve = await person(app)
  assert.equal((await eve.delete(`${ME}/passkeys/${ada.id}`)).status, 404)
  const removed = await ada.delete(`${ME}/passkeys/${ada.id}`)
  assert.deepEqual(removed.body, { id: ada.id, deleted: true })
  assert.equal((await passkeySignIn(app, ada.device)).status, 401)
  assert.equal((await ada.get(ME)).body.mfaEnabled, false)
  assert.equal((await ada.delete(`${ME}/passkeys/${ada.id}`)).status, 404)
})

test('an API key sees passkeys, and neither makes nor removes one', async () => {
  const ada = await withPasskey()
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await key.get(`${ME}/passkeys`)).status, 200)
  assert.equal((await key.post(`${ME}/passkeys/options`, {})).status, 403)
  assert.equal((await key.delete(`${ME}/passkeys/${ada.id}`)).status, 403)
})

const COUNTERS = [
  [0, 0, true],
  [0, 1, true],
  [7, 8, true],
  [7, 7, false],
  [7, 6, false],
  [7, 0, false],
] as const

for (const [stored, shown, goesOn] of COUNTERS) {
  test(`a counter ${goesOn ? 'may' : 'may not'} go from ${stored} to ${shown}`, () => {
    assert.equal(counterGoesOn(stored, shown), goesOn)
  })
}

for (const text of ['', 'bm90IGpzb24', 'bnVsbA', 'e30', 'eyJjaGFsbGVuZ2UiOjF9']) {
  test(`"${text}" holds no challenge`, () => {
    assert.equal(challengeIn(text), null)
  })
}
