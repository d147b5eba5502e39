import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp, until } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const [IDLE, SLOW] = [1000, 200]
const LOOKS = 100
/** How long one in twenty waits at most: so much, or so many times as long as with nobody else there. */
const [SELDOM_MS, TIMES] = [100, 4]
const DRIP_MS = 500
const PATIENCE = { waitMs: 90_000 }

/** Never answers, and counts who waits for it. */
let asked = 0
const silent = createServer(() => {
  asked += 1
})
await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
const { port: silentPort } = silent.address() as AddressInfo
after(() => {
  silent.closeAllConnections()
  silent.close()
})

const app = await testApp(null, { config: { privateHosts: [`127.0.0.1:${silentPort}`] } })
const admin = await person(app, { admin: true })
const stranger = await person(app, { tenantId: await otherTenant(app, 'other.test') })

/** How long one in twenty waits who asks for something of another shop. */
async function seldomMs(): Promise<number> {
  const took: number[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    const startMs = performance.now()
    assert.equal((await stranger.get('/v1/users/me')).status, 200)
    took.push(performance.now() - startMs)
  }
  return took.sort((a, b) => a - b)[Math.floor(LOOKS * 0.95)] ?? 0
}

async function connected(bytes = ''): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket.resume()
}

async function assertUnmoved(beforeMs: number, what: string): Promise<string> {
  const duringMs = await seldomMs()
  assert.ok(duringMs < Math.max(SELDOM_MS, TIMES * beforeMs), `${duringMs} ms beside ${what}`)
  return `p95 ${beforeMs.toFixed(1)} ms alone, ${duringMs.toFixed(1)} ms beside ${what}`
}

test(`${IDLE} idle connections and ${SLOW} that send their headers a byte at a time slow nobody down (hardening 56)`, async (t) => {
  await seldomMs()
  const beforeMs = await seldomMs()
  const idle = await Promise.all(Array.from({ length: IDLE }, () => connected()))
  const slow = await Promise.all(
    Array.from({ length: SLOW }, () => connected('GET /v1/users/me HTTP/1.1\r\nHost: x\r\nA: ')),
  )
  const dripping = setInterval(() => {
    for (const socket of slow) if (!socket.destroyed) socket.write('a')
  }, DRIP_MS)
  try {
    t.diagnostic(await assertUnmoved(beforeMs, 'them'))
    const areGone = () => slow.every((it) => it.closed || it.readableEnded)
    await until('headers that never end are cut off', areGone, PATIENCE)
  } finally {
    clearInterval(dripping)
    for (const socket of [...idle, ...slow]) socket.destroy()
  }
})

test('20 requests of one key that take long are no burden to another tenant (hardening 56)', async (t) => {
  const node = {
    name: 'Silent',
    url: `http://127.0.0.1:${silentPort}`,
    apiKey: 'ptla_'.padEnd(48, 'x'),
  }
  const made = await admin.post('/v1/admin/nodes', node)
  assert.equal(made.status, 201, made.text)
  const beforeMs = await seldomMs()
  const body = '{"name":"'
  const head = `PATCH /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n`
  const uploads = await Promise.all(Array.from({ length: 20 }, () => connected(head + body)))
  const tests = Array.from({ length: 20 }, () => admin.post(`/v1/admin/nodes/${made.body.id}/test`))
  await until('the panel is asked', () => asked > 0)
  await sleep(100)
  t.diagnostic(await assertUnmoved(beforeMs, '20 slow answers and 20 slow bodies'))
  for (const socket of uploads) socket.destroy()
  silent.closeAllConnections()
  await Promise.all(tests)
})
