import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { collector } from '#test/collector.ts'
import { gameShop } from '#test/game-shop.ts'
import { receiver } from '#test/receiver.ts'
import { ENDPOINTS } from '#test/webhooks.ts'

/** A whole purchase, as a collector of traces sees it. */
const to = await collector()
const hooks = await receiver(null)
const shop = await gameShop({
  config: { tracing: to.settings, trustProxy: ['127.0.0.1'], privateHosts: [hooks.place] },
})
const { plan } = await shop.server()
const SERVER = 2
const CLIENT = 3
const CONSUMER = 5

test('a request is a span with its route, its status and its statements, and none has a value', async () => {
  const player = await shop.customer()
  const name = 'Name of somebody 4711'
  const { headers } = await player.patch('/v1/users/me', { name })
  const span = await to.heard(
    'the request',
    ({ attributes }) => attributes['moorage.request_id'] === headers['x-request-id'],
  )
  assert.deepEqual([span.name, span.kind], ['PATCH /v1/users/me', SERVER])
  assert.equal(span.attributes['http.route'], '/v1/users/me')
  assert.equal(span.attributes['http.response.status_code'], '200')
  assert.equal(span.attributes['moorage.tenant_id'], shop.tenantId)
  const update = await to.heard(
    'its statement',
    (it) => it.traceId === span.traceId && it.name === 'UPDATE users.users',
  )
  assert.equal(update.kind, CLIENT)
  assert.match(update.attributes['db.query.text'] ?? '', /^update "users"\."users" set /)
  assert.equal(to.pathOf(update).at(-1), span)
  assert.ok(BigInt(update.startTimeUnixNano) >= BigInt(span.startTimeUnixNano))
  assert.ok(BigInt(update.endTimeUnixNano) <= BigInt(span.endTimeUnixNano))
  const sent = JSON.stringify(to.spans)
  for (const secret of [name, player.email, player.token]) assert.ok(!sent.includes(secret), secret)
})

test('a message of the provider is one trace down to the panel and to the webhooks of the shop', async () => {
  const target = { url: `${hooks.url}/paid`, events: ['invoice.paid'] }
  assert.equal((await shop.admin.post(ENDPOINTS, target)).status, 201)
  const player = await shop.customer()
  await shop.becameOneSale(player, await shop.buy(player, plan.id))
  const { host } = new URL(shop.panel.url)
  const creation = await to.heard(
    'the panel has made the server',
    ({ name, kind, attributes }) =>
      kind === CLIENT &&
      name === 'POST' &&
      attributes['server.address'] === host &&
      // The test of the connection posts what the panel refuses.
      attributes['http.response.status_code'] === '201',
  )
  const way = await until('all of its way has arrived', () => {
    const way = to.pathOf(creation)
    return way.at(-1)?.kind === SERVER && way
  })
  assert.equal(way.at(-1)?.name, 'POST /v1/billing/webhooks/:gatewayId')
  const jobs = way.filter(({ kind }) => kind === CONSUMER).map(({ name }) => name)
  assert.equal(jobs.at(-1), 'job billing.read-event')
  assert.ok(jobs.length >= 2, jobs.join(', '))
  assert.ok(way.every(({ traceId }) => traceId === creation.traceId))
  const sent = await to.heard(
    'the webhook is sent',
    ({ kind, attributes }) =>
      kind === CLIENT && attributes['server.address'] === new URL(hooks.url).host,
  )
  const [, delivery] = await until('its delivery has ended', () => {
    const way = to.pathOf(sent)
    return way.at(-1)?.kind === SERVER && way
  })
  assert.equal(delivery?.name, 'webhook delivery')
  assert.equal(delivery.attributes['moorage.webhook_type'], 'invoice.paid')
  assert.equal(delivery.attributes['moorage.try'], '1')
  assert.equal(delivery.traceId, creation.traceId)
})

test('what a proxy began is gone on with, and what it does not want measured is not', async () => {
  const [traceId, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const traceparent = (flags: string) => ({ traceparent: `00-${traceId}-${parent}-${flags}` })
  const { headers } = await shop.app.get('/v1/meta', { headers: traceparent('00') })
  await shop.app.get('/v1/meta', { headers: traceparent('01') })
  const span = await to.heard('it', (it) => it.traceId === traceId && it.kind === SERVER)
  assert.equal(span.parentSpanId, parent)
  assert.notEqual(span.attributes['moorage.request_id'], headers['x-request-id'])
})

test('a collector gets its headers, and is told who speaks', () => {
  assert.equal(to.headers[0]?.['x-key'], 'k')
  assert.equal(to.resources[0]?.['service.name'], 'moorage')
})

test('the exporter is loaded by nobody but who asks for it', () => {
  const root = path.join(import.meta.dirname, '../src')
  const importing = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /from '[^']*otlp\.ts'/.test(fs.readFileSync(path.join(root, file), 'utf8')))
  assert.deepEqual(importing, [])
})
