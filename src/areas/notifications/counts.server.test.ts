import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { notifyAll } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const { database, clock } = app.deps
/** The id of the n-th of many people, in SQL. */
const MANY = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`

test('counts are right while others write, read, and read everything', async () => {
  const ada = await person(app)
  const { tenantId, userId } = ada
  const data = { name: 'Survival', address: null }
  const notice = { userId, kind: 'service_active' as const, data, mailed: false }
  let read = 0
  const writer = async () => {
    for (let count = 0; count < 10; count += 1) {
      await transact(database.of(tenantId), (tx) =>
        notifyAll(tx, tenantId, [notice, notice], clock.now()),
      )
    }
  }
  const reader = async () => {
    for (let count = 0; count < 10; count += 1) {
      const { data } = (await ada.get('/v1/notifications')).body
      if (data[0]) await ada.post(`/v1/notifications/${data[0].id}/read`)
    }
  }
  const allReader = async () => {
    for (let count = 0; count < 5; count += 1) {
      const { body, status } = await ada.post('/v1/notifications/read-all')
      assert.equal(status, 200)
      read += body.updated
    }
  }
  await Promise.all([writer(), writer(), writer(), reader(), reader(), allReader(), allReader()])
  const { count } = (await ada.get('/v1/notifications/unread-count')).body
  const { rows } = await database.execute(
    `select count(*) as told, count(*) filter (where read_at is null) as unread
     from notifications.notifications where user_id = $1`,
    [userId],
  )
  assert.deepEqual(rows, [{ told: 60, unread: count }])
  assert.ok((await partsOf(userId)) <= 7, 'as many parts as wrote at once, at most')
  assert.ok(read <= 60 - count, 'nothing was counted as read twice')
  assert.equal((await ada.post('/v1/notifications/read-all')).body.updated, count)
  assert.equal((await ada.get('/v1/notifications/unread-count')).body.count, 0)
})

async function partsOf(userId: string): Promise<number> {
  const { rows } = await database.execute(
    'select unread from notifications.unread_counts where user_id = $1',
    [userId],
  )
  return rows.length
}

test('a writer waits for no other, and what is undone is not counted', async () => {
  const ada = await person(app)
  const { tenantId, userId } = ada
  const data = { name: 'Survival', address: null }
  const notice = { userId, kind: 'service_active' as const, data, mailed: false }
  const tell = () =>
    transact(database.of(tenantId), (tx) => notifyAll(tx, tenantId, [notice], clock.now()))
  const unread = async () => (await ada.get('/v1/notifications/unread-count')).body.count
  await tell()
  const undone = transact(database.of(tenantId), async (tx) => {
    await notifyAll(tx, tenantId, [notice, notice], clock.now())
    // This one holds the count so far; the other one ends before it.
    await tell()
    assert.equal(await unread(), 2)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await unread(), 2)
  await tell()
  assert.equal(await unread(), 3)
  assert.equal(await partsOf(userId), 1, 'the next writer takes the parts together')
  await ada.post('/v1/notifications/read-all')
  assert.equal(await partsOf(userId), 0)
})

test('among many the unread are counted in an index alone, however many somebody has, and the list reads what it shows', async (t) => {
  const owner = new pg.Client({ connectionString: app.databaseUrl ?? '' })
  await owner.connect()
  t.after(() => owner.end())
  const rows = Number(process.env.NOTIFICATIONS ?? 20_000)
  // One has a tenth of all notifications; the others share the rest.
  await owner.query(
    `insert into users.users (tenant_id, id, email, name, created_at)
     select $1, ${MANY}, 'many' || n || '@example.org', 'Many', now()
     from generate_series(0, 10000) n`,
    [app.tenantId],
  )
  await owner.query('alter table notifications.notifications disable trigger announce_new')
  await owner.query(
    `insert into notifications.notifications
       (tenant_id, id, user_id, kind, title, body, data, created_at, read_at)
     select $1, gen_random_uuid(), ${MANY},
            'service_active', 'Ready', 'Your server is ready.', '{}', now(),
            case when i % 3 > 0 then now() end
     from (
       select i, case when i % 10 = 0 then 0 else i % 10000 + 1 end as n
       from generate_series(1, $2::integer) i
     ) numbered`,
    [app.tenantId, rows],
  )
  const explain = async (sql: string) => {
    const { rows } = await owner.query(`explain (analyze, buffers, format json) ${sql}`)
    return JSON.stringify(rows)
  }
  const of = (n: number) =>
    `tenant_id = '${app.tenantId}' and user_id = '00000000-0000-7000-8000-${String(n).padStart(12, '0')}'`
  const countOf = (n: number) =>
    `select sum(unread) from notifications.unread_counts where ${of(n)}`
  // A vacuum leaves alone what a transaction that is still open might see otherwise.
  await until('nothing of the tables has to be looked up', async () => {
    await owner.query('vacuum analyze notifications.notifications, notifications.unread_counts')
    const looks = await Promise.all([explain(countOf(0)), explain(countOf(4712))])
    return looks.every((it) => it.includes('"Heap Fetches":0'))
  })
  for (const [who, n] of [
    ['who has the most', 0],
    ['one of the others', 4712],
  ] as const) {
    const sql = countOf(n)
    const count = await explain(sql)
    assert.match(count, /"Node Type":"Index Only Scan".*"Index Name":"unread_counts_pkey"/)
    const { rows: counted } = await owner.query(
      `select coalesce((${sql}), 0)::integer as sum, count(*)::integer from notifications.notifications
       where ${of(n)} and read_at is null and in_app`,
    )
    assert.equal(counted[0].sum, counted[0].count)
    if (process.env.NOTIFICATIONS) {
      const [, time] = /"Execution Time":([\d.]+)/.exec(await explain(sql)) ?? []
      process.stdout.write(`${rows}: ${time} ms to count ${counted[0].count} of ${who}\n`)
    }
  }
  const list = await explain(
    `select * from notifications.notifications
     where ${of(0)} and in_app order by position desc limit 50`,
  )
  assert.match(list, /"Node Type":"Index Scan".*"Index Name":"notifications_of_user"/)
  assert.doesNotMatch(list, /"Node Type":"Sort"/)
})
