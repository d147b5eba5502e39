import { pino } from 'pino'
import type { Area } from './area.ts'
import { startClock } from './clock.ts'
import type { Config } from './config.ts'
import { NOBODY_LISTENS } from './database/index.ts'
import { openServer } from './database/open.ts'
import { filesOf } from './files/place.ts'
import { watched } from './files/watched.ts'
import { callerMemory } from './http/access.ts'
import { startLimiter } from './http/limits.ts'
import { buildServer } from './http/server.ts'
import { startMetrics } from './metrics.ts'
import { createOutbounds } from './outbound-uses.ts'
import type { Queue } from './queue.ts'
import { secretsOf } from './secrets.ts'

const NO_QUEUE: Queue = {
  healthy: false,
  work: async () => {},
  runSchedules: async () => ({ ended: Promise.resolve() }),
  stop: async () => {},
  deadLetters: async () => [],
  isDead: async () => false,
  retry: async () => false,
  discard: async () => false,
}

/** The API document, created without a database: the routes are registered, but not served. */
export async function describeService(config: Config, areas: readonly Area[]): Promise<object> {
  // Would connect on first use, but is never used.
  const database = openServer('postgres://localhost', NOBODY_LISTENS)
  const memory = callerMemory()
  const outbound = createOutbounds({ privateHosts: [], tenantIdOf: async () => null })
  const { app } = await buildServer(
    {
      ...{ config, areas, database, outbound },
      ...{ clock: startClock(), log: pino({ level: 'silent' }), queue: NO_QUEUE, tracing: null },
      ...{ limiter: startLimiter(config.rateLimits), metrics: startMetrics() },
      ...{ secrets: secretsOf(config.secretKeys), files: watched(filesOf(config.files), () => {}) },
      isEnding: () => false,
      forgetCallers: (which) => memory.forget(which),
    },
    memory,
  )
  const document = app.swagger()
  await app.close()
  outbound.close()
  await database.close()
  return document
}
