import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { readConfig } from '#app/config.ts'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { type Client, clientFor } from './client.ts'
import { testDatabase } from './database.ts'
import { formAround } from './dumps.ts'
import { freePort, startProcess } from './processes.ts'

/** An installation of one process and nothing around it. */
export type Serving = {
  admin(): Client
  /** Uploads a dump piece by piece, however large it is; answers the import. */
  upload(pieces: AsyncIterable<Buffer>, fields: Readonly<Record<string, string>>): Promise<string>
  readonly url: string
  /** The most memory that the process has had resident since it was started, in megabytes. */
  mostMemory(): number
  /** Has `mostMemory` count from what the process has resident now. */
  forgetMemory(): void
  /** `kill -9`. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends the process, and opens its database. */
  opened(): Promise<Database>
}

const LOGIN = { email: 'admin@example.com', password: 'a long enough password' }

/** Starts the process. Everything ends with the tests of the file. */
export async function serving(): Promise<Serving> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-serving-'))
  const database = await testDatabase()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ PORT: port, PUBLIC_URL: url, MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    ...(database.url && { DATABASE_URL: database.url }),
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    MOORAGE_ADMIN_EMAIL: LOGIN.email,
    MOORAGE_ADMIN_PASSWORD: LOGIN.password,
    MOORAGE_MOVABLE_CLOCK: 'on',
    ...{ RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_AUTH: '100000', RATE_LIMIT_PERSON: '100000' },
  }
  async function begin() {
    const ready = /listens on/
    const process = await startProcess({ script: 'src/main.js', args: ['serve'], env, ready })
    const { status, body, text } = await clientFor(url).post('/v1/auth/login', LOGIN)
    assert.equal(status, 200, text)
    const headers = { authorization: `Bearer ${body.accessToken}` }
    return { process, headers, admin: clientFor(url, headers) }
  }
  let running = await begin()
  let open: Database | null = null
  after(async () => {
    await running.process.kill()
    await open?.close()
    await database.drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    url,
    admin: () => running.admin,
    async upload(pieces, fields) {
      const { head, tail, headers } = formAround(fields)
      const body = Readable.from(
        (async function* () {
          yield head
          yield* pieces
          yield tail
        })(),
      )
      const answer = await fetch(`${url}/v1/admin/imports`, {
        ...{ method: 'POST', body: Readable.toWeb(body) as ReadableStream, duplex: 'half' },
        headers: { ...headers, ...running.headers },
      })
      assert.equal(answer.status, 202, await answer.clone().text())
      return ((await answer.json()) as { id: string }).id
    },
    mostMemory() {
      const status = fs.readFileSync(`/proc/${running.process.pid}/status`, 'latin1')
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1000
    },
    // See proc_pid_clear_refs(5): sets the peak of what is resident to what is now.
    forgetMemory: () => fs.writeFileSync(`/proc/${running.process.pid}/clear_refs`, '5'),
    kill: () => running.process.kill(),
    async start() {
      running = await begin()
    },
    async opened() {
      await running.process.end()
      open = await openDatabaseOf(readConfig(env), NOBODY_LISTENS)
      return open
    },
  }
}
