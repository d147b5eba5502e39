import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testApp, until } from '#test/app.ts'
import { panelEgg } from '#test/eggs.ts'
import { person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
// Requests of one person that write wait for each other.
const permissions = ['store:*', 'nodes:*']
const [admin, other] = [await person(app, { permissions }), await person(app, { permissions })]
const shop = shopOf(admin)
const limits = { memoryMb: 1024, diskMb: 1024 }

const sellable = async (id: string) => (await admin.get(`/v1/admin/products/${id}`)).body.sellable

const WAITING = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** Keeps every review of products waiting while `start` begins so many of them. */
async function beforeReviews<T>(
  start: (waiting: (count: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: app.databaseUrl ?? '' })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from tenants.tenants where id = $1 for no key update', [
      app.tenantId,
    ])
    const isWaiting = async (count: number) => (await holder.query(WAITING)).rows[0].count === count
    return await start((count) => until(`${count} wait`, () => isWaiting(count)).then(() => {}))
  } finally {
    await holder.end()
  }
}

test('of two panels that go at once, the later one takes off sale what stood on both', async () => {
  const [one, two] = [await panelEgg(app), await panelEgg(app)]
  const nodeIds = [one.nodeId, two.nodeId]
  const { product } = await shop.offer({}, { provisioning: { eggId: one.eggId, nodeIds, limits } })
  assert.equal(product.sellable, true)
  const deleted = await beforeReviews(async (waiting) => {
    const both = [
      admin.delete(`/v1/admin/nodes/${one.nodeId}`),
      other.delete(`/v1/admin/nodes/${two.nodeId}`),
    ]
    // Both have made their change, and neither sees the other's.
    await waiting(2)
    return { both }
  })
  for (const { status } of await Promise.all(deleted.both)) assert.equal(status, 200)
  assert.equal(await sellable(product.id), false)
})

test('a product that is written while its panel goes is not sold with that panel', async () => {
  const { eggId, nodeId } = await panelEgg(app)
  const made = { eggId, nodeIds: [nodeId], limits }
  const sound = { eggId: (await panelEgg(app)).eggId, limits }
  const { product } = await shop.offer({}, { provisioning: sound })
  assert.equal(product.sellable, true)
  const answers = await beforeReviews(async (waiting) => {
    const deleted = admin.delete(`/v1/admin/nodes/${nodeId}`)
    await waiting(1)
    const written = other.patch(`/v1/admin/products/${product.id}`, { provisioning: made })
    await waiting(2)
    return { deleted, written }
  })
  assert.equal((await answers.deleted).status, 200)
  // Whichever came first: it was refused and is sold as before, or it was written and taken off sale.
  const { status } = await answers.written
  assert.ok([200, 422].includes(status))
  assert.equal(await sellable(product.id), status === 422)
})
