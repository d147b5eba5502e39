import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { type Client, clientFor } from '#test/client.ts'
import { person } from '#test/people.ts'

/**
 * What a shop that is suspended or closed still answers, for every registered route: one that does
 * not say that it is served then is not.
 */
const app = await testApp(null)
const platform = await person(app, { admin: true })

async function shopIn(status: string, host: string) {
  const made = await platform.post('/v1/admin/tenants', { name: host, domains: [host] })
  assert.equal(made.status, 201, made.text)
  const { id: tenantId } = made.body
  const customer = await person(app, { tenantId })
  const staff = await person(app, { tenantId, permissions: ['store:read'] })
  const { status: changed } = await platform.patch(`/v1/admin/tenants/${tenantId}`, { status })
  assert.equal(changed, 200)
  return { visitor: clientFor(app.url, { host }), customer, staff }
}

const routes = app.routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')

function call(client: Client, { method, url }: (typeof routes)[number]) {
  const path = url.replace(/:\w+/g, newId()).replace('*', 'x')
  return client.request(method, path, method === 'GET' ? undefined : {})
}

test('a suspended shop turns visitors and customers away on every route that does not say otherwise', async () => {
  const { visitor, customer, staff } = await shopIn('suspended', 'suspended.example')
  const served: string[] = []
  for (const route of routes) {
    const { method, url, config } = route
    const name = `${method} ${url}`
    if (config.access !== 'public' && config.access !== 'user') continue
    // A path with a pattern is not one that can be called as it stands.
    if (url.includes('(')) continue
    const client = config.access === 'public' ? visitor : customer
    const { status, body } = await call(client, route)
    if (config.whileSuspended ?? config.quota === 'auth') {
      assert.notEqual(body.code, 'shop_suspended', name)
      if (config.quota !== 'auth' && !config.hidden) served.push(name)
      continue
    }
    // A page says the same in words.
    const said = url.startsWith('/v1/') ? 'shop_suspended' : undefined
    assert.deepEqual([status, body?.code], [503, said], name)
    if (method !== 'GET' || url.includes(':')) continue
    const forStaff = await call(staff, route)
    assert.notEqual(forStaff.body.code, 'shop_suspended', `${name} for the staff`)
  }
  // Every one of these is a decision: what outsiders report, what tells of the service itself, and
  // the logo, which mails that were sent show.
  assert.deepEqual(served.sort(), [
    'GET /v1/billing/export-data',
    'GET /v1/billing/return/:attemptId',
    'GET /v1/brand/logo',
    'GET /v1/docs',
    'GET /v1/health',
    'GET /v1/health/live',
    'GET /v1/legal-texts/:kind',
    'GET /v1/meta',
    'GET /v1/metrics',
    'GET /v1/openapi.json',
    'POST /v1/billing/webhooks/:gatewayId',
    'POST /v1/deliveries/:id/result',
  ])
})

test('a closed shop answers nothing on any route, whoever asks', async () => {
  const { visitor, customer, staff } = await shopIn('closed', 'closed.example')
  for (const route of routes) {
    for (const client of [visitor, customer, staff]) {
      const { status, body } = await call(client, route)
      assert.equal(status, 404, `${route.method} ${route.url}`)
      assert.equal(body.message, 'Shop not found.')
    }
  }
})
