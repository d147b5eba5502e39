import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { startService } from '#platform/start.ts'
import { type Measurement, report } from './report.ts'
import { type Reader, seed } from './seed.ts'

/**
 * Measures the service against a bare handler that sends the same bytes: each in a process of its
 * own on one database, loaded in turns from a third process. `--quick` takes shorter turns.
 */
const PATHS = ['/v1/services', '/v1/notifications/unread-count', '/v1/billing/invoices']
const CONNECTIONS = 32
const quick = process.argv.includes('--quick')
// Short turns: what else the machine does should meet both of a round alike.
const ROUNDS = quick ? 5 : 20
const SECONDS = 1
const WARM_UP_SECONDS = quick ? 4 : 8

const root = path.join(import.meta.dirname, '..')
const serverUrl = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
const LISTENING = /listens on (\S+)/

/** A server under load: where it listens, and what goes along with every request. */
type Target = { url: string; headers: Readonly<Record<string, string>> }

const databaseName = `moorage_bench_${randomBytes(6).toString('hex')}`
const children: ChildProcess[] = []
await onServer(`create database ${databaseName}`)
try {
  await measureAll()
} finally {
  for (const child of children) await ended(child)
  await onServer(`drop database ${databaseName} with (force)`)
}
await part('renewals.ts')
await part('imports.ts')

async function measureAll(): Promise<void> {
  const databaseUrl = new URL(serverUrl)
  databaseUrl.pathname = `/${databaseName}`
  const env = {
    DATABASE_URL: databaseUrl.href,
    MOORAGE_SECRET_KEY: randomBytes(32).toString('base64'),
    MOORAGE_ROLE: 'api',
    PORT: '0',
    PUBLIC_URL: 'https://shop.example.org',
    // The limiter counts as always; it is not what is measured when it refuses.
    RATE_LIMIT_GENERAL: '1000000',
  }
  const reader = await seeded(env)
  // As the owner: the application's role may not.
  await onServer('analyze', env.DATABASE_URL)
  const service = {
    url: await started(path.join(root, 'src/main.ts'), ['serve'], env),
    headers: { authorization: `Bearer ${reader.token}` },
  }
  const bare = {
    url: await started(path.join(root, 'bench/bare.ts'), [], {
      ...{ DATABASE_URL: env.DATABASE_URL, TENANT_ID: reader.tenantId, USER_ID: reader.userId },
    }),
    headers: service.headers,
  }
  const measurements: Measurement[] = []
  for (const path of PATHS) measurements.push(await measured(path, { service, bare }))
  report(measurements, { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS, quick })
}

async function seeded(env: Record<string, string>): Promise<Reader> {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    return await seed(service.deps)
  } finally {
    await service.stop()
  }
}

/** Starts a server of its own process, and answers its address. */
function started(file: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [...execArgs(file), file, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = LISTENING.exec(text)?.[1]
      if (url) resolve(url)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
}

/** `--profile` writes a CPU profile of each server into bench/results. */
function execArgs(file: string): string[] {
  if (!process.argv.includes('--profile')) return []
  const name = `${path.basename(file, '.ts')}.cpuprofile.tmp`
  return ['--cpu-prof', '--cpu-prof-dir=bench/results', `--cpu-prof-name=${name}`]
}

/** What is measured by a process of its own, whose memory is nobody else's. */
async function part(name: string): Promise<void> {
  const file = path.join(root, 'bench', name)
  const args = ['--expose-gc', file, ...(quick ? ['--quick'] : [])]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, `${file} ended with ${code}`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await end
}

async function measured(
  path: string,
  { service, bare }: { service: Target; bare: Target },
): Promise<Measurement> {
  assert.deepEqual(await bytesOf(service, path), await bytesOf(bare, path), `${path} differs`)
  await load(service, path, WARM_UP_SECONDS)
  await load(bare, path, WARM_UP_SECONDS)
  const pairs: { service: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const serviceRate = await load(service, path, SECONDS)
    pairs.push({ service: serviceRate, bare: await load(bare, path, SECONDS) })
  }
  return { path, pairs }
}

async function bytesOf({ url, headers }: Target, path: string): Promise<string> {
  const response = await fetch(url + path, { headers })
  assert.equal(response.status, 200)
  return response.text()
}

/** Requests a second over some seconds. Throws when any was answered with something but 200. */
async function load({ url, headers }: Target, path: string, seconds: number): Promise<number> {
  const options = { connections: CONNECTIONS, duration: seconds, headers }
  const result = await autocannon({ url: url + path, ...options })
  const { requests, errors, timeouts, non2xx, duration } = result
  assert.equal(errors + timeouts + non2xx, 0, `${url}${path} failed under load`)
  return requests.total / duration
}

async function onServer(statement: string, connectionString = serverUrl): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}
