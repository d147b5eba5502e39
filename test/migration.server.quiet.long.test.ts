import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { type Migration, migrate, migrations } from '#platform/database/migrate.ts'
import { openServer } from '#platform/database/open.ts'
import type { Answer, Client } from '#test/client.ts'
import { testDatabase } from '#test/database.ts'
import { several } from '#test/several.ts'

type Body = Answer['body']

const ROWS = Math.ceil(1_000_000 * Number(process.env.SCALE ?? 1))
/** Who works waits no longer than this for a lock, whatever a newer version changes meanwhile. */
const LONGEST_SECONDS = 2
/** So long a backup reads the table, from before the migration on. */
const BACKUP_MS = 4000
const LOOK_MS = 25
const PAUSE_MS = 10
const TABLE = 'notifications.notifications'

const skip = !process.env.DATABASE_URL && 'It wants a PostgreSQL server'
const all = skip ? null : await started()

async function started() {
  const database = await testDatabase()
  const url = database.url ?? ''
  const shop = await several({
    DATABASE_URL: url,
    ...{ RATE_LIMIT_GENERAL: '1000000', RATE_LIMIT_PERSON: '1000000' },
  })
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  const sql = async (text: string, values: unknown[] = []): Promise<Body[]> =>
    (await pool.query(text, values)).rows
  after(async () => {
    await pool.end()
    await database.drop()
  })
  await fill(pool)
  return { shop, pool, sql, url }
}

