import { Gauge } from 'prom-client'
import type { Measure, Measured } from './area.ts'
import { clockSkewSeconds } from './clock-skew.ts'
import { DEAD_LETTERS } from './dead-letters.ts'
import type { Deps } from './deps.ts'
import { SCHEMA } from './jobs.ts'

/** Values from the database are read at most this often, however often they are requested. */
const FRESH_MS = 5000

/**
 * Adds gauges that are computed on request: the queue, scheduled work, connections, and the measures of the
 * areas. All of them except the clock and the connections are about the whole installation, so the value of
 * any process is right. While the database is away, only these are missing.
 */
export function addGauges(deps: Deps): void {
  let fresh: Promise<void> | null = null
  function collect(): Promise<void> {
    if (!fresh) {
      fresh = refresh()
      setTimeout(() => {
        fresh = null
      }, FRESH_MS).unref()
    }
    return fresh
  }
  function gaugeFor({ name, help, labels = [] }: Omit<Measure, 'read'>): Gauge {
    const { registry } = deps.metrics
    return new Gauge({ name, help, labelNames: [...labels], registers: [registry], collect })
  }
  const isUp = gaugeFor({
    name: 'moorage_database_up',
    help: 'Whether the database answered when the metrics were read',
  })
  const measures = [
    ...PLATFORM.map((make) => make(deps)),
    ...deps.areas.flatMap((area) => area.measures ?? []),
  ]
  const gauges = measures.map((measure) => ({ measure, gauge: gaugeFor(measure) }))
  async function refresh(): Promise<void> {
    const now = deps.clock.now()
    const read = await Promise.all(
      gauges.map(({ measure }) => measure.read(deps.database.everywhere, now)),
    ).catch(() => null)
    isUp.set(read ? 1 : 0)
    for (const [index, { gauge, measure }] of gauges.entries()) {
      gauge.reset()
      const values = read?.[index] ?? []
      // A gauge without labels is 0 after a reset, which would be wrong if the value could not be read.
      if (values.length === 0 && !measure.labels) gauge.remove()
      for (const { labels = {}, value } of values) gauge.set(labels, value)
    }
  }
}

type Make = (deps: Deps) => Measure

const PLATFORM: readonly Make[] = [
  ({ database }) => ({
    name: 'moorage_queue_jobs',
    help: 'Jobs by their queue: waiting for their time or a worker, or active',
    labels: ['queue', 'state'],
    read: () =>
      measured(
        database,
        `select name as queue, case state when 'active' then 'active' else 'waiting' end as state,
           count(*)::float8 as value
         from ${SCHEMA}.job where state < 'completed' and name <> $1 group by 1, 2`,
        [DEAD_LETTERS],
      ),
  }),
  ({ database }) => ({
    name: 'moorage_queue_oldest_seconds',
    help: 'How long the job that is due for the longest time has waited, by its queue',
    labels: ['queue'],
    read: () =>
      measured(
        database,
        `select name as queue, extract(epoch from now() - min(start_after))::float8 as value
         from ${SCHEMA}.job where state < 'active' and start_after <= now() and name <> $1 group by 1`,
        [DEAD_LETTERS],
      ),
  }),
  ({ database }) => ({
    name: 'moorage_dead_letters',
    help: 'Jobs that failed for the last time and wait for an operator',
    read: () =>
      measured(
        database,
        `select count(*)::float8 as value from ${SCHEMA}.job
         where name = $1 and state = 'created'`,
        [DEAD_LETTERS],
      ),
  }),
  ({ database }) => ({
    name: 'moorage_schedule_late_seconds',
    help: 'How long work that the time drives has been due without anybody doing it',
    labels: ['schedule'],
    read: () =>
      measured(
        database,
        `select name as schedule, case when holder is not null and lease_until > now() then 0
           else greatest(extract(epoch from now() - due_at), 0) end::float8 as value
         from platform.schedules`,
      ),
  }),
  ({ database }) => ({
    name: 'moorage_schedule_failures',
    help: 'How often in a row work that the time drives has failed',
    labels: ['schedule'],
    read: () =>
      measured(
        database,
        'select name as schedule, failures::float8 as value from platform.schedules',
      ),
  }),
  ({ database }) => ({
    name: 'moorage_clock_skew_seconds',
    help: 'How far the clock of this process is ahead of the database server’s',
    read: async () => [{ value: await clockSkewSeconds(database) }],
  }),
  ({ database: { pool } }) => ({
    name: 'moorage_database_connections',
    help: 'Connections of this process, and how many pieces of work wait for one',
    labels: ['state'],
    read: async () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'awaited' }, value: pool.waitingCount },
    ],
  }),
]

/** Rows with a `value`, and labels in every other column. */
async function measured(
  database: Deps['database'],
  text: string,
  values: unknown[] = [],
): Promise<Measured[]> {
  const { rows } = await database.execute(text, values)
  return rows.map(({ value, ...labels }) => ({
    labels: labels as Record<string, string>,
    value: Number(value),
  }))
}
