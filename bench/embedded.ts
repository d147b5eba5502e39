import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processorMs, started } from './ground.ts'
import { inPipelineShop, type PipelineShop, payAll } from './pipeline-shop.ts'
import { reportEmbedded, type Start } from './report.ts'

/**
 * Measures an installation on the embedded database: how long a first start with an empty folder takes until
 * its first answer, and the memory of the process after a day in the life of a small host, in 200 purchases
 * and 10 000 requests.
 */
const quick = process.argv.includes('--quick')
const STARTS = quick ? 1 : 5
const ROUNDS = quick ? 2 : 10
const PURCHASES = 20
const REQUESTS = 1000
const AT_ONCE = 8
const REST_MS = 10_000
const LOOK_MS = 100
const PATIENCE_MS = 600_000
const KILOBYTES = 1024
/** The pages and the lists that visitors and staff open. */
const PATHS = ['/', '/v1/meta', '/v1/store/products', '/v1/admin/services', '/v1/admin/invoices']

const starts: Start[] = []
for (let start = 0; start < STARTS; start += 1) starts.push(await firstStart())
// Without the address of a server, the service opens the embedded database.
const memory = await inPipelineShop('', dayIn)
reportEmbedded({ starts, ...memory }, { quick })

async function firstStart(): Promise<Start> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bench-'))
  const startMs = performance.now()
  const service = await started('src/main.js', ['serve'], { MOORAGE_DATA_DIR: dataDir, PORT: '0' })
  try {
    const response = await fetch(`${service.url}/v1/meta`)
    assert.equal(response.status, 200, await response.text())
    const firstAnswerMs = Math.round(performance.now() - startMs)
    return { firstAnswerMs, processorMs: processorMs(service.pid) }
  } finally {
    await service.end()
    fs.rmSync(dataDir, { recursive: true })
  }
}

async function dayIn(shop: PipelineShop): Promise<{ restMb: number; peakMb: number }> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const placed = await shop.place(PURCHASES)
    await payAll(placed)
    for (const { serviceId } of placed) await untilActive(shop, serviceId)
    await askMuch(shop)
  }
  await sleep(REST_MS)
  return { restMb: megabytes(shop, 'VmRSS'), peakMb: megabytes(shop, 'VmHWM') }
}

async function untilActive({ admin }: PipelineShop, id: string): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { body } = await admin.get(`/v1/admin/services/${id}`)
    if (body.status === 'active') return
    assert.ok(performance.now() < endMs, `The service ${id} never was active`)
    await sleep(LOOK_MS)
  }
}

async function askMuch({ admin }: PipelineShop): Promise<void> {
  let left = REQUESTS
  async function ask(): Promise<void> {
    for (; left > 0; ) {
      left -= 1
      const place = PATHS[left % PATHS.length] ?? '/'
      const { status } = await admin.get(place)
      assert.equal(status, 200, place)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
}

function megabytes({ service }: PipelineShop, field: 'VmRSS' | 'VmHWM'): number {
  const status = fs.readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / KILOBYTES)
}
