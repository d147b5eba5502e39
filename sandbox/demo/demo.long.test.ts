import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { apiAt, submitForm, until } from './client.ts'

const script = path.join(import.meta.dirname, '../demo.ts')
const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env

test('the demo buys a server, ends by itself, and starts again where it was', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'moorage-demo-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = startDemo(t, dataDir, ['--once'])
  assert.deepEqual(await once(first.child, 'close'), [0, null], first.output())
  const begun = first.output().split('The administrator fills the shop')[0] ?? ''
  assert.match(
    begun,
    /\n {2}The shop: http\S+\n\s*$/,
    'its address stands before all else that is done',
  )
  assert.match(first.output(), /From the first request to an active server: \d/)

  const again = startDemo(t, dataDir, [])
  await again.said(/Serving until Ctrl-C/)
  const addresses = JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8'))
  assert.deepEqual(Object.keys(addresses).sort(), [
    'admin',
    'baseUrl',
    'customer',
    'panel',
    'products',
    'provider',
    'regular',
    'secondTenant',
  ])
  const { baseUrl: url, customer, regular, secondTenant, products, admin } = addresses
  assert.equal(products.length, 8)
  const shop = apiAt({ url })
  const { accessToken } = await shop.post('/v1/auth/login', customer)
  const { data } = await shop.as(accessToken).get('/v1/services')
  assert.deepEqual(
    data.map((it: { status: string }) => it.status),
    ['active', 'active'],
  )
  const old = shop.as((await shop.post('/v1/auth/login', regular)).accessToken)
  const servers = (await old.get('/v1/services')).data
  assert.deepEqual(
    servers.map((it: { status: string }) => it.status),
    ['suspended', 'active', 'active'],
  )
  const { data: invoices } = await old.get('/v1/billing/invoices')
  const months = new Set(invoices.map((it: { createdAt: string }) => it.createdAt.slice(0, 7)))
  assert.deepEqual([invoices.length, months.size >= 2], [9, true])
  assert.equal(invoices.filter((it: { status: string }) => it.status !== 'paid').length, 1)
  const paid = await Promise.all(
    invoices
      .filter((it: { status: string }) => it.status === 'paid')
      .map((it: { id: string }) => old.get(`/v1/billing/invoices/${it.id}`)),
  )
  for (const { createdAt, paidAt } of paid) {
    assert.ok(Date.parse(paidAt) - Date.parse(createdAt) < 10 * 86_400_000, `paid at ${paidAt}`)
  }
  const staff = shop.as((await shop.post('/v1/auth/login', admin)).accessToken)
  const { now } = await staff.post('/v1/admin/clock', { advanceSeconds: 0 })
  assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000, now)
  for (const person of [staff, old]) {
    assert.deepEqual((await person.get('/v1/api-keys')).data, [], 'no key is left over')
  }
  const { legal, seller } = await shop.get('/v1/meta')
  assert.deepEqual(
    [legal.terms, legal.privacy, seller.email],
    [1, 1, 'help@sandbox-hosting.example'],
  )
  assert.equal((await staff.get('/v1/admin/announcements')).data.length, 1)
  assert.equal((await shop.get('/v1/knowledge/articles')).data.length, 3)
  const [bought] = data
  const { data: targets } = await shop.get(
    `/v1/store/products/${bought.product.id}/upgrade-targets`,
  )
  assert.deepEqual(
    targets.map((it: { slug: string }) => it.slug),
    ['minecraft-paper-8gb'],
  )
  const other = apiAt({ url, host: secondTenant.host })
  await other.post('/v1/auth/login', secondTenant.admin)
  const buyer = await other.post('/v1/auth/login', secondTenant.customer)
  const [offer] = (await other.get('/v1/store/products')).data
  const second = other.as(buyer.accessToken)
  const { gateways } = await other.get('/v1/meta')
  await second.post('/v1/cart/items', { planId: offer.plans[0].id })
  const order = { gatewayId: gateways[0].id, immediateStart: true }
  const { payment } = await second.post('/v1/billing/checkout', order)
  await submitForm(payment.redirectUrl, { card: '4242424242424242', action: 'pay' })
  await until('the server of the second shop is active', async () => {
    const [service] = (await second.get('/v1/services')).data
    return service?.status === 'active'
  })
  await assert.rejects(other.post('/v1/auth/login', admin), { status: 401 })

  again.child.kill('SIGINT')
  assert.deepEqual(await once(again.child, 'close'), [0, null], again.output())
  assert.match(again.output(), /Serving until Ctrl-C\n {2}the shop +http/)
  assert.doesNotMatch(first.output() + again.output(), /warn|error/i)
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
