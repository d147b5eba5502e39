import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { areas } from '#app/areas.ts'
import { newId } from '#lib/id.ts'
import { Id } from '#lib/schema.ts'
import type { Area } from '#platform/area.ts'
import { transact } from '#platform/database/index.ts'
import { DEAD_LETTERS } from '#platform/dead-letters.ts'
import { emit, event, onEvent } from '#platform/events.ts'
import { enqueue, job, schedule, work } from '#platform/jobs.ts'
import { watchDue } from '#platform/workers.ts'
import { testApp, until } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const Payload = Type.Object({ tenantId: Id, word: Type.String() })
const ran: string[] = []
let failing = true
let ticks = 0
let atWork = 0
const together = Promise.withResolvers<void>()

const said = event('probe.said', Payload)
const first = onEvent(said, 'probe.first', async (_, { word }) => void ran.push(`first ${word}`))
const second = onEvent(said, 'probe.second', async ({ tenantId }, { word }) => {
  ran.push(`second ${word} ${tenantId === app.tenantId}`)
})
const fragile = job(
  work('probe.fragile', Payload),
  async ({ lastTry }, { word }) => {
    if (failing) throw new Error(`No ${word}, last try: ${lastTry}`)
    ran.push(`fragile ${word}`)
  },
  { retries: 1, retrySeconds: 1 },
)
const single = job(
  work('probe.single', Payload),
  async (_, { word }) => void ran.push(`single ${word}`),
)
const shared = job(
  work('probe.shared', Payload),
  async ({ db }, { word }) => {
    await db.selectFrom('tenants.tenants').select('id').execute()
    atWork += 1
    if (word.startsWith('part')) await together.promise
    atWork -= 1
    ran.push(`shared ${word}`)
  },
  { concurrency: 4 },
)
const ticking = schedule('probe.tick', 3_600_000, async () => {
  ticks += 1
})
const probe: Area = { name: 'probe', jobs: [first, second, fragile, single, shared, ticking] }
const app = await testApp(null, { areas: [...areas, probe] })
const { tenantId } = app
const db = app.deps.database.of(tenantId)

test('an event reaches every listener, in its tenant', async () => {
  await transact(db, (tx) => emit(tx, said, { tenantId, word: 'hello' }))
  await until(
    'both heard it',
    () => ran.includes('first hello') && ran.includes('second hello true'),
  )
})

test('the looks of a queue leave a connection with the tenant it had', async (t) => {
  const { database } = app.deps
  // Of several connections nobody knows which one comes next.
  if (!database.embedded) return t.skip()
  await transact(db, (tx) => emit(tx, said, { tenantId, word: 'quietly' }))
  await until('it was heard', () => ran.includes('first quietly'))
  const { rows } = await database.executeTenantless(
    `select current_setting('moorage.tenant') as tenant`,
  )
  assert.deepEqual(rows, [{ tenant: tenantId }])
})

test('what a rolled back transaction announced is heard by nobody', async () => {
  const work = transact(db, async (tx) => {
    await emit(tx, said, { tenantId, word: 'never' })
    throw new Error('changed my mind')
  })
  await assert.rejects(work, /changed my mind/)
  await transact(db, (tx) => emit(tx, said, { tenantId, word: 'after' }))
  await until('the next one was heard', () => ran.includes('first after'))
  assert.ok(!ran.includes('first never'))
})

test('jobs of one key wait as one', async () => {
  await transact(db, async (tx) => {
    for (const word of ['a', 'b', 'c']) {
      await enqueue(tx, single, { tenantId, word }, { key: 'same' })
    }
  })
  await until('one ran', () => ran.some((it) => it.startsWith('single')))
  assert.deepEqual(
    ran.filter((it) => it.startsWith('single')),
    ['single a'],
  )
})

test('jobs that were written together run one right after the other', async () => {
  const words = Array.from({ length: 20 }, (_, index) => `row ${index}`)
  await transact(db, async (tx) => {
    for (const word of words) await enqueue(tx, single, { tenantId, word })
  })
  await until('all have run', () => words.every((word) => ran.includes(`single ${word}`)))
})

test('a job costs two looks, however many could do it', async (t) => {
  const { database } = app.deps
  const looks: string[] = []
  const execute = database.executeTenantless
  t.mock.method(database, 'executeTenantless', (text: string, values?: unknown[]) => {
    if (/update/i.test(text) && text.includes(`'probe.shared'`)) looks.push(text)
    return execute(text, values)
  })
  for (const word of ['one', 'two', 'three']) {
    await transact(db, (tx) => enqueue(tx, shared, { tenantId, word }))
    await until(`${word} is done`, async () => {
      const { rows } = await database.execute(
        `select from jobs.job_common where name = $1 and state = 'completed' and data->'payload'->>'word' = $2`,
        [shared.name, word],
      )
      return rows.length === 1
    })
  }
  assert.ok(looks.length >= 3, 'its looks are counted')
  // The look for what is due may call once more.
  assert.ok(looks.length <= 7, `${looks.length} looks`)
})

test('as many as may do so work on jobs that were written together, and none is left', async () => {
  const words = Array.from({ length: 30 }, (_, index) => `part ${index}`)
  await transact(db, async (tx) => {
    for (const word of words) await enqueue(tx, shared, { tenantId, word })
  })
  await until('four are at work', () => atWork === 4)
  together.resolve()
  await until('all have run', () => words.every((word) => ran.includes(`shared ${word}`)))
})

