import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
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
import { largestPaints, type Paint } from './paint.ts'
import { type Measurement, reportPages } from './report.ts'
import { type Reader, seed } from './seed.ts'

/**
 * Measures pages of the shop window, as visitors without a session get them, against `node:http` that sends the
 * same bytes from memory: each in a process of its own, loaded in turns from a third process. Then opens them, and
 * screens of the application, in a slowed browser.
 */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 5 : 9
const SECONDS = 1
const WARM_UP_SECONDS = quick ? 2 : 3

const HEADERS = { 'accept-encoding': 'gzip, br', 'accept-language': 'en-GB,en;q=0.9' }

/** An answer as it is sent: compressed, and in base 64. */
export type Sent = {
  readonly path: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: string
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bench-'))
try {
  await onOwnDatabase(async (databaseUrl) => {
    const env = settingsFor(databaseUrl)
    const reader = await filled(env)
    const paths = ['/', `/p/${reader.slug}`]
    await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
    const measurements = await measuredAll(env, paths)
    const paints = await painted(env, [...paths, '/cart', '/sign-in'], reader)
    reportPages(measurements, paints, { rounds: ROUNDS, seconds: SECONDS, quick })
  })
} finally {
  fs.rmSync(folder, { recursive: true })
}

/** Fills the database; returns the person whose pages are opened. */
async function filled(env: Record<string, string>): Promise<Reader> {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    return await seed(service.deps)
  } finally {
    await service.stop()
  }
}

async function measuredAll(
  env: Record<string, string>,
  paths: readonly string[],
): Promise<Measurement[]> {
  const service = await started('src/main.js', ['serve'], env)
  try {
    const sent = await Promise.all(paths.map((it) => sentBy(service.url, it)))
    const recorded = path.join(folder, 'recorded.json')
    fs.writeFileSync(recorded, JSON.stringify(sent))
    const memory = await started('bench/memory.ts', [], { RECORDED: recorded })
    try {
      const measurements: Measurement[] = []
      for (const it of paths) measurements.push(await measured(it, { service, bare: memory }))
      return measurements
    } finally {
      await memory.end()
    }
  } finally {
    await service.end()
  }
}

/** How soon the pages of the shop are seen, and screens of the application. */
async function painted(
  env: Record<string, string>,
  paths: readonly string[],
  { serviceId, refreshToken }: Reader,
): Promise<Paint[]> {
  const service = await started('src/main.js', ['serve'], env)
  try {
    const screens = ['/home', '/servers', `/servers/${serviceId}`, '/invoices', '/admin']
    return [
      ...(await largestPaints(service.url, paths)),
      ...(await largestPaints(service.url, screens, refreshToken)),
    ]
  } finally {
    await service.end()
  }
}

async function measured(
  path: string,
  servers: { service: Running; bare: Running },
): Promise<Measurement> {
  const service = { ...servers.service, url: servers.service.url + path, headers: HEADERS }
  const bare = { ...servers.bare, url: servers.bare.url + path, headers: HEADERS }
  assert.equal(
    (await sentBy(servers.service.url, path)).body,
    (await sentBy(servers.bare.url, path)).body,
    `${path} differs`,
  )
  await load(service, WARM_UP_SECONDS)
  await load(bare, WARM_UP_SECONDS)
  const rounds: { service: Load; bare: Load }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ service: await load(service, SECONDS), bare: await load(bare, SECONDS) })
  }
  return { path, rounds }
}

/** What a server sends for a path, as it comes over the wire. */
async function sentBy(url: string, path: string): Promise<Sent> {
  const request = http.get(url + path, { headers: HEADERS, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  assert.equal(response.statusCode, 200, path)
  const { connection: _connection, ...headers } = response.headers
  return { path, headers, body: (await buffer(response)).toString('base64') }
}
