import path from 'node:path'
import type { Logger } from 'pino'
import type { Area } from './area.ts'
import { restoreClock, startClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database, Outbox } from './database/index.ts'
import { migrate } from './database/migrate.ts'
import { openEmbedded, openServer } from './database/open.ts'
import type { Deps } from './deps.ts'
import { filesIn } from './files/folder.ts'
import { callerMemory } from './http/access.ts'
import { startLimiter } from './http/limits.ts'
import type { RouteFacts } from './http/openapi.ts'
import { buildServer, type Server } from './http/server.ts'
import { redisCounters } from './http/shared-counters.ts'
import { migrateQueue, type Queue, queueFor } from './jobs.ts'
import { startLog } from './log.ts'
import { startMetrics } from './metrics.ts'
import { createOutbound } from './outbound.ts'
import { secretsOf } from './secrets.ts'

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
  log?: Logger
}

/** Starts one process of the service: database, queue, then HTTP and workers as its role says. */
export async function startService(
  config: Config,
  areas: readonly Area[],
  {
    openDatabase = (outbox) => openDatabaseOf(config, outbox),
    migrating = true,
    log,
  }: StartOptions = {},
): Promise<Service> {
  const logger = log ?? startLog(config.logLevel)
  const jobs = areas.flatMap((area) => area.jobs ?? [])
  const { outbox, open } = queueFor(jobs)
  const database = await openDatabase(outbox)
  if (migrating) {
    await migrate(database)
    await migrateQueue(database, jobs)
  }
  const clock = config.movableClock ? await restoreClock(database) : startClock()
  const queue = await open(database, (error) => logger.warn({ err: error }, 'queue'))
  const metrics = startMetrics()
  const store = config.redisUrl ? redisCounters(config.redisUrl) : null
  const limiter = startLimiter(config.rateLimits, store, (up) => {
    metrics.rateLimitStoreUp.set(up ? 1 : 0)
    logger[up ? 'info' : 'error']({ up }, 'shared rate limit counters')
  })
  const outbound = createOutbound({ privateHosts: config.privateHosts })
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
    files: filesIn(config.filesDir),
    areas,
    forgetCallers: (which) => memory.forget(which),
  }
  for (const area of areas) await area.prepare?.(deps)
  const server = config.role === 'worker' ? null : await buildServer(deps, memory)
  const url = server ? await listen(server, config) : null
  if (config.role !== 'api') await queue.work(deps)
  return {
    deps,
    url,
    routes: server?.routes ?? [],
    stop: stopper({ server, queue, database, limiter, outbound }),
  }
}

/** Opens the database that the configuration names. */
export async function openDatabaseOf(config: Config, outbox: Outbox): Promise<Database> {
  return config.databaseUrl
    ? openServer(config.databaseUrl, outbox)
    : openEmbedded(path.join(config.dataDir, 'database'), outbox)
}

async function listen({ app }: Server, { host, port }: Config): Promise<string> {
  await app.listen({ host, port })
  const address = app.server.address()
  if (!address || typeof address === 'string') throw new Error('Not listening on a port')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}

type Running = {
  server: Server | null
  queue: Queue
  database: Database
  limiter: Deps['limiter']
  outbound: Deps['outbound']
}

function stopper({ server, queue, database, limiter, outbound }: Running): () => Promise<void> {
  let stopping: Promise<void> | null = null
  async function stop(): Promise<void> {
    server?.drain()
    await server?.app.close()
    await queue.stop()
    await limiter.stop()
    outbound.close()
    await database.close()
  }
  return () => {
    stopping ??= stop()
    return stopping
  }
}
