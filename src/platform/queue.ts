import { type Db as BossDatabase, fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import { newId } from '#lib/id.ts'
import { SECOND_MS } from '#lib/time.ts'
import type { Committed } from './committed.ts'
import { EVERY_TENANT } from './database/driver.ts'
import {
  contextOf,
  type Database,
  forRequest,
  type Hearer,
  type Outbox,
  type Tx,
  transact,
} from './database/index.ts'
import { changingSchema, isNewer } from './database/migrate.ts'
import { idsOf } from './database/notes.ts'
import { DEAD_LETTERS, type DeadLetters, deadLettersOf } from './dead-letters.ts'
import type { Deps, JobContext } from './deps.ts'
import { type Job, type JobOptions, SCHEMA } from './jobs.ts'
import { type Scheduled, schedulesOn } from './schedules.ts'
import { measured, traceparent } from './tracing/index.ts'
import { type Workers, watchDue, workersOn } from './workers.ts'

/** The queue of this installation. */
export type Queue = DeadLetters & {
  /** Starts the workers of this process. With `driving` false, scheduled work does not start by itself. */
  work(deps: Deps, driving?: boolean): Promise<void>
  /**
   * Starts scheduled work, all of it or the wanted part, so that what became due by moving the clock is
   * found at once. `ended` resolves when this process has done its part.
   */
  runSchedules(wanted?: (work: Scheduled) => boolean): Promise<{ ended: Promise<void> }>
  /** Gives unfinished jobs back and stops. */
  stop(): Promise<void>
  readonly healthy: boolean
}

const HEARTBEAT_SECONDS = 10
const MONITOR_SECONDS = 5
const STOP_MS = 10_000
const TIMEOUT_SECONDS = 120
const YEAR_SECONDS = 365 * 24 * 3600

type Envelope = {
  /** The same at every attempt, also when an operator retries it. Envelopes of earlier versions have none. */
  id?: string
  payload: Record<string, unknown>
  requestId: string | null
  /** The purchase to which it belongs; missing if there is none. */
  purchaseId?: string
  /** The span that caused it, as a `traceparent`; missing if nothing is traced. */
  trace?: string
}

/** The outbox and, once the database is migrated, the queue behind it. */
export function queueFor(all: readonly Job[], committed: Committed) {
  const jobs = all.filter((it) => it.everyMs === null)
  const hearing = hearersOf(jobs)
  let boss: PgBoss | null = null
  const outbox: Outbox = {
    hearing: (event) => hearing.get(event) ?? [],
    committed,
    async send(tx, queue, payload, { startAfterSeconds, key } = {}) {
      if (!boss) throw new Error('The queue has not started')
      const envelope = envelopeOf(tx, payload)
      await boss.send(queue, envelope, {
        db: fromKysely(tx),
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
        // At most one job of each key waits; without a key every job is separate.
        singletonKey: key ?? newId(),
      })
    },
    async sendAll(tx, queue, jobs) {
      if (!boss) throw new Error('The queue has not started')
      const rows = jobs.map(({ payload, key = newId() }) => {
        return { data: envelopeOf(tx, payload), singletonKey: key }
      })
      await boss.insert(queue, rows, { db: fromKysely(tx) })
    },
  }
  return {
    outbox,
    async open(database: Database, onError: (error: unknown) => void): Promise<Queue> {
      const workers = new Map<string, Workers>()
      boss = bossOn(database, (queue) => workers.get(queue)?.call())
      boss.on('error', onError)
      await boss.start()
      await makeQueues(boss, jobs)
      return queueOn(boss, database, all, workers, onError)
    },
  }
}

function envelopeOf(tx: Tx, payload: object): Envelope {
  const { requestId, purchaseId } = contextOf(tx)
  const trace = traceparent()
  return {
    ...{ id: newId(), payload: payload as Record<string, unknown>, requestId },
    ...(purchaseId && { purchaseId }),
    ...(trace && { trace }),
  }
}

/** The listeners of each event. */
function hearersOf(jobs: readonly Job[]): ReadonlyMap<string, readonly Hearer[]> {
  const hearing = new Map<string, Hearer[]>()
  for (const { name: queue, hears } of jobs) {
    if (!hears) continue
    const { events, ...how } = hears
    for (const it of events) hearing.set(it, [...(hearing.get(it) ?? []), { queue, ...how }])
  }
  return hearing
}

/** Migrates the queue's own tables to this version, one process at a time; part of the migration. */
export function migrateQueue(database: Database, all: readonly Job[]): Promise<void> {
  const jobs = all.filter((it) => it.everyMs === null)
  return changingSchema(database.pool, async (client) => {
    const boss = new PgBoss({
      db: {
        async executeSql(text, values) {
          const result = await client.query(text, values as unknown[])
          const rows = Array.isArray(result) ? result.flatMap((it) => it.rows ?? []) : result.rows
          return { rows }
        },
      },
      schema: SCHEMA,
      supervise: false,
      schedule: false,
      ...(database.embedded && { backend: 'pglite' as const }),
    })
    await boss.start()
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: YEAR_SECONDS })
    await makeQueues(boss, jobs)
    // An older version that restarts beside a newer one does not change the newer one's settings.
    if (!(await isNewer(client))) await changeQueues(boss, jobs)
    await boss.stop({ graceful: false })
    await client.query(OPENED_TO_APPLICATION)
  })
}

const OPENED_TO_APPLICATION = `
  select platform.open_schema('${SCHEMA}');
  do $$ begin
    if exists (select from pg_roles where rolname = 'moorage_app') then
      grant select, insert, update, delete on all tables in schema ${SCHEMA} to moorage_app;
      grant usage on all sequences in schema ${SCHEMA} to moorage_app;
      grant execute on all functions in schema ${SCHEMA} to moorage_app;
    end if;
  end $$`

