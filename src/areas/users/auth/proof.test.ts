import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, enrolTotp, PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { authenticator } from '#test/authenticator.ts'
import type { Answer, Client } from '#test/client.ts'
import { apiKey } from '#test/people.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
let moves = 0

type Proof = { currentPassword?: string; code?: string }

/** What changes how a person signs in, as a read-write key asks for it. */
const CHANGES: Record<string, (by: Client, proof: Proof) => Promise<Answer>> = {
  'another address': (by, proof) => {
    moves += 1
    return by.patch(ME, { email: `moved${moves}@example.org`, ...proof })
  },
  'a passkey': (by, proof) => by.post(`${ME}/passkeys/options`, proof),
  'a new password': (by, { currentPassword = 'none', code }) =>
    by.post(`${ME}/password`, {
      ...{ currentPassword, newPassword: 'another horse battery' },
      ...(code && { code }),
    }),
  'the end of the account': (by, { currentPassword: password = 'none', code }) =>
    by.delete(ME, { password, ...(code && { code }) }),
}

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a read-write key asks for ${what} with the password`, async () => {
    const ada = await account(app)
    const key = await apiKey(app, { ...ada, tenantId: app.tenantId }, { permission: 'read-write' })
    for (const proof of [{}, { currentPassword: 'wrong' }]) {
      const refused = await change(key, proof)
      assert.deepEqual([refused.status, refused.body.code], [403, 'password_required'])
    }
    const answer = await change(key, { currentPassword: PASSWORD })
    assert.equal(answer.status, 200, answer.text)
  })

  test(`a read-write key asks for ${what} with the second factor where one is set`, async () => {
    const ada = await account(app)
    const { recoveryCodes } = await enrolTotp(app, ada.me)
    const key = await apiKey(app, { ...ada, tenantId: app.tenantId }, { permission: 'read-write' })
    const without = await change(key, { currentPassword: PASSWORD })
    assert.deepEqual([without.status, without.body.code], [403, 'second_factor_required'])
    const wrong = await change(key, { currentPassword: PASSWORD, code: '000000' })
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'code_wrong'])
    const alone = await change(key, { code: recoveryCodes[0] ?? '' })
    assert.deepEqual([alone.status, alone.body.code], [403, 'password_required'])
    const right = await change(key, { currentPassword: PASSWORD, code: recoveryCodes[0] ?? '' })
    assert.equal(right.status, 200, right.text)
  })
}

test('a key enrols an authenticator app and a passkey, and turns codes off again', async () => {
  const ada = await account(app)
  const key = await apiKey(app, { ...ada, tenantId: app.tenantId }, { permission: 'read-write' })
  const options = await key.post(`${ME}/passkeys/options`, { currentPassword: PASSWORD })
  const response = authenticator('http://shop.test').create(options.body)
  const added = await key.post(`${ME}/passkeys`, { response })
  assert.equal(added.status, 201, added.text)
  const [first, second, third] = added.body.recoveryCodes
  const started = { currentPassword: PASSWORD, code: first }
  assert.equal((await key.post(`${ME}/totp`, started)).status, 200)
  const made = await key.post(`${ME}/recovery-codes`, { currentPassword: PASSWORD, code: second })
  assert.equal(made.status, 201)
  const off = { currentPassword: PASSWORD, code: third }
  assert.equal((await key.delete(`${ME}/totp`, off)).status, 403, 'an old recovery code')
  const now = { currentPassword: PASSWORD, code: made.body.recoveryCodes[0] }
  assert.equal((await key.delete(`${ME}/totp`, now)).status, 200)
})

test('a session that has not shown the second factor shows it in the body', async () => {
  const ada = await account(app)
  const other = app.as((await ada.login()).body.accessToken)
  const { recoveryCodes } = await enrolTotp(app, ada.me)
  const refused = await other.post(`${ME}/passkeys/options`, { currentPassword: PASSWORD })
  assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required'])
  const proof = { currentPassword: PASSWORD, code: recoveryCodes[0] }
  assert.equal((await other.post(`${ME}/passkeys/options`, proof)).status, 200)
})
