import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFor } from '#test/client.ts'
import { person } from '#test/people.ts'
import { world } from '#test/world.ts'

const { app, owner, admin } = await world()

for (const { path, permission } of [
  { path: '/v1/admin/tickets?view=all', permission: 'tickets:read' },
  { path: '/v1/admin/orders?sort=newest', permission: 'orders:read' },
  { path: '/v1/admin/services?limit=3', permission: 'services:read' },
  { path: '/v1/admin/services/troubled', permission: 'services:read' },
  { path: '/v1/admin/invoices?limit=3', permission: 'invoices:read' },
]) {
  test(`an unchanged page of ${path} is a 304, which is not in the audit log`, async () => {
    const lea = await person(app, { permissions: [permission] })
    const first = await lea.get(path)
    const tag = String(first.headers.etag)
    assert.match(tag, /^W\/"/)
    const poll = (etag: string) => {
      const headers = { authorization: `Bearer ${lea.token}`, 'if-none-match': etag }
      return clientFor(app.url, headers).get(path)
    }
    for (const same of [await poll(tag), await poll(tag.replace('W/', ''))]) {
      assert.deepEqual([same.status, same.text], [304, ''])
      assert.equal(same.headers.etag, tag)
    }
    for (const other of [await poll('"other"'), await poll('')]) {
      assert.equal(other.status, 200)
    }
    const stranger = await person(app)
    assert.equal((await stranger.get(path)).status, 403)
    const entries = await app.eventually('the reads are in the log', async () => {
      const { body } = await admin.get(`/v1/admin/audit-logs?actorId=${lea.userId}`)
      return body.data.length >= 3 && body.data
    })
    assert.deepEqual(
      entries.map(({ statusCode }: { statusCode: number }) => statusCode),
      [200, 200, 200],
    )
  })
}

test('the page changes with each of its entries', async () => {
  const path = '/v1/admin/tickets?view=all'
  const tag = async () => (await admin.get(path)).headers.etag
  const before = await tag()
  const [ticket] = (await owner.get('/v1/tickets')).body.data
  await owner.post(`/v1/tickets/${ticket.id}/messages`, { body: 'It still lags' })
  const after = await tag()
  assert.notEqual(after, before)
  assert.equal(await tag(), after)
})
