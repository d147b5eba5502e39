import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later } from '#lib/time.ts'
import { moveClock } from '#platform/clock.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { startProcess } from '#test/processes.ts'
import { receiver } from '#test/receiver.ts'
import { ENDPOINTS, happened } from '#test/webhooks.ts'
import { writeMessage } from '../messages/actions.ts'
import { recordAttempt } from './actions.ts'
import { claimDue } from './queries.ts'

const target = await receiver(null)
const app = await testApp(null, { config: { role: 'api', privateHosts: [target.place] } })
const { tenantId, deps } = app
const admin = await person(app, { admin: true })
const PATIENCE = { waitMs: 60_000 }

/** A process that only works. */
function worker() {
  const env = {
    ...{ DATABASE_URL: app.databaseUrl ?? '', MOORAGE_ROLE: 'worker', LOG_LEVEL: 'info' },
    ...{ MOORAGE_MOVABLE_CLOCK: 'on', MOORAGE_PRIVATE_HOSTS: target.place, PORT: '0' },
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  return startProcess({
    script: 'src/main.js',
    args: ['serve'],
    env,
    ready: /started|serving|work/i,
  })
}

async function endpoint(path: string): Promise<string> {
  const { status, body, text } = await admin.post(ENDPOINTS, { url: `${target.url}${path}` })
  assert.equal(status, 201, text)
  return body.id
}

test('two processes deliver everything once, and what a killed one was at comes with the same id', async () => {
  await endpoint('/calm')
  const workers = await Promise.all([worker(), worker()])
  const { userId } = await person(app)
  const count = 150
  for (let index = 0; index < count; index += 1) await happened(app, { tenantId, userId })
  const all = () => target.at('/calm')
  await until('all have come', () => all().length >= count, PATIENCE)
  await until('all are written down', async () => (await open()) === 0, PATIENCE)
  assert.equal(all().length, count)
  assert.equal(new Set(all().map(({ id }) => id)).size, count)

  await endpoint('/stuck')
  target.on('/stuck', () => {})
  await happened(app, { tenantId, userId })
  await until('it has come', () => target.at('/stuck').length > 0, PATIENCE)
  for (const it of workers) await it.kill()
  target.on('/stuck', (response) => void response.writeHead(204).end())
  await moveClock(deps.database, deps.clock, 61_000)
  const another = await worker()
  const came = await until(
    'it comes again',
    () => target.at('/stuck').length > 1 && target.at('/stuck'),
    PATIENCE,
  )
  await another.kill()
  assert.equal(new Set(came.map(({ id }) => id)).size, 1)
})

test('who gets in line waits for whoever ends the delivery before it', async () => {
  const id = await endpoint('/line')
  await admin.patch(`${ENDPOINTS}/${id}`, { ordered: true })
  const { userId } = await person(app)
  const db = deps.database.of(tenantId)
  const about = { type: 'user.registered', objectId: userId, userId, body: '{}' }
  const now = deps.clock.now()
  await transact(db, (tx) => writeMessage(tx, { tenantId, id: newId(), ...about }, now))
  const claim = { tenantId, rooms: new Map([[id, 1]]), now, until: later(now, 60_000) }
  const [claimed] = await transact(db, (tx) => claimDue(tx, claim))
  assert.ok(claimed)
  const outcome = { ok: true, statusCode: 204, error: null, responseBody: '', durationMs: 1 }
  const { second } = await transact(db, async (tx) => {
    await recordAttempt(tx, claimed, { ...outcome, retryAfterMs: null }, { now, random: 0 })
    const writing = transact(db, (other) =>
      writeMessage(other, { tenantId, id: newId(), ...about }, now),
    )
    await until('the second waits', async () => {
      const { rows } = await deps.database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { second: writing }
  })
  await second
  const [next] = await transact(db, (tx) => claimDue(tx, claim))
  assert.equal(next?.orderingKey, userId, 'it saw that nothing is before it any more')
})

async function open(): Promise<number> {
  const { rows } = await deps.database.execute(
    `select count(*)::int as count from webhooks.deliveries where status <> 'delivered'`,
  )
  return Number(rows[0]?.count)
}