/** The queue's library; `call` is called with a queue that may have work. */
function bossOn(database: Database, call: (queue: string) => void): PgBoss {
  return new PgBoss({
    db: adapterOf(database, call),
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

function adapterOf(database: Database, call: (queue: string) => void): BossDatabase {
  return {
    executeSql: (text, values) => database.executeTenantless(text, values),
    // The library would wake every worker of the queue.
    listen: async (channel) => ({ close: await database.listen(channel, call) }),
  }
}

/** Creates missing queues. */
async function makeQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map((it) => it.name))
  for (const it of jobs) {
    if (!known.has(it.name)) {
      await boss.createQueue(it.name, { policy: 'short', ...settingsOf(it) })
      // The library looks up a queue on first use: in a transaction of the embedded database that would
      // wait forever, so it is used here once.
      await boss.findJobs(it.name, { id: newId() })
    }
  }
}

/** Applies the settings of this version to queues that another version created. */
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
    expireInSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
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
  all: readonly Job[],
  workers: Map<string, Workers>,
  onError: (error: unknown) => void,
): Queue {
  const jobs = all.filter((it) => it.everyMs === null)
  const scheduled = all.filter((it) => it.everyMs !== null)
  let deps: Deps | null = null
  const schedules = schedulesOn(database, scheduled.map(workOf), onError)
  let stopped = false
  let unwatch = async (): Promise<void> => {}
  function workOf(it: Job): Scheduled {
    const { name, everyMs, options } = it
    const timeoutMs = (options.timeoutSeconds ?? TIMEOUT_SECONDS) * SECOND_MS
    const alone = { tenantId: EVERY_TENANT, requestId: null, jobId: null, lastTry: true, tries: 1 }
    const facts = { ...alone, name, ids: {}, trace: null }
    async function run(signal: AbortSignal): Promise<void> {
      if (deps) await runWith(deps, { ...facts, signal }, (context) => it.run(context, {} as never))
    }
    return { name, everyMs: everyMs ?? 0, timeoutMs, run }
  }
  function workersFor({ name, run, options }: Job, deps: Deps): Workers {
    const most = options.concurrency ?? 1
    return workersOn<Envelope>(boss, { name, most }, (it) => runOne(deps, it, run), lost)
  }
  // A late call finds the queue closed, which is not an error.
  function lost(error: unknown): void {
    if (!stopped) onError(error)
  }
  return {
    get healthy() {
      return !stopped
    },
    async work(these, driving = true) {
      deps = these
      if (database.embedded) await takeOver(database)
      for (const it of jobs) workers.set(it.name, workersFor(it, these))
      unwatch = watchDue(database, workers, lost)
      await schedules.start(driving)
    },
    runSchedules: (wanted) => schedules.runAll(wanted),
    async stop() {
      stopped = true
      await Promise.all([
        schedules.stop(),
        unwatch(),
        boss.stop({ graceful: true, timeout: STOP_MS, close: false }),
      ])
    },
    ...deadLettersOf(boss, database, (name) => schedules.wake(name)),
  }
}

/** The embedded database has one process: jobs that are active at its start were left by one that died. */
async function takeOver(database: Database): Promise<void> {
  await database.execute(
    `update ${SCHEMA}.job set state = 'retry', start_after = now() where state = 'active'`,
  )
}

/** Runs one job with its context, measures it, and passes its error on. */
async function runOne(
  deps: Deps,
  { id, name, data, retryCount, retryLimit, signal }: JobWithMetadata<Envelope>,
  run: Job['run'],
): Promise<void> {
  const { payload, requestId, purchaseId, trace = null, id: jobId = id } = data
  const tenantId = typeof payload.tenantId === 'string' ? payload.tenantId : EVERY_TENANT
  const happened = typeof payload.facts === 'object' ? payload.facts : null
  const ids = idsOf({ ...payload, ...happened })
  const facts = {
    ...{ name, tenantId, requestId, jobId, signal, tries: retryCount + 1, ids, trace },
    ...(purchaseId && { purchaseId }),
  }
  await runWith(deps, { ...facts, lastTry: retryCount >= retryLimit }, (it) =>
    run(it, payload as never),
  )
}

type Facts = Pick<JobContext, 'tenantId' | 'requestId' | 'signal' | 'lastTry'> & {
  name: string
  jobId: string | null
  purchaseId?: string
  tries: number
  /** The ids in its payload, for its lines in the log. */
  ids: Record<string, unknown>
  trace: string | null
}

async function runWith(
  deps: Deps,
  { name, jobId, purchaseId, tries, ids, trace, ...facts }: Facts,
  run: (context: JobContext) => Promise<void>,
): Promise<void> {
  const { tenantId, requestId } = facts
  const db = deps.database.of(tenantId)
  const log = deps.log.child({ job: name, requestId, purchaseId, ...ids, tenantId })
  const now = deps.clock.now()
  const ended = deps.metrics.jobSeconds.startTimer({ job: name })
  const context = { ...deps, ...facts, log, db, now }
  const work = () => run({ ...context, transact: (it) => transact(db, it, undefined, jobId) })
  const attributes = {
    ...{ 'messaging.destination.name': name, 'moorage.tenant_id': tenantId },
    ...{ 'moorage.try': tries, ...(requestId && { 'moorage.request_id': requestId }) },
  }
  const span = deps.tracing?.begin(`job ${name}`, { kind: 'consumer', attributes }, trace)
  try {
    await forRequest(requestId, () => (span ? measured(span, work) : work()), purchaseId)
    ended({ outcome: 'completed' })
    log.debug({ try: tries }, 'job done')
  } catch (error) {
    ended({ outcome: 'failed' })
    log.warn({ err: error, try: tries }, 'job failed')
    throw error
  }
}
