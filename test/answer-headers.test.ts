import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { botOf } from '#test/bot.ts'
import { type Answer, type Client, clientFor } from '#test/client.ts'
import { dereferenced } from '#test/document.ts'
import { operationsOf } from '#test/examples.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop({ config: { rateLimits: { general: 2000, auth: 60, person: 2000 } } })
const { app, admin, nodeId } = shop
const { body: document } = await app.get('/v1/openapi.json')
const operations = operationsOf(dereferenced(document))
const ada = await shop.customer()
const { product, plan } = await shop.server()
const placed = await shop.buy(ada, plan.id)
await shop.serviceBecame(ada, 'active')

/** What HTTP itself, browsers and caches are told with every answer: no part of the contract of an operation. */
const OF_TRANSPORT =
  /^(content-(type|length|encoding|security-policy)|date|connection|keep-alive|transfer-encoding|cache-control|vary|x-content-type-options|x-frame-options|referrer-policy|cross-origin-resource-policy|strict-transport-security|access-control-[a-z-]+|x-accel-buffering)$/

type Declared = Record<string, { required?: boolean }>
const seen = new Set<string>()

/** Compares the headers of an answer with those that its operation declares for the status. */
function compare(method: string, path: string, { status, headers, text }: Answer, wanted: number) {
  const [plain = ''] = path.split('?')
  const name = `${method} ${plain} ${status}`
  assert.equal(status, wanted, `${name} ${text.slice(0, 300)}`)
  const operation = operations.find((it) => it.method === method && it.pattern.test(plain))
  assert.ok(operation, `${name} is an operation`)
  const responses = operation.described.responses as Record<string, { headers?: Declared }>
  const declared = (responses[status] ?? responses.default)?.headers ?? {}
  const names = new Map(Object.entries(declared).map(([it, how]) => [it.toLowerCase(), how]))
  const sent = Object.keys(headers).filter((it) => !OF_TRANSPORT.test(it))
  for (const header of sent) {
    assert.ok(names.has(header), `${name} sends ${header}, which is not declared`)
    seen.add(header)
  }
  for (const [header, { required }] of names) {
    if (required)
      assert.ok(sent.includes(header), `${name} declares ${header} and does not send it`)
  }
}

type Options = { body?: unknown; headers?: Record<string, string>; by?: Client }

async function ask(wanted: number, call: string, { body, headers, by = admin }: Options = {}) {
  const [method = '', path = ''] = call.split(' ')
  const answer = await by.request(method, path, body, headers ? { headers } : {})
  compare(method, path, answer, wanted)
  return answer
}

test('public reads, and one that the caller has already', async () => {
  const { headers } = await ask(200, 'GET /v1/openapi.json', { by: app })
  const known = { 'if-none-match': String(headers.etag) }
  await ask(304, 'GET /v1/openapi.json', { by: app, headers: known })
  for (const path of ['meta', 'health', 'health/live', 'store/products', 'store/categories']) {
    await ask(200, `GET /v1/${path}`, { by: app })
  }
  await ask(200, `GET /v1/store/products/${product.id}`, { by: app })
  await ask(200, 'GET /v1/oidc/jwks', { by: app })
  await ask(401, 'GET /v1/oidc/userinfo', { by: app })
})

test('sign-ins that answer with tokens or with a cookie, and their refusals', async () => {
  const origin = { origin: app.url, host: new URL(app.url).host }
  const account = { email: `${newId()}@example.org`, password: 'correct horse battery', name: 'A' }
  await ask(201, 'POST /v1/auth/register', { by: app, body: account })
  const { email, password } = account
  const body = { email, password }
  const { refreshToken } = (await ask(200, 'POST /v1/auth/login', { by: app, body })).body
  await ask(200, 'POST /v1/auth/refresh', { by: app, body: { refreshToken } })
  const inCookie = { ...body, transport: 'cookie' }
  await ask(200, 'POST /v1/auth/login', { by: clientFor(app.url), body: inCookie, headers: origin })
  await ask(200, 'POST /v1/auth/logout', { by: clientFor(app.url), headers: origin, body: {} })
  await ask(401, 'POST /v1/auth/login', { by: app, body: { email, password: 'wrong' } })
  await ask(400, 'POST /v1/auth/login', { by: app, body: {} })
})

