import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Area } from './area.ts'
import { restoreClock, startClock } from './clock.ts'
import { reportCommitted } from './committed.ts'
import type { Config } from './config.ts'
import type { Database, Outbox } from './database/index.ts'
import { migrate } from './database/migrate.ts'
import { openServer } from './database/open.ts'
import type { Deps } from './deps.ts'
import { filesOf } from './files/place.ts'
import { watched } from './files/watched.ts'
import { addGauges } from './gauges.ts'
import { callerMemory } from './http/access.ts'
import { type CounterStore, startLimiter } from './http/limits.ts'
import type { RouteFacts } from './http/openapi.ts'
import { openProbe, type Probe } from './http/probe.ts'
import { buildServer, type Server } from './http/server.ts'
import { startLog } from './log.ts'
import { startMetrics } from './metrics.ts'
import { createOutbounds } from './outbound-uses.ts'
import { makeDataPrivate, makeFolder } from './private-files.ts'
import { migrateQueue, queueFor } from './queue.ts'
import { assertOpens } from './resealing.ts'
import { secretsOf } from './secrets.ts'
import { StartError } from './start-error.ts'
import { databaseFault, diskFault, folderFault, listenFault } from './start-faults.ts'
import { type Tracing, traceFields } from './tracing/index.ts'

/** A running service. */
export type Service = {
  readonly deps: Deps
  /** Its URL; null for a process that only does jobs. */
  readonly url: string | null
  /** The routes it serves. */
  readonly routes: readonly RouteFacts[]
  /** Finishes accepted requests, returns unfinished jobs to the queue, and ends. */
  stop(): Promise<void>
}

export type StartOptions = {
  /** A database that is open already (tests). */
  openDatabase?: (outbox: Outbox) => Promise<Database>
  /** False if the database is known to be at this version. */
  migrating?: boolean
  /** False if the caller decides when scheduled work runs (tests). */
  driving?: boolean
  log?: Logger
}

/** Starts one process of the service: the database and the queue, then HTTP and workers according to its role. */
export async function startService(
  config: Config,
  areas: readonly Area[],
  {
    openDatabase = (outbox) => openDatabaseOf(config, outbox),
    migrating = true,
    driving = true,
    log,
  }: StartOptions = {},
): Promise<Service> {
  const logger =
    log ?? startLog(config.logLevel, config.tracing ? traceFields : null, config.logFormat)
  const metrics = startMetrics()
  const jobs = areas.flatMap((area) => area.jobs ?? [])
  const { outbox, open } = queueFor(jobs, reportCommitted(logger, metrics))
  if (!config.databaseUrl) prepareFolder(config.dataDir)
  const files = watched(filesOf(config.files), (up) => {
    metrics.filesUp.set(up ? 1 : 0)
    logger[up ? 'info' : 'error']({ up }, up ? 'files can be stored' : 'files cannot be stored')
  })
  await files.check()
  metrics.filesUp.set(1)
  const database = await openDatabase(outbox)
  if (migrating) await prepareDatabase(database, config, areas)
  const clock = config.movableClock ? await restoreClock(database) : startClock()
  const queue = await open(database, (error) => logger.warn({ err: error }, 'the job queue failed'))
  const store = config.redisUrl ? await sharedCounters(config.redisUrl) : null
  const limiter = startLimiter(config.rateLimits, store, (up) => {
    metrics.rateLimitStoreUp.set(up ? 1 : 0)
    const state = up ? 'used' : 'unreachable, and each process counts by itself'
    logger[up ? 'info' : 'error']({ up }, `shared rate limit counters are ${state}`)
  })
  const outbound = createOutbounds({
    ...{ privateHosts: config.privateHosts, metrics },
    tenantIdOf: async (domain) => (await tenantOf(domain ?? ''))?.id ?? null,
  })
  const tracing = await tracingOf(config, logger)
  const end = endOf()
  const memory = callerMemory()
  const deps: Deps = {
    config,
    clock,
    database,
    secrets: secretsOf(config.secretKeys),
    log: logger,
    queue,
    limiter,
    metrics,
    outbound,
    files,
    tracing,
    areas,
    isEnding: end.isNear,
    forgetCallers: (which) => memory.forget(which),
  }
  const tenantOf = areas.find((area) => area.tenantOf)?.tenantOf?.(deps) ?? (async () => null)
  addGauges(deps)
  for (const area of areas) await area.prepare?.(deps)
  const server = config.role === 'worker' ? null : await buildServer(deps, memory)
  const url = server
    ? await listen(server, config).catch(async (error) => {
        await database.close().catch(() => {})
        throw error
      })
    : null
  if (config.role !== 'api') await queue.work(deps, driving)
  const { role, probePort } = config
  const probe = role === 'worker' && probePort ? await openProbe(deps, probePort) : null
  return {
    deps,
    url,
    routes: server?.routes ?? [],
    stop: stopper({ server, probe, end, deps }),
  }
}

