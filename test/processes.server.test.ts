import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { until } from '#test/app.ts'
import { balancer } from '#test/balancer.ts'
import { clientFor } from '#test/client.ts'
import { receiver } from '#test/receiver.ts'
import { several } from '#test/several.ts'

/** Two processes for requests and two for work, on one PostgreSQL and one Redis. */
const target = await receiver(null)
const shop = await several({
  RATE_LIMIT_GENERAL: '300',
  RATE_LIMIT_AUTH: '1000',
  MOORAGE_DRAIN_SECONDS: '2',
  MOORAGE_PRIVATE_HOSTS: target.place,
})
const [one] = shop.apis
const database = new pg.Pool({ connectionString: shop.databaseUrl, max: 2 })
// Ends before the database goes, and does not mind when it is gone.
database.on('error', () => {})
after(() => database.end())
const sql = async (text: string, values: unknown[] = []) =>
  (await database.query(text, values)).rows
const PATIENCE = { waitMs: 120_000 }
/** Who is told to end has ended by then, where nobody waits for an answer from outside. */
const ENDED_MS = 15_000

/** An address nobody else has: what is counted for it is ours. */
function address(): Record<string, string> {
  return { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` }
}

test('what the time drives is begun by one process at a time, and not before its time (hardening 50)', async () => {
  const every = new Map(
    areas.flatMap(({ jobs = [] }) => jobs.map(({ name, everyMs }) => [name, everyMs ?? 0])),
  )
  await sql(`
    create table public.begun (name text, at timestamptz, lease_of_other boolean);
    create function public.note_begun() returns trigger language plpgsql security definer as $$
    begin
      insert into public.begun values (new.name, clock_timestamp(),
        old.holder is not null and old.lease_until > clock_timestamp());
      return null;
    end $$;
    create trigger note_begun after update on platform.schedules for each row
      when (new.holder is not null and new.holder is distinct from old.holder)
      execute function public.note_begun()`)
  const often = `select name from public.begun group by name having count(*) >= 3`
  await until('some were begun three times', async () => (await sql(often)).length >= 3, PATIENCE)
  await sql('drop trigger note_begun on platform.schedules')
  assert.deepEqual(await sql('select name from public.begun where lease_of_other'), [])
  const pauses = await sql(`
    select name, extract(epoch from at - lag(at) over (partition by name order by at))::float8 * 1000
      as ms from public.begun`)
  const early = pauses.filter(({ name, ms }) => ms !== null && ms < (every.get(name) ?? 0))
  assert.deepEqual(early, [])
})

test('an event is delivered though the worker that was at it dies', async () => {
  const made = await shop.admin(one.url).post('/v1/admin/webhook-endpoints', {
    ...{ url: `${target.url}/hook`, events: ['user.registered'] },
  })
  assert.equal(made.status, 201, made.text)
  // Says nothing: whoever is at it stays at it.
  target.on('/hook', () => {})
  const userId = await shop.customer()
  await until('it is under way', () => target.at('/hook').length > 0, PATIENCE)
  target.on('/hook', (response) => void response.writeHead(204).end())
  // One of them is at it, and nobody but itself knows which.
  await Promise.all(shop.workers.map((it) => it.kill()))
  await shop.workers[0].start()
  const delivered = `select count(*)::int as count from webhooks.deliveries where status = 'delivered'`
  const isThere = async () => (await sql(delivered))[0]?.count === 1
  await until('it is delivered', isThere, PATIENCE)
  const bodies = target.at('/hook').map(({ body }) => JSON.parse(body))
  assert.ok(bodies.every(({ data }) => data.id === userId))
  assert.equal(new Set(target.at('/hook').map(({ id }) => id)).size, 1)
  await shop.workers[1].start()
})

test('a worker tells how it is, to whom it may, and nothing else', async () => {
  const worker = clientFor(shop.workers[0].url)
  const health = await worker.get('/v1/health')
  assert.deepEqual([health.status, health.body.checks.rateLimitStore], [200, 'up'])
  assert.equal((await worker.get('/v1/metrics')).status, 401)
  const headers = { authorization: 'Bearer metrics' }
  const { status, text } = await worker.get('/v1/metrics', { headers })
  assert.equal(status, 200)
  assert.match(text, /^moorage_job_duration_seconds_count\{.*outcome="completed"/m)
  assert.equal((await worker.get('/v1/meta')).status, 404)
})

test('every process is replaced under load, and no request fails (hardening 51)', async () => {
  const front = await balancer(shop.apis.map(({ url }) => url))
  const admin = shop.admin(front.url)
  const done = new Map<number, number>()
  let loaded = true
  async function load(keepsConnection: boolean): Promise<void> {
    const connection = keepsConnection ? {} : { connection: 'close' }
    while (loaded) {
      const headers = { ...address(), ...connection }
      const read = await clientFor(front.url).get('/v1/meta', { headers })
      const key = { 'idempotency-key': randomUUID() }
      const options = { headers: { ...headers, ...key } }
      const body = { email: 'nobody@example.com', password: 'not the right one' }
      const tried = await clientFor(front.url).request('POST', '/v1/auth/login', body, options)
      for (const { status } of [read, tried]) done.set(status, (done.get(status) ?? 0) + 1)
    }
  }
  const loads = [load(true), load(false), load(false)]
  try {
    for (const member of [...shop.apis, ...shop.workers]) {
      const startMs = performance.now()
      assert.equal(await member.end(), 0, 'it ends in order')
      const tookMs = performance.now() - startMs
      assert.ok(tookMs < ENDED_MS, `its end took ${Math.round(tookMs)} ms`)
      await member.start()
      if (!shop.apis.includes(member)) continue
      const before = front.sent.get(member.url) ?? 0
      const works = () => front.isUp(member.url) && (front.sent.get(member.url) ?? 0) > before
      await until('it is sent to again', works, PATIENCE)
    }
  } finally {
    loaded = false
  }
  await Promise.all(loads)
  // Wrong passwords are refused; nothing else was, and nothing broke.
  assert.deepEqual(
    [...done.keys()].filter((status) => ![200, 401, 429].includes(status)),
    [],
  )
  assert.ok((done.get(200) ?? 0) > 50, `${done.get(200)} requests`)
  assert.equal((await admin.get('/v1/users/me')).status, 200)
})
