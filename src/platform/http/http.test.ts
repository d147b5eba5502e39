import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'

const app = await testApp(null)

const RATE_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-limit-auth',
  'x-ratelimit-remaining-auth',
]

test('an unknown path is a 404 in the error shape, with all headers', async () => {
  const { status, body, headers } = await app.get('/v1/nowhere')
  assert.equal(status, 404)
  assert.deepEqual(body, {
    statusCode: 404,
    error: 'Not Found',
    message: 'Route not found.',
    code: 'not_found',
  })
  for (const name of RATE_HEADERS) assert.match(String(headers[name]), /^\d+$/)
  assert.ok(headers['x-request-id'])
})

test('an unknown path under admin is a 401 without a credential, whatever the body', async () => {
  const { status } = await app.post('/v1/admin/nowhere', undefined, { raw: '{' })
  assert.equal(status, 401)
})
