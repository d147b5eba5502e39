import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { listForDiscord, notifyAll } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { startService } from '#platform/start.ts'
import { testApp, until } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'

const app = await testApp(null)
const { database, clock } = app.deps

/** Tells somebody something; `before` happens between the writing and the commit. */
function tell({ tenantId, userId }: Person, name: string, before = async () => {}) {
  const notice = { userId, kind: 'service_active' as const, data: { name, address: null } }
  return transact(database.of(tenantId), async (tx) => {
    const [id] = await notifyAll(tx, tenantId, [notice], clock.now())
    await before()
    return String(id)
  })
}

test('a reader on one process is told what another one writes, and can change between them', async (t) => {
  const other = await startService({ ...app.deps.config, port: 0 }, areas, {
    migrating: false,
    log: pino({ level: 'silent' }),
  })
  t.after(() => other.stop())
  const ada = await person(app)
  const stream = await openStream({ url: other.url ?? '', token: ada.token })
  await stream.heard('unread')
  const first = await tell(ada, 'One')
  await stream.heard('notification')
  await ada.post(`/v1/notifications/${first}/read`)
  await until('it counts as read', () => stream.events.at(-1)?.data.count === 0)
  stream.close()
  const second = await tell(ada, 'Two')
  const here = await openStream(
    { url: app.url, token: ada.token },
    { headers: { 'last-event-id': String(stream.lastId) } },
  )
  await here.heard('notification')
  assert.deepEqual(here.told(), [second])
  here.close()
})

test('one that was written first and committed last reaches who came back after the others', async () => {
  const ada = await person(app)
  const written = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const late = tell(ada, 'Late', () => {
    written.resolve()
    return released.promise
  })
  await written.promise
  const stream = await openStream({ url: app.url, token: ada.token })
  const early = await tell(ada, 'Early')
  await stream.heard('notification')
  assert.equal(stream.lastId, early)
  stream.close()
  const { tenantId, userId } = ada
  const user = { tenantId, userId }
  const feed = () => listForDiscord(database.of(tenantId), user, null, 10)
  assert.deepEqual(await feed(), [], 'the feed waits for who is still writing')
  released.resolve()
  const lateId = await late
  assert.ok(lateId < early)
  const again = await openStream(
    { url: app.url, token: ada.token },
    { headers: { 'last-event-id': early } },
  )
  await again.heard('notification')
  assert.deepEqual(again.told(), [lateId])
  again.close()
  // Whatever else runs on this database server has to end before, too.
  const whole = await until('the feed has both', async () => {
    const told = await feed()
    return told.length === 2 && told
  })
  assert.deepEqual(
    whole.map(({ id }) => id),
    [lateId, early],
  )
  const rest = await listForDiscord(database.of(tenantId), user, lateId, 10)
  assert.deepEqual(
    rest.map(({ id }) => id),
    [early],
  )
})

test('notifications of many writers at once reach a reader who keeps coming back', async () => {
  const ada = await person(app)
  const told = new Set<string>()
  let [lastId, done]: [string | null, boolean] = [null, false]
  async function read(): Promise<void> {
    const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId }
    const stream = await openStream({ url: app.url, token: ada.token }, { headers })
    await stream.heard('unread')
    const most = 1 + Math.floor(Math.random() * 5)
    await until('some', () => done || stream.told().length >= most)
    // A browser drops what it has not read yet: the events up to one of them are what it had.
    const kept = stream.events.slice(0, 1 + Math.floor(Math.random() * stream.events.length))
    stream.close()
    for (const { id, event } of kept) {
      lastId = id ?? lastId
      if (event === 'notification' && id) told.add(id)
    }
  }
  const first = await openStream({ url: app.url, token: ada.token })
  await first.heard('unread')
  lastId = first.lastId
  first.close()
  const written: string[] = []
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let index = 0; index < 15; index += 1) {
      const pause = Math.random() * 20
      const wait = () => new Promise<void>((resolve) => setTimeout(resolve, pause))
      written.push(await tell(ada, `${writer} ${index}`, wait))
    }
  })
  const writing = Promise.all(writers).then(() => {
    done = true
  })
  while (!done) await read()
  await writing
  await until('everything was told', async () => {
    await read()
    return told.size === written.length
  })
  assert.deepEqual([...told].sort(), written.sort())
})

test('what was said while the connection to the database was lost is told when it is back', async () => {
  const ada = await person(app)
  const stream = await openStream({ url: app.url, token: ada.token })
  await stream.heard('unread')
  const owner = new pg.Client({ connectionString: app.databaseUrl ?? '' })
  await owner.connect()
  const { rowCount } = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen "notifications"'`,
  )
  await owner.end()
  assert.equal(rowCount, 1, 'one connection listens for the whole process')
  const id = await tell(ada, 'Meanwhile')
  await stream.heard('notification')
  assert.deepEqual(stream.told(), [id])
  assert.equal(stream.ended, false)
  stream.close()
})
