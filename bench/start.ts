import assert from 'node:assert/strict'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { startService } from '#platform/start.ts'
import { load, onOwnDatabase, processorMs, settingsFor, started, withClient } from './ground.ts'
import { reportStart, type Start } from './report.ts'
import { seed } from './seed.ts'

/**
 * Measures how long a process takes from its start to its first answer on a database that is at its
 * version, and the memory of one that does everything: at rest, and under load.
 */
const quick = process.argv.includes('--quick')
const STARTS = quick ? 3 : 9
const REST_MS = quick ? 2000 : 10_000
const LOAD_SECONDS = quick ? 4 : 20
const MEGABYTE_KB = 1024

await onOwnDatabase(async (databaseUrl) => {
  const env = { ...settingsFor(databaseUrl), MOORAGE_ROLE: 'all' }
  const token = await prepared({ ...env, MOORAGE_ROLE: 'api' })
  await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
  const starts: Start[] = []
  for (let start = 0; start < STARTS; start += 1) starts.push(await startOnce(env))
  reportStart({ starts, ...(await memoryOf(env, token)) }, { quick })
})

async function prepared(env: Record<string, string>): Promise<string> {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    return (await seed(service.deps)).token
  } finally {
    await service.stop()
  }
}

async function startOnce(env: Record<string, string>): Promise<Start> {
  const startMs = performance.now()
  const service = await started('src/main.js', ['serve'], env)
  try {
    const response = await fetch(`${service.url}/v1/meta`)
    assert.equal(response.status, 200, await response.text())
    const firstAnswerMs = Math.round(performance.now() - startMs)
    return { firstAnswerMs, processorMs: processorMs(service.pid) }
  } finally {
    await service.end()
  }
}

/** What is resident of a process, in megabytes: at rest and, at most, while it answers. */
async function memoryOf(env: Record<string, string>, token: string) {
  const service = await started('src/main.js', ['serve'], env)
  try {
    await fetch(`${service.url}/v1/meta`)
    await sleep(REST_MS)
    const restMb = residentMb(service.pid)
    let loadMb = 0
    const timer = setInterval(() => {
      loadMb = Math.max(loadMb, residentMb(service.pid))
    }, 200)
    const headers = { authorization: `Bearer ${token}` }
    await load({ ...service, url: `${service.url}/v1/services`, headers }, LOAD_SECONDS)
    clearInterval(timer)
    return { restMb, loadMb }
  } finally {
    await service.end()
  }
}

function residentMb(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / MEGABYTE_KB)
}
