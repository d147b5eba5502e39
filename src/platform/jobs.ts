import { sql } from 'kysely'
import { type Db as BossDatabase, fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import { newId } from '#lib/id.ts'
import { type Instant, instant } from '#lib/time.ts'
import { EVERY_TENANT } from './database/driver.ts'
import {
  contextOf,
  type Database,
  type Outbox,
  type SendOptions,
  type Tx,
  transact,
} from './database/index.ts'
import type { Deps, JobContext } from './deps.ts'

export type JobOptions = {
  /** How often a failure is tried again before an operator has to look. 12 by default. */
  retries?: number
  /** The first pause; each further one doubles, with jitter. 1 by default. */
  retrySeconds?: number
  retrySecondsMax?: number
  /** How many run at once in one process. 1 by default. */
  concurrency?: number
  /** How long one try may take. 120 by default. */
  timeoutSeconds?: number
}

/** Work that happens later, or outside: at least once, with retries, then a dead letter. */
export type Job<P extends TSchema = TSchema> = {
  readonly name: string
  readonly payload: P
  readonly options: JobOptions
  /** The event it listens to; null for a job that is enqueued by name. */
  readonly hears: string | null
  /** How often it runs by itself; null for a job that something else starts. */
  readonly everyMs: number | null
  readonly run: (context: JobContext, payload: never) => Promise<void>
}

/** Declares a job. Its payload names the tenant; work that spans tenants leaves it out. */
export function job<P extends TSchema>(
  name: string,
  payload: P,
  run: (context: JobContext, payload: Static<P>) => Promise<void>,
  options: JobOptions = {},
): Job<P> {
  return { name, payload, options, hears: null, everyMs: null, run }
}

/**
 * Declares work that the time drives: it runs every so often on one of the processes, never twice
 * at once, and finds by itself what is due.
 */
export function schedule(
  name: string,
  everyMs: number,
  run: (context: JobContext) => Promise<void>,
  options: JobOptions = {},
): Job {
  return { name, payload: {}, options: { retries: 0, ...options }, hears: null, everyMs, run }
}

/** Writes a job in the transaction of the change that wants it. With a `key`, one waits at most. */
export async function enqueue<P extends TSchema>(
  tx: Tx,
  { name }: Job<P>,
  payload: Static<P> & { tenantId: string },
  options: SendOptions = {},
): Promise<void> {
  await contextOf(tx).outbox.send(tx, name, payload, options)
}

/** Writes many jobs of one kind with one statement. With a key, one waits at most. */
export async function enqueueAll<P extends TSchema>(
  tx: Tx,
  { name }: Job<P>,
  jobs: readonly { payload: Static<P> & { tenantId: string }; key?: string }[],
): Promise<void> {
  if (jobs.length > 0) await contextOf(tx).outbox.sendAll(tx, name, jobs)
}

/**
 * Deletes the jobs of a tenant whose payload names an e-mail address, and what jobs left behind that
 * were told of it. One that runs right now goes within the hour after its end.
 */
export async function forgetJobsNaming(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const jobs = sql.table(`${SCHEMA}.job`)
  const own = sql`data #>> '{payload,tenantId}' = ${tenantId} and state <> 'active'`
  const named = `%${JSON.stringify(email).replace(/[\\%_]/g, '\\$&')}%`
  await sql`delete from ${jobs} where ${own} and data::text like ${named}`.execute(tx)
  // What a mail server says about an address it refused; a longer address may end in this one.
  const told = `(^|[^a-z0-9._%+-])${email.replace(/[^a-z0-9@]/g, '\\$&')}($|[^a-z0-9-])`
  await sql`update ${jobs} set output = null
    where ${own} and output is not null and output::text ~* ${told}`.execute(tx)
}

/** A job that failed for the last time, and waits for an operator. */
export type DeadLetter = {
  id: string
  name: string
  payload: unknown
  error: string | null
  failedAt: Instant
}

/** The queue of this installation. */
export type Queue = {
  /** Starts the workers of this process. */
  work(deps: Deps): Promise<void>
  /** Runs everything the time drives now; what the clock's movement makes due is found at once. */
  runSchedules(): Promise<void>
  /** Gives unfinished jobs back and stops. */
  stop(): Promise<void>
  readonly healthy: boolean
  deadLetters(whose: Whose, limit: number): Promise<DeadLetter[]>
  retry(whose: Whose, id: string): Promise<boolean>
  discard(whose: Whose, id: string): Promise<boolean>
}

/** Whose failed jobs: a tenant's own and, for the platform's people, those of no tenant too. */
export type Whose = { tenantId: string; platform: boolean }

const SCHEMA = 'jobs'
const DEAD_LETTERS = 'dead-letters'
const HEARTBEAT_SECONDS = 10
const MONITOR_SECONDS = 5
const STOP_MS = 10_000
const YEAR_SECONDS = 365 * 24 * 3600

type Envelope = { payload: Record<string, unknown>; requestId: string | null }

/** The outbox and, once the database is migrated, the queue behind it. */
export function queueFor(jobs: readonly Job[]) {
  const hearing = Map.groupBy(jobs, (it) => it.hears)
  let boss: PgBoss | null = null
  const outbox: Outbox = {
    queuesHearing: (event) => (hearing.get(event) ?? []).map((it) => it.name),
    async send(tx, queue, payload, { startAfterSeconds, key } = {}) {
      if (!boss) throw new Error('The queue has not started')
      const envelope: Envelope = {
        payload: payload as Record<string, unknown>,
        requestId: contextOf(tx).requestId,
      }
      await boss.send(queue, envelope, {
        db: fromKysely(tx),
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
        // Jobs of one key wait as one; without a key every job stands for itself.
        singletonKey: key ?? newId(),
      })
    },
    async sendAll(tx, queue, jobs) {
      if (!boss) throw new Error('The queue has not started')
      const { requestId } = contextOf(tx)
      const rows = jobs.map(({ payload, key = newId() }) => {
        const data = { payload: payload as Record<string, unknown>, requestId } satisfies Envelope
        return { data, singletonKey: key }
      })
      await boss.insert(queue, rows, { db: fromKysely(tx) })
    },
  }
  return {
    outbox,
    async open(database: Database, onError: (error: unknown) => void): Promise<Queue> {
      boss = bossOn(database)
      boss.on('error', onError)
      await boss.start()
      await makeQueues(boss, jobs)
      return queueOn(boss, database, jobs, onError)
    },
  }
}

/** Brings the queue's own tables to this version; part of the migration. */
export async function migrateQueue(database: Database, jobs: readonly Job[]): Promise<void> {
  const client = await database.pool.connect()
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const result = await client.query(text, values as unknown[])
        return { rows: Array.isArray(result) ? result.flatMap((it) => it.rows ?? []) : result.rows }
      },
    },
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    ...(database.embedded && { backend: 'pglite' as const }),
  })
  try {
    await boss.start()
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: YEAR_SECONDS })
    await makeQueues(boss, jobs)
    await changeQueues(boss, jobs)
    await boss.stop({ graceful: false })
    await client.query(`
      select platform.open_schema('${SCHEMA}');
      do $$ begin
        if exists (select from pg_roles where rolname = 'moorage_app') then
          grant select, insert, update, delete on all tables in schema ${SCHEMA} to moorage_app;
          grant usage on all sequences in schema ${SCHEMA} to moorage_app;
          grant execute on all functions in schema ${SCHEMA} to moorage_app;
        end if;
      end $$`)
  } finally {
    client.release()
  }
}

