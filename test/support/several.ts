import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { openServer } from '#platform/database/open.ts'
import { filesOf } from '#platform/files/place.ts'
import { SANDBOX_SELLER } from '#sandbox/seller.ts'
import { type Client, clientFor } from './client.ts'
import { testDatabase } from './database.ts'
import { freePort, type Running, runToEnd, startProcess } from './processes.ts'

/** One process of several, that can be ended and started again where it was. */
export type Member = {
  readonly url: string
  /** What the database server knows its connections by. */
  readonly name: string
  /** What it has printed since it was started. */
  readonly lines: readonly string[]
  readonly ended: boolean
  /** `kill -9`. */
  kill(): Promise<void>
  /** Stops it where it is, as a machine that is paused does. */
  freeze(): void
  thaw(): void
  /** `SIGTERM`, and waits for its end; answers its exit code. */
  end(): Promise<number | null>
  start(): Promise<void>
}

/** An installation of several processes on one database and one Redis. */
export type Several = {
  readonly apis: readonly [Member, Member]
  readonly workers: readonly [Member, Member]
  readonly databaseUrl: string
  /** A client of a process, or of what stands before them, that does everything as the administrator. */
  admin(url: string): Client
  /** Opens an account; answers its id. */
  customer(): Promise<string>
  /** Runs a command of the service beside them, and answers what it printed. Throws when it fails. */
  command(name: string): Promise<string>
  /** What `moorage doctor` would find, without a process of its own: a fifth of the time. */
  faults(): Promise<string[]>
}

const PASSWORD = 'a long enough password'
const ADMIN = { email: 'admin@example.com', password: PASSWORD }

/**
 * Starts two processes for requests and two for work. They end with the tests of the file. `more` is what
 * else they are started with; a `DATABASE_URL` in it is brought to this version, and left to its owner.
 */
export async function several(more: Record<string, string> = {}): Promise<Several> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-several-'))
  const given = more.DATABASE_URL
  const database = given ? { url: given, drop: async () => {} } : await testDatabase()
  const databaseUrl = database.url ?? ''
  const running = new Set<Running>()
  after(async () => {
    await Promise.all([...running].map((it) => it.kill()))
    await database.drop()
    fs.rmSync(dataDir, { recursive: true })
  })
  const firstPort = String(await freePort())
  const env = {
    ...{
      PUBLIC_URL: `http://127.0.0.1:${firstPort}`,
      DATABASE_URL: databaseUrl,
      MOORAGE_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    },
    REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    MOORAGE_ADMIN_EMAIL: ADMIN.email,
    MOORAGE_ADMIN_PASSWORD: ADMIN.password,
    MOORAGE_METRICS_TOKEN: 'metrics',
    TRUST_PROXY: '127.0.0.1',
    ...more,
  }
  async function member(role: 'serve' | 'worker', given?: string): Promise<Member> {
    const port = given ?? String(await freePort())
    const own =
      role === 'serve' ? { PORT: port, MOORAGE_ROLE: 'api' } : { MOORAGE_PROBE_PORT: port }
    const ready = role === 'serve' ? /listens on/ : /Moorage works/
    const name = `${role}-${port}`
    const named = new URL(databaseUrl)
    named.searchParams.set('application_name', name)
    let process: Running | null = null
    async function start(): Promise<void> {
      process = await startProcess({
        ...{
          script: 'src/main.js',
          args: [role],
          env: { ...env, ...own, DATABASE_URL: named.href },
          ready,
        },
      })
      running.add(process)
    }
    await start()
    return {
      url: `http://127.0.0.1:${port}`,
      ...{ name, start },
      get lines() {
        return process?.lines ?? []
      },
      get ended() {
        return process?.ended ?? true
      },
      kill: async () => process?.kill(),
      freeze: () => process?.freeze(),
      thaw: () => process?.thaw(),
      end: async () => (process ? process.end() : null),
    }
  }
  // One after the other: the first makes what the others find.
  const apis = [await member('serve', firstPort), await member('serve')] as const
  const workers = await Promise.all([member('worker'), member('worker')])
  const { status, body, text } = await clientFor(apis[0].url).post('/v1/auth/login', ADMIN)
  assert.equal(status, 200, text)
  const session = clientFor(apis[0].url, { authorization: `Bearer ${body.accessToken}` })
  const entered = await session.patch('/v1/admin/shop', { seller: SANDBOX_SELLER })
  assert.equal(entered.status, 200, entered.text)
  const { key } = (await session.post('/v1/api-keys', { permission: 'read-write' })).body
  let customers = 0
  let looking: Database | null = null
  after(() => looking?.close())
  async function faults(): Promise<string[]> {
    looking ??= openServer(databaseUrl, NOBODY_LISTENS)
    const files = filesOf({ folder: path.join(dataDir, 'files') })
    const found: string[] = []
    for await (const it of faultsIn({ database: looking, files }, areas)) found.push(it)
    return found
  }
  return {
    ...{ apis, workers, databaseUrl, faults },
    command: (name) => runToEnd({ script: 'src/main.js', args: [name], env }),
    admin: (url) => clientFor(url, { authorization: `Bearer ${key}` }),
    async customer() {
      customers += 1
      const login = { email: `player${customers}@example.com`, password: PASSWORD }
      const wanted = { ...login, name: 'Ada Lovelace', country: 'FR' }
      const made = await clientFor(apis[0].url).post('/v1/auth/register', wanted)
      assert.equal(made.status, 201, made.text)
      const { body } = await clientFor(apis[1].url).post('/v1/auth/login', login)
      return body.user.id
    },
  }
}
