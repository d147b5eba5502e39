import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { until } from '#test/app.ts'
import { balancer } from '#test/balancer.ts'
import type { Answer, Client } from '#test/client.ts'
import { testDatabase } from '#test/database.ts'
import { NOW, seedDueServices } from '#test/due-services.ts'
import { mailServer, type ReceivedMail } from '#test/mail-server.ts'
import { type Member, several } from '#test/several.ts'

type Body = Answer['body']

/** One part of the services becomes due before each process is replaced, one before the kill, two for the pause. */
const PARTS = 7
const SERVICES = PARTS * Math.ceil(60 + 500 * Number(process.env.SCALE ?? 1))
/** A disk so slow that a part takes seconds: what happens meanwhile happens in the middle of it. */
const SLOW_SECONDS = 0.02
/** So many mails a worker sends at once: those may go out again, under the same id, when it is killed. */
const MAILS_AT_ONCE = 4
const PATIENCE = { waitMs: 600_000, everyMs: 500 }
const PAUSE_MS = 20

const skip = !process.env.DATABASE_URL && 'It wants a PostgreSQL server'
const all = skip ? null : await started()

async function started() {
  const mails = await mailServer({ after })
  const database = await testDatabase()
  const url = database.url ?? ''
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  const sql = async (text: string, values: unknown[] = []): Promise<Body[]> =>
    (await pool.query(text, values)).rows
  await sql('insert into platform.clock values (true, $1)', [Date.parse(NOW) - Date.now()])
  const shop = await several({
    ...{ DATABASE_URL: url, SMTP_URL: mails.url, MOORAGE_MOVABLE_CLOCK: 'on' },
    ...{ RATE_LIMIT_GENERAL: '1000000', RATE_LIMIT_PERSON: '1000000' },
    MOORAGE_DRAIN_SECONDS: '2',
  })
  after(async () => {
    await pool.end()
    await database.drop()
  })
  return { shop, mails: mails.received, pool, sql }
}