function bossOn(database: Database): PgBoss {
  return new PgBoss({
    db: adapterOf(database),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
    monitorIntervalSeconds: MONITOR_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
    ...(database.embedded && { backend: 'pglite' as const }),
  })
}

function adapterOf(database: Database): BossDatabase {
  return {
    executeSql: (text, values) => database.execute(text, values),
    async listen(channel, heard, onReconnect) {
      const close = await database.listen(channel, heard)
      onReconnect()
      return { close }
    },
  }
}

/** Makes the queues that are missing. */
async function makeQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map((it) => it.name))
  for (const it of jobs) {
    const policy = it.everyMs === null ? 'short' : 'stately'
    if (!known.has(it.name)) await boss.createQueue(it.name, { policy, ...settingsOf(it) })
  }
}

/** Gives queues that another version made the settings of this one. */
async function changeQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((it) => [it.name, { ...it }]))
  for (const it of jobs) {
    const settings = settingsOf(it)
    const queue: Record<string, unknown> = known.get(it.name) ?? {}
    const isSame = Object.entries(settings).every(([key, value]) => queue[key] === value)
    if (!isSame) await boss.updateQueue(it.name, settings)
  }
}

function settingsOf({ options }: Job) {
  return {
    notify: true,
    deadLetter: DEAD_LETTERS,
    ...retriesOf(options),
    expireInSeconds: options.timeoutSeconds ?? 120,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
  }
}