test('edits with a version, creations that are repeated, and deletions', async () => {
  const key = { 'idempotency-key': newId() }
  const body = { name: 'Voice' }
  const { id } = (await ask(201, 'POST /v1/admin/categories', { body, headers: key })).body
  const again = await ask(201, 'POST /v1/admin/categories', { body, headers: key })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  await ask(422, 'POST /v1/admin/categories', { body: { name: 'Other' }, headers: key })
  const path = `/v1/admin/categories/${id}`
  const { headers } = await ask(200, `GET ${path}`)
  const match = { 'if-match': String(headers.etag) }
  await ask(200, `PATCH ${path}`, { body: { name: 'Sound' }, headers: match })
  await ask(412, `PATCH ${path}`, { body, headers: match })
  await ask(200, `DELETE ${path}`)
  await ask(404, `GET ${path}`)
  await ask(403, `GET /v1/admin/categories`, { by: ada })
  await ask(401, `GET /v1/admin/categories`, { by: app })
  await ask(400, 'GET /v1/admin/categories?unknown=1')
  await ask(200, 'GET /v1/admin/categories?limit=1')
  await ask(409, 'POST /v1/admin/categories', { body: { ...body, slug: 'cart' } })
})

test('documents, tables, archives and exports', async () => {
  const url = `/v1/billing/invoices/${placed.invoice.id}/pdf`
  const first = await ada.get(url)
  compare('GET', url, first, first.status === 200 ? 200 : 202)
  await until('its document is made', async () => (await ada.get(url)).status === 200)
  await ask(200, `GET ${url}`, { by: ada })
  await ask(200, 'GET /v1/billing/export-data', { by: ada })
  await ask(200, 'GET /v1/admin/reports/trial-balance')
  await ask(200, 'GET /v1/admin/reports/trial-balance?format=csv')
  await ask(200, 'GET /v1/admin/audit-logs/export')
  await ask(200, 'GET /v1/admin/reports/export?from=2026-01-01&to=2026-01-31&contents=tables')
})

test('work that is done later, streams, redirections, bots and daemons', async () => {
  await ask(202, `POST /v1/admin/nodes/${nodeId}/drift`)
  await ask(200, 'GET /v1/notifications/stream', { by: ada })
  await ask(200, 'GET /v1/cart', { by: ada })
  const { plan: other } = await shop.server()
  await ask(201, 'POST /v1/cart/items', { by: ada, body: { planId: other.id } })
  const { gatewayId } = shop
  const body = { gatewayId, immediateStart: true, returnUrl: `${app.url}/account` }
  const order = (await ask(201, 'POST /v1/billing/checkout', { by: ada, body })).body
  await ask(303, `GET /v1/billing/return/${order.payment.id}`, { by: app })
  const bot = await botOf(app, admin)
  await ask(200, 'GET /v1/bot/members', { by: bot })
  await ask(401, 'GET /v1/panel/api/remote/servers', { by: app })
  await ask(403, 'GET /v1/metrics', { by: app })
  await ask(404, `POST /v1/billing/webhooks/${newId()}`, { by: app, body: {} })
})

test('an exceeded rate limit says when to come back', async () => {
  const body = { email: 'nobody@example.org', password: 'wrong' }
  let last: Answer | undefined
  for (let count = 0; count < 100 && last?.status !== 429; count++) {
    last = await app.post('/v1/auth/login', body)
  }
  assert.ok(last)
  compare('POST', '/v1/auth/login', last, 429)
  assert.ok(Number(last.headers['retry-after']) >= 1)
})

test('every header that the document describes was sent at least once', () => {
  const all = operations.flatMap(({ described }) =>
    Object.values(described.responses as Record<string, { headers?: Declared }>).flatMap((it) =>
      Object.keys(it.headers ?? {}).map((name) => name.toLowerCase()),
    ),
  )
  assert.deepEqual(
    [...new Set(all)].filter((it) => !seen.has(it)),
    [],
  )
})