/** Creates the data folder, or closes it to other users. Throws a `StartError` if it cannot be written to. */
function prepareFolder(dataDir: string): void {
  try {
    makeFolder(dataDir)
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    makeDataPrivate(dataDir)
  } catch (error) {
    throw folderFault(error, dataDir)
  }
}

/**
 * Migrates the database to this version, and checks whether its sealed texts can be opened with the secret keys.
 * Throws a `StartError` if the server or the disk refuses.
 */
async function prepareDatabase(
  database: Database,
  config: Config,
  areas: readonly Area[],
): Promise<void> {
  try {
    await migrate(database)
    await migrateQueue(
      database,
      areas.flatMap((area) => area.jobs ?? []),
    )
    if (!config.ignoresSealed) {
      const columns = areas.flatMap(({ sealed }) => sealed ?? [])
      await assertOpens(database.everywhere, secretsOf(config.secretKeys), columns)
    }
  } catch (error) {
    await database.close().catch(() => {})
    throw unusableDatabase(error, config) ?? error
  }
}

/** Why the configured database cannot be used, for a command that has it open; null for another error. */
export function unusableDatabase(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): StartError | null {
  return databaseUrl ? databaseFault(error, databaseUrl) : diskFault(error, dataDir)
}

/**
 * Opens the configured database; the embedded one's code is loaded only if it is used. Throws a `StartError` if
 * it cannot be used.
 */
export async function openDatabaseOf(config: Config, outbox: Outbox): Promise<Database> {
  if (config.databaseUrl) return reachable(config.databaseUrl, outbox)
  try {
    const { openEmbedded, withoutOptimizer } = await import('./database/embedded.ts')
    withoutOptimizer()
    return await openEmbedded(path.join(config.dataDir, 'database'), outbox)
  } catch (error) {
    throw folderFault(error, config.dataDir)
  }
}

const OLDEST_SERVER = 150_000

/** A server that responds, accepts our user, and is new enough. */
async function reachable(url: string, outbox: Outbox): Promise<Database> {
  const database = openServer(url, outbox)
  try {
    const { rows } = await database.pool.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    if (Number(rows[0]?.version) < OLDEST_SERVER) {
      throw new StartError('DATABASE_URL: the server is older than PostgreSQL 15. Upgrade it.')
    }
    return database
  } catch (error) {
    await database.close().catch(() => {})
    throw databaseFault(error, url) ?? error
  }
}

async function listen({ app }: Server, { host, port }: Config): Promise<string> {
  await app.listen({ host, port }).catch((error) => {
    throw listenFault(error, { host, port }) ?? error
  })
  const address = app.server.address()
  if (!address || typeof address === 'string') throw new Error('Not listening on a port')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}

/** Counters that all processes share; the Redis client is loaded only if there is one. */
async function sharedCounters(url: string): Promise<CounterStore> {
  const { redisCounters } = await import('./http/shared-counters.ts')
  return redisCounters(url)
}

/** The tracing of this process; its code is loaded only if it is configured. */
async function tracingOf({ tracing }: Config, log: Logger): Promise<Tracing | null> {
  if (!tracing) return null
  const { startTracing } = await import('./tracing/otlp.ts')
  return startTracing(tracing, (error) => {
    if (error) log.warn({ err: error }, 'traces cannot be sent')
    else log.info('traces are sent again')
  })
}

type End = {
  isNear: () => boolean
  /** Reports that this process ends, and waits until health checks have noticed. */
  announce: (drainMs: number) => Promise<void>
}

/** Whether a process is about to end, without access to anything else of the process. */
function endOf(): End {
  let near = false
  return {
    isNear: () => near,
    announce(drainMs) {
      near = true
      return sleep(drainMs)
    },
  }
}

type Running = { server: Server | null; probe: Probe | null; end: End; deps: Deps }

function stopper({ server, probe, end, deps }: Running): () => Promise<void> {
  const { config, queue, limiter, outbound, database, tracing } = deps
  let stopping: Promise<void> | null = null
  async function stop(): Promise<void> {
    await end.announce(server ? config.drainMs : 0)
    await server?.app.close()
    await queue.stop()
    await limiter.stop()
    outbound.close()
    await probe?.close()
    await database.close()
    await tracing?.stop()
  }
  return () => {
    stopping ??= stop()
    return stopping
  }
}
