import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createOutbounds } from './outbound-uses.ts'

const OWN = 'default-tenant'
const SHOP = 'tenant-of-shop'

async function serve(t: TestContext): Promise<{ port: number; calls: () => number }> {
  let calls = 0
  const server: Server = createServer((_request, response) => {
    calls += 1
    response.end('inside')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, calls: () => calls }
}

function opened(t: TestContext, privateHosts: readonly string[]) {
  const outbounds = createOutbounds({
    privateHosts,
    resolve: async () => ['127.0.0.1'],
    tenantIdOf: async (domain) => (domain === 'shop.example' ? SHOP : OWN),
  })
  t.after(() => outbounds.close())
  return outbounds
}

const refused = { kind: 'refused_address', sent: false }

test('an opened address is called by its tenant, for its purpose, and by nobody else', async (t) => {
  const { port, calls } = await serve(t)
  const url = `http://127.0.0.1:${port}/`
  const outbounds = opened(t, [`shop.example/panel=127.0.0.1:${port}`])
  const own = outbounds.for({ tenantId: SHOP, purpose: 'panel' })
  assert.equal((await own.request({ url })).text, 'inside')
  assert.equal(await own.isOpened(url), true)
  for (const use of [
    { tenantId: OWN, purpose: 'panel' },
    { tenantId: SHOP, purpose: 'webhook' },
    { tenantId: SHOP, purpose: 'payment' },
  ] as const) {
    const other = outbounds.for(use)
    await assert.rejects(other.request({ url }), refused)
    await assert.rejects(other.pass({ url, body: null }), refused)
    await assert.rejects(other.assertAllowedUrl(url), { code: 'address_not_allowed' })
    assert.equal(await other.isOpened(url), false)
  }
  assert.equal(calls(), 1)
})

test('a connection that one tenant keeps to a private address is never used by another', async (t) => {
  const { port, calls } = await serve(t)
  const url = `http://panel.lan:${port}/`
  const outbounds = opened(t, [`panel.lan:${port}`, `shop.example/panel=10.9.9.9:${port}`])
  const own = outbounds.for({ tenantId: OWN, purpose: 'panel' })
  assert.equal((await own.request({ url })).text, 'inside')
  const other = outbounds.for({ tenantId: SHOP, purpose: 'panel' })
  await assert.rejects(other.request({ url }), refused)
  assert.equal(calls(), 1)
})

test('an entry without a purpose is a panel of the default tenant', async (t) => {
  const { port } = await serve(t)
  const url = `http://127.0.0.1:${port}/`
  const outbounds = opened(t, [`127.0.0.1:${port}`])
  const panel = outbounds.for({ tenantId: OWN, purpose: 'panel' })
  assert.equal((await panel.request({ url })).status, 200)
  await assert.rejects(
    outbounds.for({ tenantId: OWN, purpose: 'webhook' }).request({ url }),
    refused,
  )
  await assert.rejects(
    outbounds.for({ tenantId: SHOP, purpose: 'panel' }).request({ url }),
    refused,
  )
})

test('a domain that no tenant has opens nothing, not even for the default tenant', async (t) => {
  const { port } = await serve(t)
  const url = `http://127.0.0.1:${port}/`
  const outbounds = opened(t, [`shop.exmple/panel=127.0.0.1:${port}`])
  for (const tenantId of [OWN, SHOP]) {
    await assert.rejects(outbounds.for({ tenantId, purpose: 'panel' }).request({ url }), refused)
  }
})

test('an answer says whether it came from a private address', async (t) => {
  const { port } = await serve(t)
  const outbounds = opened(t, [`webhook=127.0.0.1:${port}`])
  const client = outbounds.for({ tenantId: OWN, purpose: 'webhook' })
  const answer = await client.pass({ url: `http://127.0.0.1:${port}/`, body: null })
  answer.body.destroy()
  assert.equal(answer.isPrivate, true)
})
