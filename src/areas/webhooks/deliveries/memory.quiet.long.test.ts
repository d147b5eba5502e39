import assert from 'node:assert/strict'
import { test } from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import { enqueue } from '#platform/jobs.ts'
import { until } from '#test/app.ts'
import { hookShop } from '#test/webhooks.ts'
import { deliver } from '../work.ts'

/** Deliveries in each half; what is kept of them in memory shows at any number. */
const COUNT = Math.ceil(5000 * Number(process.env.SCALE ?? 1))
const LARGEST_GROWTH = 1.2
const BATCH = 1000

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

function used(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const shop = await hookShop()
const { tenantId, deps } = shop.app
const db = deps.database.of(tenantId)

/** Writes so many deliveries, and waits until all of them have arrived. */
async function sendMany(endpointIds: readonly string[]): Promise<void> {
  for (let done = 0; done < COUNT; done += BATCH) {
    const createdAt = deps.clock.now()
    const messages = Array.from({ length: Math.min(BATCH, COUNT - done) }, () => ({
      ...{ tenantId, id: newId(), type: 'user.registered', objectId: null, userId: null },
      ...{ body: JSON.stringify({ padding: 'x'.repeat(2000) }), createdAt },
    }))
    await transact(db, async (tx) => {
      await insertRows(tx, 'webhooks.messages', messages)
      const rows = messages.map(({ id: messageId, type }, index) => ({
        ...{ tenantId, id: newId(), messageId, type, status: 'pending' as const, createdAt },
        endpointId: endpointIds[index % endpointIds.length] ?? '',
        ...{ nextAt: createdAt, attempts: 0, tries: 0 },
      }))
      await insertRows(tx, 'webhooks.deliveries', rows)
      await enqueue(tx, deliver, { tenantId }, { key: tenantId })
    })
  }
  await until('all have arrived', async () => (await open()) === 0, {
    ...{ waitMs: 20 * 60_000, everyMs: 500 },
  })
  shop.target.received.length = 0
}

async function open(): Promise<number> {
  const { rows } = await deps.database.execute(
    `select count(*)::int as count from webhooks.deliveries where status <> 'delivered'`,
  )
  return Number(rows[0]?.count)
}

test('sending many messages keeps nothing of them in memory', async (t) => {
  const ids: string[] = []
  for (let index = 0; index < 20; index += 1) ids.push((await shop.endpoint(`/${index}`)).id)
  await sendMany(ids)
  const before = used()
  const startMs = performance.now()
  await sendMany(ids)
  const seconds = (performance.now() - startMs) / 1000
  const growth = used() / before
  t.diagnostic(`${COUNT} in ${seconds.toFixed(1)} s, ${(COUNT / seconds).toFixed(0)} a second`)
  t.diagnostic(`memory is ${growth.toFixed(3)} times what it was`)
  assert.ok(growth < LARGEST_GROWTH, `memory grew to ${growth} times what it was`)
})
