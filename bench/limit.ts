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
import { record } from './recorded.ts'
import { type Measurement, reportRoutes } from './report.ts'
import { type Reader, seed } from './seed.ts'

/**
 * Measures the service against a bare handler that runs the same statements and sends the same bytes:
 * each in a process of its own on one database, loaded in turns from a third process.
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
    reportRoutes(measurements, { rounds: ROUNDS, seconds: SECONDS, quick: quick || Boolean(only) })
  })
} finally {
  fs.rmSync(folder, { recursive: true })
}

async function measureAll(databaseUrl: string): Promise<Measurement[]> {
  const env = settingsFor(databaseUrl)
  const { reader, recording } = await prepared(env)
  await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
  const service = await started('src/main.js', ['serve'], env)
  const bare = await started('bench/bare.ts', [], {
    DATABASE_URL: databaseUrl,
    RECORDED: recording,
  })
  try {
    const measurements: Measurement[] = []
    for (const it of pathsFor(reader)) {
      measurements.push(await measured(it, reader, { service, bare }))
    }
    return measurements
  } finally {
    await service.end()
    await bare.end()
  }
}

/** Fills the database, and notes down in a file what the service asks it for each request. */
async function prepared(env: Record<string, string>) {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    const reader = await seed(service.deps)
    const requests = pathsFor(reader).map((it) => ({ path: it, headers: headersFor(it, reader) }))
    const recording = path.join(folder, 'recorded.json')
    fs.writeFileSync(recording, JSON.stringify(await record(service, requests)))
    return { reader, recording }
  } finally {
    await service.stop()
  }
}

/** Visitors of the catalogue have not signed in. */
function headersFor(path: string, { token }: Reader): Record<string, string> {
  return path.startsWith('/v1/store/') ? {} : { authorization: `Bearer ${token}` }
}

type Servers = { service: Running; bare: Running }

async function measured(path: string, reader: Reader, servers: Servers): Promise<Measurement> {
  const headers = headersFor(path, reader)
  const service = { ...servers.service, url: servers.service.url + path, headers }
  const bare = { ...servers.bare, url: servers.bare.url + path, headers }
  assert.equal(await bytesOf(service), await bytesOf(bare), `${path} differs`)
  await load(service, WARM_UP_SECONDS)
  await load(bare, WARM_UP_SECONDS)
  const rounds: { service: Load; bare: Load }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ service: await load(service, SECONDS), bare: await load(bare, SECONDS) })
  }
  return { path: path.replace(/[0-9a-f-]{36}/, ':id'), rounds }
}

async function bytesOf({ url, headers }: { url: string; headers: Record<string, string> }) {
  const response = await fetch(url, { headers })
  assert.equal(response.status, 200)
  return response.text()
}
