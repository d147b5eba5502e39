import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as openid from 'openid-client'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { Browser, member, register, relyingParty, signInFor } from '#test/relying-party.ts'

const port = await freePort()
const app = await testApp(null, { config: { port, publicUrl: `http://127.0.0.1:${port}` } })
const admin = await person(app, { admin: true })
const registered = await register(admin)
const forum = await relyingParty(app, registered)
const wiki = await relyingParty(app, await register(admin, { name: 'Wiki' }))
const URL = '/v1/users/me/consents'

test('somebody sees what they allow whom, several sign-ins as one', async () => {
  const ada = await member(app)
  assert.deepEqual((await ada.get(URL)).body, { data: [], nextCursor: null })
  await signInFor(forum, new Browser(app), ada.email, { scope: 'openid email' })
  await signInFor(forum, new Browser(app), ada.email, { scope: 'openid profile' })
  await signInFor(wiki, new Browser(app), ada.email, { scope: 'openid' })
  const { data, nextCursor } = (await ada.get(URL)).body
  assert.equal(nextCursor, null)
  const names = data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['Wiki', 'Forum'])
  const { body } = await ada.get(`${URL}/${registered.clientId}`)
  assert.deepEqual(body, data[1])
  assert.equal(body.clientId, registered.clientId)
  assert.deepEqual(body.scopes, ['email', 'openid', 'profile'])
  assert.ok(body.grantedAt < body.expiresAt)
  const first = await ada.get(`${URL}?limit=1`)
  const second = await ada.get(`${URL}?limit=1&cursor=${first.body.nextCursor}`)
  assert.deepEqual([...first.body.data, ...second.body.data], data)
})

test('what is taken back ends at once: tokens, and the sign-in without asking', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  const tokens = await signInFor(forum, browser, ada.email)
  const other = await signInFor(wiki, browser, ada.email)
  const { status, body } = await ada.delete(`${URL}/${registered.clientId}`)
  assert.deepEqual([status, body], [200, { id: registered.clientId, deleted: true }])
  const userinfo = await app.as(tokens.access_token).get('/v1/oidc/userinfo')
  assert.equal(userinfo.status, 401)
  await assert.rejects(openid.refreshTokenGrant(forum, tokens.refresh_token ?? ''))
  await browser.open(
    openid.buildAuthorizationUrl(forum, {
      redirect_uri: 'https://forum.example.org/callback',
      scope: 'openid',
      prompt: 'none',
      code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    }).href,
  )
  assert.equal(browser.returned.get('error'), 'consent_required')
  assert.equal((await ada.delete(`${URL}/${registered.clientId}`)).status, 404)
  assert.equal((await ada.get(`${URL}/${registered.clientId}`)).status, 404)
  // The other application keeps what it has.
  await openid.refreshTokenGrant(wiki, other.refresh_token ?? '')
})

test("nobody sees or takes back what is somebody else's, or changes it with a key that reads", async () => {
  const ada = await member(app)
  const eve = await member(app)
  const tokens = await signInFor(forum, new Browser(app), ada.email)
  assert.equal((await eve.get(`${URL}/${registered.clientId}`)).status, 404)
  assert.equal((await eve.delete(`${URL}/${registered.clientId}`)).status, 404)
  assert.deepEqual((await eve.get(URL)).body.data, [])
  const reader = await apiKey(app, ada, { permission: 'read' })
  assert.equal((await reader.delete(`${URL}/${registered.clientId}`)).status, 403)
  assert.equal((await app.get(URL)).status, 401)
  await openid.refreshTokenGrant(forum, tokens.refresh_token ?? '')
})

test('the export of the own data names the applications, and holds no token', async () => {
  const ada = await member(app)
  const tokens = await signInFor(forum, new Browser(app), ada.email)
  const { status, text, body } = await ada.get('/v1/billing/export-data')
  assert.equal(status, 200)
  const [application] = body.data.oidc.applications
  assert.equal(application.name, 'Forum')
  assert.deepEqual(application.scopes.toSorted(), [
    ...['email', 'offline_access', 'openid', 'profile', 'services'],
  ])
  for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
    assert.ok(!text.includes(token))
  }
})
