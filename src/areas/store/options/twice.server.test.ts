import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
// Requests of one person that write wait for each other.
const permissions = ['store:*']
const [admin, other] = [await person(app, { permissions }), await person(app, { permissions })]
const shop = shopOf(admin)

const WAITING = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

async function groupWithMemory(): Promise<string> {
  const { body: group } = await admin.post('/v1/admin/option-groups', { name: 'Upgrades' })
  const memory = { key: 'memory', kind: 'quantity', name: 'Memory' }
  const made = await admin.post('/v1/admin/options', { groupId: group.id, ...memory })
  assert.equal(made.status, 201, made.text)
  return group.id
}

test('of two groups that give a product one key at once, the second waits and is refused', async () => {
  const [first, second, product] = [
    await groupWithMemory(),
    await groupWithMemory(),
    await shop.product(),
  ]
  const holder = new pg.Client({ connectionString: app.databaseUrl ?? '' })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from tenants.tenants where id = $1 for no key update', [
      app.tenantId,
    ])
    const change = { productIds: [product.id] }
    const both = [
      admin.patch(`/v1/admin/option-groups/${first}`, change),
      other.patch(`/v1/admin/option-groups/${second}`, change),
    ]
    const isWaiting = async () => (await holder.query(WAITING)).rows[0].count === 2
    await until('both wait', isWaiting)
    await holder.query('commit')
    const answers = await Promise.all(both)
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const refused = answers.find(({ status }) => status === 409)
    assert.equal(refused?.body.code, 'option_twice')
  } finally {
    await holder.end()
  }
})
