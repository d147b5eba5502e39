import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { collector } from '#test/collector.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'

/** What may hold a one-time token: each parameter of a path, and the query. */
const TOKEN = randomBytes(32).toString('base64url')
let logged = ''
const log = pino({ level: 'trace', base: null }, { write: (line: string) => (logged += line) })
const traces = await collector()
const { app, admin } = await gameShop({ log, config: { tracing: traces.settings } })
const customer = await person(app)
const staff = await person(app, { admin: true })
const acting = await staff.post(`/v1/admin/users/${customer.userId}/impersonate`, {
  reason: 'Asked for help',
})
const callers: Record<string, Client> = {
  ...{ nobody: app, customer, staff: admin },
  'staff who act as a customer': app.as(acting.body.accessToken),
}

const QUERY = `?token=${TOKEN}&code=${TOKEN}&state=${TOKEN}&next=/${TOKEN}&cursor=${TOKEN}`
const paths = [
  ...app.routes
    // With nothing to name, a change would be one.
    .filter(({ method, url, config }) => !config.lasting && (method === 'GET' || /[:*]/.test(url)))
    .map(({ method, url }) => ({ method, url: url.replace(/:\w+|\*/g, TOKEN) })),
  { method: 'GET', url: `/v1/invitations/${TOKEN}/` },
  { method: 'GET', url: `/reset/x/${TOKEN}` },
  { method: 'PUT', url: `/${TOKEN}` },
  { method: 'GET', url: `/pay/%41${TOKEN}` },
  { method: 'GET', url: `/pay/%zz${TOKEN}` },
]

for (const [name, client] of Object.entries(callers)) {
  test(`no link that ${name} may open has its token in logs, traces or the audit log`, async () => {
    logged = ''
    assert.ok(paths.filter(({ url }) => url.includes(TOKEN)).length > 100)
    for (const { method, url } of paths) {
      await client.request(method, `${url}${QUERY}`)
    }
    const last = await client.get(`/v1/invitations/${TOKEN}`)
    await traces.heard('the last one', ({ attributes }) => {
      return attributes['moorage.request_id'] === last.headers['x-request-id']
    })
    await until('all is logged', () => logged.includes(String(last.headers['x-request-id'])))
    const holding = logged.split('\n').filter((line) => line.includes(TOKEN))
    assert.deepEqual(holding, [])
    assert.match(logged, /"path":"\/v1\/invitations\/:token"/)
    assert.ok(!JSON.stringify(traces.spans).includes(TOKEN))
    const entries = await admin.get('/v1/admin/audit-logs?limit=100')
    assert.ok(!entries.text.includes(TOKEN))
  })
}