function retriesOf({ retries = 12, retrySeconds = 1, retrySecondsMax = 3600 }: JobOptions) {
  if (retries === 0) return { retryLimit: 0 }
  const pauses = { retryDelay: retrySeconds, retryBackoff: true, retryDelayMax: retrySecondsMax }
  return { retryLimit: retries, ...pauses }
}

function queueOn(
  boss: PgBoss,
  database: Database,
  jobs: readonly Job[],
  onError: (error: unknown) => void,
): Queue {
  const schedules = jobs.filter((it) => it.everyMs !== null)
  const timers: NodeJS.Timeout[] = []
  let stopped = false
  async function start(name: string): Promise<void> {
    await boss.send(name, { payload: {}, requestId: null } satisfies Envelope)
  }
  return {
    get healthy() {
      return !stopped
    },
    async work(deps) {
      if (database.embedded) await takeOver(database)
      for (const it of jobs) await workOn(boss, it, deps)
      for (const it of schedules) {
        const tick = () => start(it.name).catch(onError)
        timers.push(setInterval(tick, it.everyMs ?? 0).unref())
        await start(it.name)
      }
    },
    async runSchedules() {
      for (const it of schedules) await start(it.name)
    },
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await boss.stop({ graceful: true, timeout: STOP_MS, close: false })
    },
    ...deadLettersOf(boss, database),
  }
}

/** The embedded database has one process: what it finds running was left by one that died. */
async function takeOver(database: Database): Promise<void> {
  await database.execute(
    `update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active'`,
  )
}

async function workOn(boss: PgBoss, { name, run, options }: Job, deps: Deps): Promise<void> {
  const settings = {
    includeMetadata: true as const,
    batchSize: 1,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 5,
  }
  for (let count = 0; count < (options.concurrency ?? 1); count += 1) {
    let workerId: string | undefined
    workerId = await boss.work<Envelope>(name, settings, async ([it]) => {
      try {
        if (it) await runOne(deps, it as JobWithMetadata<Envelope>, run)
      } finally {
        // More may be waiting: without this the next one waits for the poll.
        if (workerId) boss.notifyWorker(workerId)
      }
    })
  }
}

async function runOne(
  deps: Deps,
  { name, data, retryCount, retryLimit, signal }: JobWithMetadata<Envelope>,
  run: Job['run'],
): Promise<void> {
  const { payload, requestId } = data
  const tenantId = typeof payload.tenantId === 'string' ? payload.tenantId : EVERY_TENANT
  const db = deps.database.of(tenantId)
  const log = deps.log.child({ job: name, requestId, tenantId })
  const context: JobContext = {
    ...deps,
    log,
    db,
    tenantId,
    requestId,
    signal,
    now: deps.clock.now(),
    lastTry: retryCount >= retryLimit,
    transact: (work) => transact(db, work, requestId),
  }
  const ended = deps.metrics.jobSeconds.startTimer({ job: name })
  try {
    await run(context, payload as never)
    ended({ outcome: 'completed' })
  } catch (error) {
    ended({ outcome: 'failed' })
    log.warn({ err: error, try: retryCount + 1 }, 'job failed')
    throw error
  }
}

function deadLettersOf(
  boss: PgBoss,
  database: Database,
): Pick<Queue, 'deadLetters' | 'retry' | 'discard'> {
  const own = `name = $1 and state = 'created'
    and (data #>> '{payload,tenantId}' = $2 or $3 and data #>> '{payload,tenantId}' is null)`
  async function isOwn({ tenantId, platform }: Whose, id: string): Promise<boolean> {
    const { rows } = await database.execute(
      `select id from ${SCHEMA}.job where ${own} and id = $4`,
      [DEAD_LETTERS, tenantId, platform, id],
    )
    return rows.length > 0
  }
  return {
    async deadLetters({ tenantId, platform }, limit) {
      const { rows } = await database.execute(
        `select id, source_name as name, data -> 'payload' as payload,
                source_output ->> 'message' as error, created_on as "failedAt"
         from ${SCHEMA}.job where ${own} order by created_on desc limit $4`,
        [DEAD_LETTERS, tenantId, platform, limit],
      )
      return (rows as (DeadLetter & { failedAt: Date })[]).map((row) => ({
        ...row,
        failedAt: instant(row.failedAt),
      }))
    },
    async retry(whose, id) {
      return (await isOwn(whose, id)) && (await boss.redrive(DEAD_LETTERS, { ids: [id] })) > 0
    },
    async discard({ tenantId, platform }, id) {
      const { rows } = await database.execute(
        `delete from ${SCHEMA}.job where ${own} and id = $4 returning id`,
        [DEAD_LETTERS, tenantId, platform, id],
      )
      return rows.length > 0
    },
  }
}
