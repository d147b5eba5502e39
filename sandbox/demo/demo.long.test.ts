import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { apiAt } from './client.ts'

const script = path.join(import.meta.dirname, '../demo.ts')
const { DATABASE_URL: _, ...environment } = process.env

test('the demo buys a server, ends by itself, and starts again where it was', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'moorage-demo-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = startDemo(t, dataDir, ['--once'])
  assert.deepEqual(await once(first.child, 'close'), [0, null], first.output())
  assert.match(first.output(), /From the first request to an active server: \d/)

  const second = startDemo(t, dataDir, [])
  await second.said(/Serving until Ctrl-C/)
  const addresses = JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8'))
  assert.deepEqual(Object.keys(addresses).sort(), [
    'admin',
    'baseUrl',
    'customer',
    'panel',
    'products',
    'provider',
    'secondTenant',
  ])
  const { baseUrl: url, customer, secondTenant, products, admin } = addresses
  assert.equal(products.length, 6)
  const shop = apiAt({ url })
  const { accessToken } = await shop.post('/v1/auth/login', customer)
  const { data } = await shop.as(accessToken).get('/v1/services')
  assert.deepEqual(
    data.map((it: { status: string }) => it.status),
    ['active', 'active'],
  )
  const other = apiAt({ url, host: secondTenant.host })
  await other.post('/v1/auth/login', secondTenant.admin)
  await other.post('/v1/auth/login', secondTenant.customer)
  await assert.rejects(other.post('/v1/auth/login', admin), { status: 401 })

  second.child.kill('SIGINT')
  assert.deepEqual(await once(second.child, 'close'), [0, null], second.output())
  assert.doesNotMatch(first.output() + second.output(), /warn|error/i)
})

test('the demo says what is wrong with its variables', async (t) => {
  const demo = startDemo(t, tmpdir(), ['--once'], { RATE_LIMIT_AUTH: 'many' })
  assert.deepEqual(await once(demo.child, 'close'), [1, null])
  assert.match(demo.output(), /RATE_LIMIT_AUTH: "many" is not a whole number/)
})

function startDemo(
  t: TestContext,
  dataDir: string,
  args: string[],
  more: Record<string, string> = {},
) {
  const env = { ...environment, MOORAGE_DATA_DIR: dataDir, ...more }
  const child = spawn(process.execPath, [script, ...args], { env, stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  const lines: string[] = []
  const waiting: { pattern: RegExp; resolve: () => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve()
    })
  }
  return {
    child,
    output: () => lines.join('\n'),
    said: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ pattern, resolve })
        child.once('exit', () => reject(new Error(lines.join('\n'))))
      }),
  }
}
