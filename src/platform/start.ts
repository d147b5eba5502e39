import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Area } from './area.ts'
import { restoreClock, startClock } from './clock.ts'
import { tellCommitted } from './committed.ts'
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
import { createOutbound } from './outbound.ts'
import { migrateQueue, queueFor } from './queue.ts'
import { secretsOf } from './secrets.ts'
import { type Tracing, traceFields } from './tracing/index.ts'

/** A running service. */
export type Service = {
  readonly deps: Deps
  /** Where it listens; null for a process that only works. */
  readonly url: string | null
  /** The routes it serves. */
  readonly routes: readonly RouteFacts[]
  /** Finishes what was accepted, gives unfinished jobs back, and ends. */
  stop(): Promise<void>
}

export type StartOptions = {
  /** A database that is open already (tests). */
  openDatabase?: (outbox: Outbox) => Promise<Database>
  /** False when the database is known to be at this version. */
  migrating?: boolean
  /** False when whoever starts it says when the time is looked at (tests). */
  driving?: boolean
  log?: Logger
}

/** Starts one process of the service: database, queue, then HTTP and workers as its role says. */
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
  const logger = log ?? startLog(config.logLevel, config.tracing ? traceFields : null)
  const metrics = startMetrics()
  const jobs = areas.flatMap((area) => area.jobs ?? [])
  const { outbox, open } = queueFor(jobs, tellCommitted(logger, metrics))
  const files = watched(filesOf(config.files), (up) => {
    metrics.filesUp.set(up ? 1 : 0)
    logger[up ? 'info' : 'error']({ up }, 'files')
  })
  await files.check()
  metrics.filesUp.set(1)
  const database = await openDatabase(outbox)
  if (migrating) {
    await migrate(database)
    await migrateQueue(database, jobs)
  }
  const clock = config.movableClock ? await restoreClock(database) : startClock()
  const queue = await open(database, (error) => logger.warn({ err: error }, 'queue'))
  const store = config.redisUrl ? await sharedCounters(config.redisUrl) : null
  const limiter = startLimiter(config.rateLimits, store, (up) => {
    metrics.rateLimitStoreUp.set(up ? 1 : 0)
    logger[up ? 'info' : 'error']({ up }, 'shared rate limit counters')
  })
  const outbound = createOutbound({ privateHosts: config.privateHosts, metrics })
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
  addGauges(deps)
  for (const area of areas) await area.prepare?.(deps)
  const server = config.role === 'worker' ? null : await buildServer(deps, memory)
  const url = server ? await listen(server, config) : null
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

/** Opens the database that the configuration names; the embedded one's code is loaded only where it is. */
export async function openDatabaseOf(config: Config, outbox: Outbox): Promise<Database> {
  if (config.databaseUrl) return openServer(config.databaseUrl, outbox)
  const { openEmbedded } = await import('./database/embedded.ts')
  return openEmbedded(path.join(config.dataDir, 'database'), outbox)
}

async function listen({ app }: Server, { host, port }: Config): Promise<string> {
  await app.listen({ host, port })
  const address = app.server.address()
  if (!address || typeof address === 'string') throw new Error('Not listening on a port')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}

/** Counters that all processes share; the client of Redis is loaded only where there is one. */
async function sharedCounters(url: string): Promise<CounterStore> {
  const { redisCounters } = await import('./http/shared-counters.ts')
  return redisCounters(url)
}

/** What traces this process; its code is loaded only where it is wanted. */
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
  /** Says that this process ends, and waits until those who ask have heard. */
  announce: (drainMs: number) => Promise<void>
}

/** Whether a process is about to end. What asks for it knows nothing else of the process. */
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
