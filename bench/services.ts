import assert from 'node:assert/strict'
import os from 'node:os'
import { readConfig } from '#app/config.ts'
import { clientFor } from '#test/client.ts'
import { testDatabase } from '#test/database.ts'
import { freePort, type Running, startProcess } from '#test/processes.ts'
import { median, type Run, runLoad } from './load.ts'
import { insertServices } from './rows.ts'
import { type Statement, statementsOf } from './statements.ts'

export type Plan = { rows: number; rounds: number; seconds: number; connections: number }

/** The list of services, by the service and by a bare handler: the same query, the same bytes. */
export type Result = Plan & {
  name: string
  at: string
  machine: string
  bytes: number
  statements: number
  service: Run
  bare: Run
  /** Requests per second of the service, as a part of the bare handler's. */
  ratio: number
}

const PATH = '/v1/services'

/** Measures in turns, and takes the medians. Needs a PostgreSQL server. */
export async function measureServices(plan: Plan): Promise<Result> {
  const database = await testDatabase()
  if (!database.url) throw new Error('Set DATABASE_URL: this is measured on a PostgreSQL server')
  const running: Running[] = []
  try {
    const env = await environmentFor(database.url)
    running.push(
      await startProcess({ script: 'src/main.ts', args: ['serve'], env, ready: /listens on/ }),
    )
    const { token, userId } = await newCustomer(env.PUBLIC_URL)
    await insertServices(database.url, userId, plan.rows)
    const statements = await statementsOf(readConfig(env), async (url) => {
      assert.equal((await ask(url, token)).body.data.length, plan.rows)
    })
    const statement = statements.find(({ text }) => text.includes('services'))
    assert.ok(statement, 'The list of services is read from the database')
    const bare = await startBare(database.url, statement)
    running.push(bare)
    const [ours, theirs] = [await ask(env.PUBLIC_URL, token), await ask(bare.url, token)]
    assert.equal(ours.text, theirs.text, 'Both send the same bytes')
    const runs = await alternate(plan, token, { service: env.PUBLIC_URL, bare: bare.url })
    return {
      ...{ name: `GET ${PATH}`, at: new Date().toISOString(), machine: machine(), ...plan },
      ...{ bytes: Buffer.byteLength(ours.text), statements: statements.length, ...runs },
      ratio: runs.service.requestsPerSecond / runs.bare.requestsPerSecond,
    }
  } finally {
    await Promise.all(running.map((it) => it.kill()))
    await database.drop()
  }
}

async function environmentFor(databaseUrl: string) {
  const port = String(await freePort())
  return {
    DATABASE_URL: databaseUrl,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT_GENERAL: '1000000',
  }
}

async function newCustomer(url: string): Promise<{ token: string; userId: string }> {
  const person = { email: 'player@example.com', password: 'a long enough password', name: 'Ada' }
  const { status, body, text } = await clientFor(url).post('/v1/auth/register', person)
  assert.equal(status, 201, text)
  return { token: body.accessToken, userId: body.user.id }
}

function ask(url: string, token: string) {
  return clientFor(url, { authorization: `Bearer ${token}` }).get(PATH)
}

async function startBare(
  databaseUrl: string,
  statement: Statement,
): Promise<Running & { url: string }> {
  const port = String(await freePort())
  const env = { DATABASE_URL: databaseUrl, STATEMENT: JSON.stringify(statement), PORT: port }
  const running = await startProcess({ script: 'bench/bare.ts', env, ready: /listens/ })
  return { ...running, url: `http://127.0.0.1:${port}` }
}

type Urls = { service: string; bare: string }

async function alternate(
  { rounds, seconds, connections }: Plan,
  token: string,
  urls: Urls,
): Promise<{ service: Run; bare: Run }> {
  const load = (base: string, seconds: number) =>
    runLoad({ url: `${base}${PATH}`, token, seconds, connections })
  for (const url of Object.values(urls)) await load(url, 2)
  const runs: { service: Run[]; bare: Run[] } = { service: [], bare: [] }
  for (let round = 1; round <= rounds; round += 1) {
    runs.bare.push(await load(urls.bare, seconds))
    runs.service.push(await load(urls.service, seconds))
  }
  return { service: middleOf(runs.service), bare: middleOf(runs.bare) }
}

function middleOf(runs: readonly Run[]): Run {
  return {
    requestsPerSecond: median(runs.map((it) => it.requestsPerSecond)),
    p50Ms: median(runs.map((it) => it.p50Ms)),
    p99Ms: median(runs.map((it) => it.p99Ms)),
  }
}

function machine(): string {
  const [cpu] = os.cpus()
  return `${os.availableParallelism()} × ${cpu?.model.trim()}, Node ${process.version}`
}
