import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { imported, rowCounts } from '#test/imports.ts'
import { otherTenant } from '#test/people.ts'
import { smallFossbilling } from '#test/small-fossbilling.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'

const app = await testApp(null)

/** The address of a host who has opened two shops: their first account is the same person in both. */
const host = { id: 1, email: 'host@example.com' }

test('a shop of the same host with the same system is another installation: its accounts were created at other times', async () => {
  const first = smallPaymenter({ users: [{ ...host, created_at: '2025-03-01 12:00:07' }] })
  assert.equal((await imported(app, first)).status, 'completed')
  const before = await rowCounts(app)
  const sister = smallPaymenter({
    users: [
      { ...host, created_at: '2025-06-11 09:30:21' },
      { id: 2, email: 'ada@example.com', created_at: '2025-07-01 10:00:00' },
    ],
  })
  for (const dryRun of [true, false]) {
    const { status, fault } = await imported(app, sister, { dryRun })
    assert.deepEqual([status, fault?.code], ['rejected', 'other_installation'])
    assert.match(fault?.message ?? '', /Of 1 customers .* 1 were created at another time/)
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('a newer dump is recognised though its customer has another name and address and it has another time zone', async () => {
  const renamed = { id: 1, first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }
  const newer = smallPaymenter({
    users: [
      { ...renamed, created_at: '2025-03-01 14:00:07' },
      { id: 2, email: 'bob@example.com', created_at: '2025-09-01 10:00:00' },
    ],
  })
  const { status, fault } = await imported(app, newer)
  assert.equal(status, 'completed', JSON.stringify(fault))
})

test('a dump without any customer that was imported before is another installation', async () => {
  const tenantId = await otherTenant(app, 'boxes.example')
  const shop = { ...app, tenantId }
  assert.equal((await imported(shop, smallFossbilling({ client: [host] }))).status, 'completed')
  const others = smallFossbilling({ client: [{ id: 7, email: 'eve@example.com' }] })
  const { status, fault } = await imported(shop, others)
  assert.deepEqual([status, fault?.code], ['rejected', 'other_installation'])
  assert.match(fault?.message ?? '', /None of the 1 customers/)
})
