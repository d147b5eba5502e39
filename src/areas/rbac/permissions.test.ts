import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const UNKNOWN = '/v1/admin/nowhere'

test('who holds no permission is refused under admin, whatever the path', async () => {
  const ada = await person(app)
  assert.equal((await ada.get(UNKNOWN)).status, 403)
})

test('who holds any permission learns that a path under admin is unknown', async () => {
  const owner = await person(app, { admin: true })
  const clerk = await person(app, { permissions: ['store:read'] })
  assert.equal((await owner.get(UNKNOWN)).status, 404)
  assert.equal((await clerk.get(UNKNOWN)).status, 404)
})

test('an API key acts as its owner', async () => {
  const owner = await person(app, { admin: true })
  const key = await apiKey(app, owner, { permission: 'read' })
  assert.equal((await key.get(UNKNOWN)).status, 404)
})

test('a token of another tenant is unknown here', async () => {
  const tenantId = await otherTenant(app, 'other.test')
  const stranger = await person(app, { tenantId, admin: true })
  assert.equal((await stranger.get(UNKNOWN)).status, 404)
  assert.equal((await app.as(stranger.token).get(UNKNOWN)).status, 401)
  const key = await apiKey(app, stranger, { permission: 'read' })
  assert.equal((await key.get(UNKNOWN)).status, 404)
  assert.equal((await app.as(key.key).get(UNKNOWN)).status, 401)
})