/** Notifications of many who never look, past the triggers that would count them. */
async function fill(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into ${TABLE} (tenant_id, id, user_id, kind, title, body, data, created_at)
       select tenant.id, platform.new_id(it.sent_at), md5((n % 5000)::text)::uuid, 'announcement',
         'Maintenance', 'At night.', '{}', it.sent_at
       from tenants.tenants tenant, generate_series($1::int, 1, -1) n,
         lateral (select now() - n * interval '1 second' as sent_at) it
       where tenant.is_default`,
      [ROWS],
    )
    await client.query('set session_replication_role = default')
    await client.query(`vacuum analyze ${TABLE}`)
  } finally {
    client.release()
  }
}

/** What the next version changes: known tables and a new one at once, and a large one in steps. */
const LATER: Migration[] = [
  {
    name: '9998-later.sql',
    sql: `
      create table notifications.topics (tenant_id uuid not null, word text not null,
        primary key (tenant_id, word));
      alter table ${TABLE}
        add column topic text,
        add constraint topics_have_words check (topic <> '') not valid;
      alter table notifications.unread_counts add column muted integer not null default 0`,
    ...{ hash: '9998', unusedSince: null },
  },
  {
    name: '9999-topics.sql',
    sql: `-- in steps: every notification gets its topic
      do $$
      declare after_tenant uuid := '00000000-0000-0000-0000-000000000000';
        after_id uuid := after_tenant; last record;
      begin
        loop
          with batch as materialized (
            select tenant_id, id from ${TABLE} where (tenant_id, id) > (after_tenant, after_id)
            order by tenant_id, id limit 2000
          ), filled as (
            update ${TABLE} as it set topic = it.kind from batch
            where it.tenant_id = batch.tenant_id and it.id = batch.id and it.topic is null
          )
          select tenant_id, id into last from batch order by tenant_id desc, id desc limit 1;
          exit when not found;
          after_tenant := last.tenant_id;
          after_id := last.id;
          commit;
        end loop;
      end $$
-- next step
      drop index concurrently if exists notifications.by_topic
-- next step
      create index concurrently by_topic on ${TABLE} (tenant_id, topic, id)
-- next step
      alter table ${TABLE} validate constraint topics_have_words`,
    ...{ hash: '9999', unusedSince: null },
  },
]

/** People and staff, who read and write what is being changed. Answers what they were told, by status. */
function visitors(visits: readonly (() => Promise<Answer>)[][]) {
  const told = new Map<number, number>()
  let isOver = false
  let slowestMs = 0
  async function visit(asks: readonly (() => Promise<Answer>)[]): Promise<void> {
    while (!isOver) {
      for (const ask of asks) {
        const startMs = performance.now()
        // Who is not answered was told nothing: 0.
        const status = await ask().then(
          (answer) => answer.status,
          () => 0,
        )
        slowestMs = Math.max(slowestMs, performance.now() - startMs)
        told.set(status, (told.get(status) ?? 0) + 1)
        await sleep(PAUSE_MS)
      }
    }
  }
  const over = Promise.all(visits.map(visit))
  return async () => {
    isOver = true
    await over
    return { told: Object.fromEntries(told), slowestMs: Math.round(slowestMs) }
  }
}

function visitsOf(client: Client): (() => Promise<Answer>)[] {
  const texts = { en: { title: 'Maintenance', body: 'At night.' } }
  return [
    () => client.post('/v1/admin/announcements', { texts }),
    () => client.get('/v1/notifications'),
    () => client.get('/v1/notifications/unread-count'),
    () => client.post('/v1/notifications/read-all'),
  ]
}

/** How long those who serve and work wait for locks: the longest that was seen, until it is over. */
function watchLocks(sql: (text: string) => Promise<Body[]>) {
  let [longest, isOver] = [0, false]
  const over = (async () => {
    while (!isOver) {
      const [row] = await sql(
        `select max(extract(epoch from clock_timestamp() - waitstart))::float8 as seconds
         from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database() and application_name ~ '^(serve|worker)-'`,
      )
      longest = Math.max(longest, row?.seconds ?? 0)
      await sleep(LOOK_MS)
    }
  })()
  return async () => {
    isOver = true
    await over
    return longest
  }
}

test(`a table of ${ROWS} rows is changed while people work in it, and nobody waits for it (hardening 52)`, {
  skip,
}, async (t) => {
  assert.ok(all)
  const { shop, pool, sql, url } = all
  const [one, two] = shop.apis
  const leave = visitors([one, one, one].map(({ url }) => visitsOf(shop.admin(url))))
  const waited = watchLocks((text) => sql(text))
  const backup = await pool.connect()
  await backup.query(`begin; lock table ${TABLE} in access share mode`)
  const left = sleep(BACKUP_MS).then(async () => {
    await backup.query('commit')
    backup.release()
  })
  const newer = openServer(url, NOBODY_LISTENS)
  const startMs = performance.now()
  try {
    const applied = await migrate(newer, [...migrations(), ...LATER])
    assert.deepEqual(
      applied,
      LATER.map(({ name }) => name),
    )
    const seconds = Math.round((performance.now() - startMs) / 1000)
    t.diagnostic(`${ROWS} rows in ${seconds} s`)
    // One of the older version that starts anew works on what the newer one has made.
    assert.equal(await two.end(), 0)
    await two.start()
    for (const ask of visitsOf(shop.admin(two.url))) assert.ok((await ask()).status < 300)
  } finally {
    await left
    await newer.close()
    const { told, slowestMs } = await leave()
    const longest = await waited()
    t.diagnostic(`answers ${JSON.stringify(told)}, slowest ${slowestMs} ms, lock ${longest} s`)
    const failed = Object.keys(told).filter((status) => !status.startsWith('2'))
    assert.deepEqual(failed, [], 'no request failed')
    assert.ok(longest > 0, 'somebody met the migration')
    assert.ok(longest < LONGEST_SECONDS, `somebody waited for ${longest} s`)
  }
  const [made] = await sql(`
    select (select count(*)::int from ${TABLE} where topic is not null) as filled,
      (select indisvalid from pg_index where indexrelid = 'notifications.by_topic'::regclass) as valid,
      (select convalidated from pg_constraint where conname = 'topics_have_words') as checked`)
  assert.ok(made.filled >= ROWS, `${made.filled} have a topic`)
  assert.deepEqual([made.valid, made.checked], [true, true])
  assert.match(await shop.command('doctor'), /Everything is in order/)
})
