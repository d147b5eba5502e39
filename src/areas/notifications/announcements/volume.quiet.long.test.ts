import assert from 'node:assert/strict'
import { test } from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { testApp, until } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'

const PEOPLE = 10_000
const ANNOUNCEMENTS = 10

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

/** What is in use, in bytes: how much garbage waits says nothing. */
function used(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function latencies(ada: Person, while_: () => Promise<boolean>): Promise<number[]> {
  const times: number[] = []
  do {
    const beganMs = performance.now()
    const { status } = await ada.get('/v1/notifications/unread-count')
    assert.equal(status, 200)
    times.push(performance.now() - beganMs)
  } while (await while_())
  return times.sort((one, other) => one - other)
}

const at = (times: number[], share: number) => times[Math.floor(times.length * share)] ?? 0

test('while 100 000 notifications go out, requests are answered and memory is bounded', async (t) => {
  const app = await testApp(t)
  const [admin, ada] = [await person(app, { admin: true }), await person(app)]
  const { database } = app.deps
  await database.execute(
    `insert into users.users (tenant_id, id, email, name, created_at)
     select $1, gen_random_uuid(), 'many' || n || '@example.org', 'Many', now()
     from generate_series(1, $2::integer) n`,
    [app.tenantId, PEOPLE],
  )
  let looks = 0
  const quiet = await latencies(ada, async () => {
    looks += 1
    return looks < 500
  })
  const beforeBytes = used()
  for (let index = 0; index < ANNOUNCEMENTS; index += 1) {
    const texts = { en: { title: `Notice ${index}`, body: 'Tonight the servers restart.' } }
    assert.equal((await admin.post('/v1/admin/announcements', { texts })).status, 201)
  }
  const beganMs = performance.now()
  let mostBytes = beforeBytes
  const busy = await latencies(ada, async () => {
    looks += 1
    if (looks % 2000 === 0) mostBytes = Math.max(mostBytes, used())
    const { rows } = await database.execute(
      'select from notifications.announcements where finished_at is null',
    )
    return rows.length > 0
  })
  const seconds = (performance.now() - beganMs) / 1000
  const grownBytes = mostBytes - beforeBytes
  await until('all were told', async () => {
    const { rows } = await database.execute(
      `select count(*) as count from notifications.notifications where kind = 'announcement'`,
    )
    return rows[0]?.count === ANNOUNCEMENTS * (PEOPLE + 2)
  })
  const ratio = at(busy, 0.99) / at(quiet, 0.99)
  const shown = (times: number[]) =>
    `p50 ${at(times, 0.5).toFixed(1)}, p99 ${at(times, 0.99).toFixed(1)} ms`
  process.stdout.write(
    `${ANNOUNCEMENTS * PEOPLE} in ${seconds.toFixed(0)} s; quiet ${shown(quiet)}; busy ${shown(busy)} (${ratio.toFixed(1)}x); ${(grownBytes / 1e6).toFixed(0)} MB more\n`,
  )
  assert.ok(grownBytes < 50_000_000, `${grownBytes} bytes`)
  assert.ok(at(busy, 0.99) < 1000, `${at(busy, 0.99)} ms`)
})