test('a job that fails for the last time waits for an operator, who can run it again', async () => {
  const admin = await person(app, { permissions: ['system:*'] })
  await transact(db, (tx) => enqueue(tx, fragile, { tenantId, word: 'luck' }))
  const dead = await until('the dead letter', async () => {
    const { body } = await admin.get('/v1/admin/jobs')
    return body.data[0]
  })
  assert.equal(dead.name, 'probe.fragile')
  assert.match(dead.error, /No luck, last try: true/)
  failing = false
  assert.equal((await admin.post(`/v1/admin/jobs/${dead.id}/retry`)).status, 200)
  await until('it ran', () => ran.includes('fragile luck'))
  assert.equal((await admin.post(`/v1/admin/jobs/${dead.id}/retry`)).status, 404)
})

test('several failed jobs are run again at once, and one that did not fail is named', async () => {
  const admin = await person(app, { permissions: ['system:*'] })
  failing = true
  const words = ['one more', 'two more']
  await transact(db, async (tx) => {
    for (const word of words) await enqueue(tx, fragile, { tenantId, word })
  })
  const dead = await until('both have failed', async () => {
    const { body } = await admin.get('/v1/admin/jobs')
    return body.data.length === 2 && body.data
  })
  const ids = [...dead.map(({ id }: { id: string }) => id), newId()]
  const bulk = (body: object) =>
    admin.post('/v1/admin/jobs/bulk', { action: 'retry', ids, ...body })
  const outcomes = async (body: object) =>
    (await bulk(body)).body.rows.map(({ outcome }: { outcome: string }) => outcome)
  failing = false
  assert.deepEqual(await outcomes({ dryRun: true }), ['done', 'done', 'failed'])
  assert.equal((await admin.get('/v1/admin/jobs')).body.data.length, 2, 'a dry run runs nothing')
  assert.deepEqual(await outcomes({}), ['done', 'done', 'failed'])
  await until('both ran', () => words.every((word) => ran.includes(`fragile ${word}`)))
  assert.deepEqual(await outcomes({}), ['failed', 'failed', 'failed'])
  const clerk = await person(app, { permissions: ['system:read'] })
  assert.equal((await clerk.post('/v1/admin/jobs/bulk', { action: 'retry', ids })).status, 403)
})

test('what waits when a process starts is found at once, by one look for all queues', async () => {
  const admin = await person(app, { permissions: ['system:*'] })
  failing = true
  await transact(db, (tx) => enqueue(tx, fragile, { tenantId, word: 'rest' }))
  const { id } = await until('the dead letter', async () => {
    const { body } = await admin.get('/v1/admin/jobs')
    return body.data[0]
  })
  const called: string[] = []
  const queues = [DEAD_LETTERS, 'probe.first', 'probe.single']
  const workers = queues.map((name) => [name, { call: () => called.push(name) }] as const)
  const stop = watchDue(app.deps.database, new Map(workers), assert.ifError)
  await stop()
  assert.deepEqual(called, [DEAD_LETTERS])
  assert.equal((await admin.delete(`/v1/admin/jobs/${id}`)).status, 200)
})

test('a discarded job is gone', async () => {
  const admin = await person(app, { permissions: ['system:*'] })
  failing = true
  await transact(db, (tx) => enqueue(tx, fragile, { tenantId, word: 'hope' }))
  const { id } = await until('the dead letter', async () => {
    const { body } = await admin.get('/v1/admin/jobs')
    return body.data[0]
  })
  assert.deepEqual((await admin.delete(`/v1/admin/jobs/${id}`)).body, { id, deleted: true })
  assert.deepEqual((await admin.get('/v1/admin/jobs')).body.data, [])
})

test('a job that failed is nothing to the administrators of another shop (hardening 2)', async () => {
  const otherId = await otherTenant(app, 'jobs.test')
  const shops = [
    { of: tenantId, admin: await person(app, { permissions: ['system:*'] }) },
    { of: otherId, admin: await person(app, { tenantId: otherId, permissions: ['system:*'] }) },
  ] as const
  failing = true
  for (const { of } of shops) {
    const own = app.deps.database.of(of)
    await transact(own, (tx) => enqueue(tx, fragile, { tenantId: of, word: `of ${of}` }))
  }
  const failed = await Promise.all(
    shops.map(({ of, admin }) =>
      until('the own failed job, and no other', async () => {
        const { data } = (await admin.get('/v1/admin/jobs')).body
        if (data.length > 0) assert.deepEqual(data[0].payload.word, `of ${of}`)
        return data.length > 0 && data
      }),
    ),
  )
  for (const [index, { admin }] of shops.entries()) {
    assert.equal(failed[index].length, 1)
    const [theirs] = failed[1 - index]
    assert.equal((await admin.post(`/v1/admin/jobs/${theirs.id}/retry`)).status, 404)
    assert.equal((await admin.delete(`/v1/admin/jobs/${theirs.id}`)).status, 404)
  }
  for (const [index, { admin }] of shops.entries()) {
    const [own] = failed[index]
    assert.equal((await admin.delete(`/v1/admin/jobs/${own.id}`)).status, 200)
  }
})

test('moving the clock starts what the time drives', async () => {
  const admin = await person(app, { permissions: ['system:*'] })
  const before = ticks
  const { body } = await admin.post('/v1/admin/clock', { advanceSeconds: 86_400 })
  assert.ok(Date.parse(body.now) > Date.now() + 86_000_000)
  await until('the tick', () => ticks > before)
})
