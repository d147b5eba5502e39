import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Logger, pino } from 'pino'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import { type Service, startService } from '#platform/start.ts'
import { type Client, clientFor } from './client.ts'
import { testDatabase } from './database.ts'

/** The service, listening on a port of its own, on a database of its own. */
export type TestApp = Client & {
  readonly deps: Service['deps']
  readonly url: string
  readonly databaseUrl: string | null
  readonly tenantId: string
  readonly routes: Service['routes']
  /** A client that sends a token with every request. */
  as(token: string): Client
  /** Moves the clock and starts what the time drives. */
  advance(seconds: number): Promise<void>
  /** Waits as `until` does, while what the time drives runs on: one run may make work for the next. */
  eventually: Eventually
  stop(): Promise<void>
}

export type TestOptions = { config?: Partial<Config>; areas?: readonly Area[]; log?: Logger }

type Eventually = <T>(what: string, look: Look<T>) => Promise<T>
type Look<T> = () => Promise<T | null | undefined | false> | T | null | undefined | false

const MANY = 1_000_000

/** Starts the service for a test, or for all tests of a file when no context is given. */
export async function testApp(t: TestContext | null, options: TestOptions = {}): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-test-'))
  const config: Config = { ...baseConfig(dataDir), databaseUrl: database.url, ...options.config }
  const service = await startService(config, options.areas ?? areas, {
    openDatabase: (outbox) => database.open(outbox),
    migrating: false,
    log: options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
  })
  const { deps } = service
  const url = service.url ?? ''
  const tenant = await deps.database.everywhere
    .selectFrom('tenants.tenants')
    .select('id')
    .where('isDefault', '=', true)
    .executeTakeFirstOrThrow()
  async function stop(): Promise<void> {
    await service.stop()
    await database.drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  if (t) t.after(stop)
  else after(stop)
  return {
    ...clientFor(url),
    deps,
    url,
    databaseUrl: database.url,
    tenantId: tenant.id,
    routes: service.routes,
    as: (token) => clientFor(url, { authorization: `Bearer ${token}` }),
    async advance(seconds) {
      deps.clock.advance(seconds * 1000)
      await deps.queue.runSchedules()
    },
    eventually: (what, look) =>
      until(
        what,
        async () => {
          const seen = await look()
          if (!seen) await deps.queue.runSchedules()
          return seen
        },
        { everyMs: CLOCK_LOOK_MS },
      ),
    stop,
  }
}

function baseConfig(dataDir: string): Config {
  return {
    version: '0.0.0',
    port: 0,
    host: '127.0.0.1',
    publicUrl: 'http://shop.test',
    databaseUrl: null,
    redisUrl: null,
    dataDir,
    filesDir: path.join(dataDir, 'files'),
    secretKeys: [Buffer.alloc(32, 7)],
    role: 'all',
    admin: null,
    rateLimits: { general: MANY, auth: MANY },
    trustProxy: false,
    privateHosts: [],
    sandboxProviderUrl: null,
    sandboxMollieUrl: null,
    sandboxPaypalUrl: null,
    viesUrl: null,
    discordUrl: 'https://discord.com',
    smtpUrl: null,
    metricsToken: null,
    sourceUrl: null,
    logLevel: 'silent',
    movableClock: true,
  }
}

const WAIT_MS = 15_000
const LOOK_MS = 15

/** How often to look when looking moves the clock: what the time drives is to have an end between. */
export const CLOCK_LOOK_MS = 150

/** Waits until `look` answers something true, and gives it back. Fails with `what` after 15 s. */
export async function until<T>(
  what: string,
  look: Look<T>,
  { waitMs = WAIT_MS, everyMs = LOOK_MS }: { waitMs?: number; everyMs?: number } = {},
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > endMs) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
