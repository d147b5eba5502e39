import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { startService } from '#platform/start.ts'
import {
  type Load,
  load,
  onOwnDatabase,
  type Running,
  settingsFor,
  started,
  withClient,
} from './ground.ts'
import { type Recorded, record } from './recorded.ts'
import { type LimitMeasurement, reportLimit } from './report.ts'
import { type Reader, seed } from './seed.ts'

/**
 * Measures the service against a bare handler that runs the same statements, and against the limit of one
 * process, which reads a stored answer. All send the same bytes, each from a process of its own on one
 * database, loaded in turns from another process.
 */
const quick = process.argv.includes('--quick')
const only = process.argv.find((it) => it.startsWith('--only='))?.slice(7)
// Short turns: what else the machine does should meet both of a round alike.
const ROUNDS = quick ? 5 : 9
const SECONDS = 1
const WARM_UP_SECONDS = quick ? 2 : 3

/**
 * What is asked for most. The panel of a customer asks for the first four with every page, visitors for
 * the catalogue, and who runs the shop for the last.
 */
function pathsFor({ serviceId, invoiceId, slug }: Reader): string[] {
  const paths = [
    '/v1/services',
    `/v1/services/${serviceId}`,
    '/v1/notifications/unread-count',
    '/v1/notifications',
    '/v1/billing/invoices',
    `/v1/billing/invoices/${invoiceId}`,
    '/v1/billing/orders',
    '/v1/store/products',
    `/v1/store/products/${slug}`,
    '/v1/cart',
    '/v1/admin/services',
  ]
  return paths.filter((it) => !only || it.includes(only))
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bench-'))
try {
  await onOwnDatabase(async (databaseUrl) => {
    const measurements = await measureAll(databaseUrl)
    reportLimit(measurements, { rounds: ROUNDS, seconds: SECONDS, quick: quick || Boolean(only) })
  })
} finally {
  fs.rmSync(folder, { recursive: true })
}

async function measureAll(databaseUrl: string): Promise<LimitMeasurement[]> {
  const env = settingsFor(databaseUrl)
  const { reader, recorded } = await prepared(env)
  const recording = path.join(folder, 'recorded.json')
  fs.writeFileSync(recording, JSON.stringify(recorded))
  await store(databaseUrl, recorded)
  const service = await started('src/main.js', ['serve'], env)
  const bare = await started('bench/bare.ts', [], {
    DATABASE_URL: databaseUrl,
    RECORDED: recording,
  })
  const limit = await started('bench/stored.ts', [], { DATABASE_URL: databaseUrl })
  try {
    const measurements: LimitMeasurement[] = []
    for (const it of pathsFor(reader)) {
      measurements.push(await measured(it, reader, { service, bare, limit }))
    }
    return measurements
  } finally {
    await service.end()
    await bare.end()
    await limit.end()
  }
}

/** Stores the answers for the limit, and has the database count what is in it. */
async function store(databaseUrl: string, recorded: readonly Recorded[]): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('create table bench_answers (path text primary key, body text not null)')
    for (const { path, body } of recorded) {
      await client.query('insert into bench_answers values ($1, $2)', [path, body])
    }
    await client.query('vacuum analyze')
  })
}

/** Fills the database, and records the statements and the answer of each request. */
async function prepared(env: Record<string, string>) {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    const reader = await seed(service.deps)
    const requests = pathsFor(reader).map((it) => ({ path: it, headers: headersFor(it, reader) }))
    return { reader, recorded: await record(service, requests) }
  } finally {
    await service.stop()
  }
}

/** Visitors of the catalogue have not signed in. */
function headersFor(path: string, { token }: Reader): Record<string, string> {
  return path.startsWith('/v1/store/') ? {} : { authorization: `Bearer ${token}` }
}

type Servers = { service: Running; bare: Running; limit: Running }

async function measured(path: string, reader: Reader, servers: Servers): Promise<LimitMeasurement> {
  const headers = headersFor(path, reader)
  const service = { ...servers.service, url: servers.service.url + path, headers }
  const bare = { ...servers.bare, url: servers.bare.url + path, headers }
  const limit = { ...servers.limit, url: servers.limit.url + path, headers }
  const bytes = await bytesOf(service)
  assert.equal(bytes, await bytesOf(bare), `${path} differs`)
  assert.equal(bytes, await bytesOf(limit), `${path} differs`)
  for (const target of [service, bare, limit]) await load(target, WARM_UP_SECONDS)
  const rounds: { service: Load; bare: Load; limit: Load }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      service: await load(service, SECONDS),
      bare: await load(bare, SECONDS),
      limit: await load(limit, SECONDS),
    })
  }
  return { path: path.replace(/[0-9a-f-]{36}/, ':id'), rounds }
}

async function bytesOf({ url, headers }: { url: string; headers: Record<string, string> }) {
  const response = await fetch(url, { headers })
  assert.equal(response.status, 200)
  return response.text()
}
