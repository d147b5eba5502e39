import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, enrolPasskey, enrolTotp, passkeySignIn } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const app = await testApp(null)
const ADMIN = '/v1/admin/users'
const ORIGIN = 'http://shop.test'

await keepSettings(app, 'security', { staffSecondFactor: true })

test('staff without a second factor is refused everywhere in the administration until there is one', async () => {
  const admin = await person(app, { admin: true })
  const key = await apiKey(app, admin, { permission: 'read-write' })
  for (const client of [admin, key]) {
    for (const path of [ADMIN, '/v1/admin/rbac/roles', '/v1/admin/nothing-here']) {
      const { status, body } = await client.get(path)
      assert.equal(status, 403)
      assert.equal(body.code, 'second_factor_required')
    }
  }
  assert.equal((await admin.get('/v1/users/me')).status, 200)
  await enrolTotp(app, admin)
  assert.equal((await admin.get(ADMIN)).status, 200)
  assert.equal((await key.get(ADMIN)).status, 200)
})

test('a passkey is a second factor for staff too, and without the last one the doors close again', async () => {
  const admin = await person(app, { admin: true })
  const { id, device } = await enrolPasskey(admin, ORIGIN)
  assert.equal((await admin.get(ADMIN)).status, 200)
  const { body } = await passkeySignIn(app, device)
  assert.equal((await app.as(body.accessToken).get(ADMIN)).status, 200)
  assert.equal((await admin.delete(`/v1/users/me/passkeys/${id}`)).status, 200)
  assert.equal((await admin.get(ADMIN)).status, 403)
})

test('a session that never showed the second factor stays out, whatever another one has shown', async () => {
  const admin = await person(app, { admin: true })
  await enrolTotp(app, admin)
  const { rows } = await app.deps.database.execute(
    'update users.sessions set second_factor_at = null where id = $1 returning id',
    [admin.sessionId],
  )
  assert.equal(rows.length, 1)
  const { status, body } = await admin.get(ADMIN)
  assert.equal(status, 403)
  assert.equal(body.code, 'second_factor_required')
})

test('the refreshed session and the one after a changed password have shown what the first one did', async () => {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  await app.advance(30)
  const { mfaToken } = (await ada.login()).body
  const signedIn = await app.post('/v1/auth/login/mfa', { mfaToken, code: totp.code() })
  const { refreshToken } = signedIn.body
  const refreshed = await app.post('/v1/auth/refresh', { refreshToken })
  const me = app.as(refreshed.body.accessToken)
  const change = { currentPassword: 'correct horse battery', newPassword: 'another horse battery' }
  const changed = await me.post('/v1/users/me/password', change)
  const after = app.as(changed.body.accessToken)
  assert.equal((await after.post('/v1/users/me/recovery-codes', {})).status, 201)
})

test('customers hear nothing of it, and a shop that did not ask for it does not have it', async () => {
  const customer = await person(app)
  const { status, body } = await customer.get(ADMIN)
  assert.equal(status, 403)
  assert.notEqual(body.code, 'second_factor_required')
  const tenantId = await otherTenant(app, 'second.test')
  const elsewhere = await person(app, { tenantId, admin: true })
  assert.equal((await elsewhere.get(ADMIN)).status, 200)
})
