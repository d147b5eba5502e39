import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const tenantId = await otherTenant(app, 'other.example')
const other = await person(app, { tenantId, admin: true })

async function nameAt(headers: Record<string, string>, url = app.url): Promise<string> {
  return (await clientFor(url, headers).get('/v1/meta')).body.brand.name
}

test('the host name says whose shop it is; one that is nobody’s is the default shop', async () => {
  assert.equal(await nameAt({ host: 'other.example' }), 'other.example')
  assert.equal(await nameAt({ host: 'OTHER.example:8443' }), 'other.example')
  for (const host of [
    'evil.example',
    'other.example.evil.example',
    '127.0.0.1',
    'a,b',
    '[::1]:80',
  ]) {
    assert.equal(await nameAt({ host }), 'Moorage', host)
  }
})

const FORWARDED = [
  { 'x-forwarded-host': 'other.example' },
  { forwarded: 'host=other.example' },
  { 'x-host': 'other.example', 'x-original-host': 'other.example' },
]

for (const headers of FORWARDED) {
  test(`${Object.keys(headers)} of somebody who is no proxy chooses no shop (hardening 2)`, async () => {
    assert.equal(await nameAt({ host: 'shop.test', ...headers }), 'Moorage')
  })
}

async function behindProxy(t: TestContext, trusted: string) {
  const proxied = await testApp(t, { config: { trustProxy: [trusted] } })
  await otherTenant(proxied, 'other.example')
  return nameAt({ host: 'shop.test', 'x-forwarded-host': 'other.example' }, proxied.url)
}

test('a trusted proxy says which host was asked for, and another address does not (hardening 2)', async (t) => {
  assert.equal(await behindProxy(t, '127.0.0.1'), 'other.example')
  assert.equal(await behindProxy(t, '192.0.2.1'), 'Moorage')
})

test('a tenant in headers, query or body contradicts the host in vain (hardening 2)', async () => {
  const headers = { 'x-tenant-id': app.tenantId, 'x-tenant': app.tenantId }
  const named = await other.get(`/v1/admin/users?tenantId=${app.tenantId}`, { headers })
  assert.deepEqual([named.status, named.body.code], [400, 'unknown_parameter'])
  const list = await other.get('/v1/admin/users', { headers })
  assert.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [other.userId],
  )
  const role = { name: 'Support', permissions: [], tenantId: app.tenantId }
  assert.equal((await other.post('/v1/admin/rbac/roles', role, { headers })).status, 400)
  const path = `/v1/admin/users/${admin.userId}`
  assert.equal((await other.get(path, { headers })).status, 404)
  const foreign = clientFor(app.url, { authorization: `Bearer ${other.token}`, ...headers })
  assert.equal((await foreign.get('/v1/users/me')).status, 401)
})

test('a link in a mail stands under the shop’s own address, whatever host asked for it', async () => {
  const spoofed = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const { email } = await person(app)
  const forgot = await clientFor(app.url, spoofed).post('/v1/auth/password/forgot', { email })
  assert.equal(forgot.status, 202)
  const own = { host: 'other.example', 'x-forwarded-host': 'evil.example' }
  const theirs = await person(app, { tenantId, email: 'ada@example.org' })
  await clientFor(app.url, own).post('/v1/auth/password/forgot', { email: theirs.email })
  for (const [staff, to, origin] of [
    [admin, email, 'http://shop.test/'],
    [other, theirs.email, 'http://other.example/'],
  ] as const) {
    const mail = await until(`the mail to ${to}`, async () => {
      const { body } = await staff.get('/v1/admin/mails')
      return body.data.find((it: { recipient: string }) => it.recipient === to)
    })
    assert.ok(mail.body.includes(`${origin}reset/`), mail.body)
    assert.ok(!mail.body.includes('evil'))
  }
})