/** Fills the shop with services that nobody looks at yet. */
async function fill(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('select id from tenants.tenants where is_default')
    await client.query('begin')
    await seedDueServices(client, rows[0]?.id, SERVICES)
    await client.query('update services.services set next_invoice_at = $1', [LATER])
    await client.query(SLOW_DISK)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const LATER = '2031-01-01'
const NUMBER = `('x' || right(id::text, 12))::bit(48)::bigint`

const SLOW_DISK = `
  create function public.is_slow() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(${SLOW_SECONDS});
    return new;
  end $$;
  create trigger is_slow before insert on billing.invoices for each row
    when (new.kind = 'renewal') execute function public.is_slow()`

/** Who writes renewals just now. */
const RENEWING = `
  select application_name as name from pg_stat_activity
  where datname = current_database() and state = 'active'
    and query like 'insert into billing.invoices (%'`

/** People and staff, who read and write all the time. Answers what they were told, by status. */
function visitors(clients: readonly Client[]) {
  const told = new Map<number, number>()
  let isOver = false
  async function visit(client: Client): Promise<void> {
    while (!isOver) {
      for (const ask of [
        () => client.get('/v1/admin/services?limit=20'),
        () => client.post('/v1/notifications/read-all'),
        () => client.get('/v1/meta'),
      ]) {
        const { status } = await ask()
        told.set(status, (told.get(status) ?? 0) + 1)
        await sleep(PAUSE_MS)
      }
    }
  }
  const visits = clients.map(visit)
  return async () => {
    isOver = true
    await Promise.all(visits)
    return told
  }
}

type Sql = (text: string, values?: unknown[]) => Promise<Body[]>

test('a deploy in the middle of a renewal run, a worker killed and one paused: each service is invoiced once (hardening 50, 51)', {
  skip,
}, async (t) => {
  assert.ok(all)
  const { shop, mails, pool, sql } = all
  const front = await balancer(shop.apis.map(({ url }) => url))
  const admin = shop.admin(front.url)
  const close = clientThatCloses(admin)
  await fill(pool)
  const leave = visitors([admin, close, close])
  let part = 0
  /** The next part is due; answers who else writes its invoices, in the middle of it. */
  async function renewing(but?: Member): Promise<Member> {
    const due = `update services.services set next_invoice_at = $1 where ${NUMBER} % ${PARTS} = $2`
    await sql(due, [NOW, part])
    part += 1
    // Nobody waits for the minute to be over.
    const moved = await admin.post('/v1/admin/clock', { advanceSeconds: 1 })
    assert.equal(moved.status, 200, moved.text)
    const look = async () => {
      const names = (await sql(RENEWING)).map((it) => it.name)
      return shop.workers.find((it) => it !== but && names.includes(it.name))
    }
    return until('renewals are being written', look, { waitMs: PATIENCE.waitMs })
  }
  async function replace(member: Member): Promise<void> {
    assert.equal(await member.end(), 0, 'it ends in order')
    await member.start()
    const isBack = () => !shop.apis.includes(member) || front.isUp(member.url)
    await until('it is sent to again', isBack, PATIENCE)
  }
  try {
    const killed = await renewing()
    await killed.kill()
    await killed.start()
    // One that is paused in the middle of it loses what it held; another does that, and it goes on after all.
    const paused = await renewing()
    paused.freeze()
    await renewing(paused)
    paused.thaw()
    const first = await renewing()
    await replace(first)
    for (const member of [...shop.workers.filter((it) => it !== first), ...shop.apis]) {
      await renewing()
      await replace(member)
    }
    await until('all is invoiced and told', () => isDone(sql), PATIENCE)
  } finally {
    const told = await leave()
    t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(told))}`)
    const failed = [...told.keys()].filter((status) => status !== 200 && status !== 204)
    assert.deepEqual(failed, [], 'no request failed')
  }
  assert.deepEqual((await sql(COUNTED))[0], expectedOf(SERVICES))
  assertTold(mails, await sql(TOLD))
  const { body: failed } = await shop.admin(shop.apis[0].url).get('/v1/admin/jobs')
  assert.deepEqual(failed.data, [], 'nothing was given up')
  assert.match(await shop.command('doctor'), /Everything is in order/)
})

/** The same, with a new connection for each request. */
function clientThatCloses(client: Client): Client {
  const headers = { connection: 'close' }
  return {
    ...client,
    get: (path) => client.get(path, { headers }),
    post: (path, body) => client.post(path, body, { headers }),
  }
}

const RENEWALS = `select count(*)::int as count from billing.invoices where kind = 'renewal'`

async function isDone(sql: Sql): Promise<boolean> {
  const [row] = await sql(`
    select (${RENEWALS.replace('as count', '')}) as renewals,
      (select count(*)::int from jobs.job where name <> 'dead-letters'
         and state in ('created', 'retry', 'active') and start_after < now() + interval '10 minutes')
      as jobs`)
  return row?.renewals === SERVICES && row.jobs === 0
}

/** All of it as often as there are services, and numbers from the first to the last. */
const COUNTED = `
  with renewals as (select * from billing.invoices where kind = 'renewal'),
    numbers as (select right(number, 6)::int as n from renewals)
  select
    (select count(*) from renewals)::int as invoices,
    (select count(distinct reference) from renewals)::int as references,
    (select count(distinct n) from numbers)::int as numbers,
    (select min(n) from numbers) as first, (select max(n) from numbers) as last,
    (select count(distinct service_id) from services.periods where starts_at = '2030-02-15')::int
      as services,
    (select count(*) from services.periods where starts_at = '2030-02-15')::int as periods,
    (select count(*) from ledger.transactions where kind = 'invoice_issued')::int as booked,
    (select count(*) from billing.documents where kind = 'invoice' and made_at is not null)::int
      as documents,
    (select count(*) from notifications.mails where kind = 'renewal_invoice')::int as mails,
    (select count(*) from notifications.mails where kind = 'renewal_invoice' and sent_at is not null
     )::int as sent,
    (select count(*) from notifications.notifications where kind = 'renewal_invoice')::int as notices`

function expectedOf(count: number): Record<string, number> {
  const same = ['invoices', 'references', 'numbers', 'last', 'services', 'periods', 'booked']
  const more = ['documents', 'mails', 'sent', 'notices']
  return { first: 1, ...Object.fromEntries([...same, ...more].map((it) => [it, count])) }
}

const TOLD = `select id from notifications.mails where kind = 'renewal_invoice'`

/** Each mail is there once; what was being sent when its worker died may have come again as the same. */
function assertTold(received: readonly ReceivedMail[], wanted: readonly Body[]): void {
  const ids = received.map(({ text }) => /^Message-ID: <([^@]*)@/im.exec(text)?.[1])
  const times = Map.groupBy(ids, (it) => it)
  const untold = wanted.filter(({ id }) => !times.has(id))
  assert.deepEqual(untold, [], 'everybody was told')
  const repeated = wanted.reduce((sum, { id }) => sum + (times.get(id)?.length ?? 0) - 1, 0)
  assert.ok(repeated <= MAILS_AT_ONCE, `${repeated} mails came twice`)
}
