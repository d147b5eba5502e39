import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Logger, pino } from 'pino'
import { areas } from '#app/areas.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import type { Area } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import { type Service, startService } from '#platform/start.ts'
import { type Client, clientFor } from './client.ts'
import { testDatabase } from './database.ts'
import { enterSeller } from './seller.ts'

/** The service, listening on a port of its own, on a database of its own. */
export type TestApp = Client & {
  readonly deps: Service['deps']
  readonly url: string
  readonly databaseUrl: string | null
  readonly tenantId: string
  readonly routes: Service['routes']
  /** A client that sends a token with every request. */
  as(token: string): Client
  /**
   * Moves the clock and runs what the time drives: what runs every minute or more often, and of the
   * rest what has become due by the clock.
   */
  advance(seconds: number): Promise<void>
  /**
   * Waits as `until` does, while what the time drives runs on: one run may make work for the next.
   * With `seconds` the clock moves on by so much each time. What runs seldom is run too when the rest
   * brings nothing.
   */
  eventually: Eventually
  stop(): Promise<void>
}

export type TestOptions = {
  config?: Partial<Config>
  areas?: readonly Area[]
  log?: Logger
  /** Whether the seller is complete, as it is unless said otherwise: a shop without one sells nothing. */
  sells?: boolean
}

type Eventually = <T>(what: string, look: Look<T>, step?: { seconds?: number }) => Promise<T>
type Look<T> = () => Promise<T | null | undefined | false> | T | null | undefined | false

const MANY = 1_000_000

/** Starts the service for a test, or for all tests of a file when no context is given. */
export async function testApp(t: TestContext | null, options: TestOptions = {}): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-test-'))
  const config: Config = { ...baseConfig(dataDir), databaseUrl: database.url, ...options.config }
  let running: Service | null = await startService(config, options.areas ?? areas, {
    openDatabase: (outbox) => database.open(outbox),
    migrating: false,
    driving: false,
    log: options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
  })
  const { deps, routes } = running
  const url = running.url ?? ''
  const tenant = await deps.database.everywhere
    .selectFrom('tenants.tenants')
    .select('id')
    .where('isDefault', '=', true)
    .executeTakeFirstOrThrow()
  if (options.sells ?? true) await enterSeller(deps.database, tenant.id)
  async function stop(): Promise<void> {
    await running?.stop()
    // A file's variables live as long as its thread: the server, most of it, is not to live in them.
    running = null
    await database.drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  const ranMs = new Map<string, number>()
  const startMs = Date.parse(deps.clock.now())
  async function advance(seconds: number, anyhow = false): Promise<void> {
    deps.clock.advance(seconds * SECOND_MS)
    const nowMs = Date.parse(deps.clock.now())
    const { ended } = await deps.queue.runSchedules(({ name, everyMs }) => {
      const dueMs = (ranMs.get(name) ?? startMs) + everyMs
      if (!anyhow && everyMs > MINUTE_MS && dueMs > nowMs) return false
      ranMs.set(name, nowMs)
      return true
    })
    await ended
  }
  if (t) t.after(stop)
  else after(stop)
  return {
    ...clientFor(url),
    deps,
    url,
    databaseUrl: database.url,
    tenantId: tenant.id,
    routes,
    as: (token) => clientFor(url, { authorization: `Bearer ${token}` }),
    advance: (seconds) => advance(seconds),
    async eventually(what, look, { seconds = 0 } = {}) {
      const endMs = performance.now() + WAIT_MS
      for (let round = 0; ; round++) {
        const seen = await soon(look, round)
        if (seen) return seen
        if (performance.now() > endMs) throw new Error(`Waited in vain: ${what}`)
        await advance(seconds, round >= FREQUENT_ROUNDS)
      }
    },
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
    files: { folder: path.join(dataDir, 'files') },
    secretKeys: [Buffer.alloc(32, 7)],
    role: 'all',
    drainMs: 0,
    probePort: null,
    admin: null,
    rateLimits: { general: MANY, auth: MANY, person: MANY },
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
    tracing: null,
    logLevel: 'silent',
    // What a test changes is on the next page.
    sharedPagesMs: 0,
    movableClock: true,
    ignoresSealed: false,
    logFormat: 'json',
  }
}

const WAIT_MS = 45_000
/** So often what runs seldom is left out. */
const FREQUENT_ROUNDS = 3
const LOOK_MS = 15
/** What does not come at once is looked for less and less often: a look costs as much as what is awaited. */
const SELDOM_MS = 120

/** When to look at what jobs do that have just been started: they mostly end at once. */
const LOOKS_MS = [0, 15, 30, 60, 60]
/** From the third time on what is awaited is not there yet because it waits itself. */
const LATER_LOOKS_MS = [0, 60, SELDOM_MS, SELDOM_MS, SELDOM_MS]

async function soon<T>(look: Look<T>, round: number): Promise<T | null> {
  for (const ms of round < FREQUENT_ROUNDS ? LOOKS_MS : LATER_LOOKS_MS) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    const seen = await look()
    if (seen) return seen
  }
  return null
}

/** Waits until `look` answers something true, and gives it back. Fails with `what` after 45 s. */
export async function until<T>(
  what: string,
  look: Look<T>,
  { waitMs = WAIT_MS, everyMs }: { waitMs?: number; everyMs?: number } = {},
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (let pauseMs = everyMs ?? LOOK_MS; ; ) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > endMs) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (everyMs === undefined) pauseMs = Math.min(pauseMs * 1.5, SELDOM_MS)
  }
}
