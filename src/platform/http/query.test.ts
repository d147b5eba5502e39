import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

test('every operation refuses a query parameter that it does not declare, and names it', async () => {
  const reads = app.routes.filter(
    ({ method, config }) =>
      method === 'GET' && !config.hidden && !config.openQuery && config.access !== 'daemon',
  )
  assert.ok(reads.length > 100)
  let tried = 0
  for (const { url, config } of reads) {
    if (config.access === 'bot') continue
    const path = url.replace(/:\w+/g, newId())
    const { status, body } = await admin.get(`${path}?noSuchFilter=1`)
    // What does not exist for the caller is a 404 first.
    if (status === 404) continue
    assert.deepEqual([status, body.code], [400, 'unknown_parameter'], url)
    assert.equal(body.details[0].path, 'noSuchFilter', url)
    tried += 1
  }
  assert.ok(tried > 100, `${tried} tried`)
})

test('a misspelt parameter is answered with the names that are near', async () => {
  const { body } = await admin.get('/v1/admin/users?serach=x&Limit=5')
  assert.deepEqual(body.details, [
    { path: 'serach', message: 'is not a known parameter; did you mean search?' },
    { path: 'Limit', message: 'is not a known parameter; did you mean limit?' },
  ])
})

test('addresses to which others add parameters of their own take them', async () => {
  const back = await app.get(`/v1/billing/return/${newId()}?session_id=cs_1&utm_source=x`)
  assert.equal(back.status, 404)
  const found = await app.get('/v1/oidc/.well-known/openid-configuration?x=1')
  assert.equal(found.status, 200)
})

test('a number in a query is written with digits only', async () => {
  for (const limit of ['%2B5', '0x10', '1e1', '5.0', '']) {
    const { status } = await admin.get(`/v1/admin/users?limit=${limit}`)
    assert.equal(status, 400, limit)
  }
  assert.equal((await admin.get('/v1/admin/users?limit=5')).status, 200)
})

test('a path that knows other methods says which', async () => {
  const { status, headers, body } = await app.request('PUT', '/v1/store/products')
  assert.deepEqual([status, body.code, headers.allow], [405, 'method_not_allowed', 'GET, HEAD'])
  const id = newId()
  assert.equal(
    (await admin.request('PUT', `/v1/admin/users/${id}`)).headers.allow,
    'GET, HEAD, PATCH',
  )
  assert.equal((await app.request('PUT', `/v1/admin/users/${id}`)).status, 401)
  assert.equal((await app.request('PUT', '/v1/nothing')).status, 404)
})

test('an id is accepted in upper case', async () => {
  const { status, body } = await admin.get(`/v1/admin/users/${admin.userId.toUpperCase()}`)
  assert.deepEqual([status, body.id], [200, admin.userId])
})

test('a cursor is refused by another list, and by its own with other filters or order', async () => {
  for (const name of ['a', 'b', 'c']) await admin.post('/v1/admin/categories', { name })
  const url = '/v1/admin/users?limit=1'
  await Promise.all([person(app), person(app)])
  const { nextCursor } = (await admin.get(url)).body
  assert.ok(nextCursor)
  const others = [
    '/v1/admin/categories?limit=1',
    `${url}&sort=oldest`,
    `${url}&status=active`,
    `/v1/admin/users/${admin.userId}/timeline?limit=1`,
  ]
  for (const other of others) {
    const { status, body } = await admin.get(`${other}&cursor=${nextCursor}`)
    assert.deepEqual([status, body.code], [400, 'invalid_cursor'], other)
  }
  const next = await admin.get(`/v1/admin/users?count=true&cursor=${nextCursor}&limit=2`)
  assert.deepEqual([next.status, next.body.data.length], [200, 2])
})

test('a cursor counts for one object of a kind only', async () => {
  const url = (id: string) => `/v1/admin/users/${id}/timeline?limit=1`
  const ada = await person(app)
  await ada.patch('/v1/users/me', { name: 'Ada' })
  const first = await admin.get(url(ada.userId))
  assert.ok(first.body.nextCursor)
  const own = await admin.get(`${url(ada.userId)}&cursor=${first.body.nextCursor}`)
  const other = await admin.get(`${url(admin.userId)}&cursor=${first.body.nextCursor}`)
  assert.deepEqual([own.status, other.status], [200, 400])
})

test('a repetition whose first request still runs says when to come again', async () => {
  const key = newId()
  const { tenantId, userId: callerId } = admin
  const now = app.deps.clock.now()
  const same = () =>
    admin.post('/v1/notifications/read-all', {}, { headers: { 'idempotency-key': key } })
  assert.equal((await same()).status, 200)
  await app.deps.database.execute(
    `update platform.idempotency_keys set status_code = null, body = null, effect_at = null,
       locked_until = $4 where tenant_id = $1 and caller_id = $2 and key = $3`,
    [tenantId, callerId, key, new Date(Date.parse(now) + 60_000).toISOString()],
  )
  const { status, body, headers } = await same()
  assert.deepEqual([status, body.code, headers['retry-after']], [409, 'in_progress', '1'])
})
