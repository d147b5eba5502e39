import assert from 'node:assert/strict'
import { test } from 'node:test'
import { botOf } from '#test/bot.ts'
import type { Answer, Client } from '#test/client.ts'
import { clientFor } from '#test/client.ts'
import { contents } from '#test/contents.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { world } from '#test/world.ts'

/**
 * Who may call what, for every registered route: a new one is in here by being registered, and
 * fails until the world has an object for it.
 */
const there = await world()
const { app, owner, admin, objects, daemons, bot } = there
const stranger = await person(app)
const clerk = await person(app, { permissions: ['probe:read'] })
const foreignTenant = await otherTenant(app, 'other.test')
const foreigner = await person(app, { tenantId: foreignTenant, admin: true })
const foreignBot = await botOf(app, foreigner)
/** Of a third tenant, who has asked for nothing: what they see, they were shown. */
const bystander = await person(app, {
  tenantId: await otherTenant(app, 'third.test'),
  admin: true,
})
/** Staff who act as the owner of everything. */
const staff = await person(app, { admin: true })
const begun = await staff.post(`/v1/admin/users/${owner.userId}/impersonate`)
const impersonator = app.as(begun.body.accessToken)
const readKey = await apiKey(app, admin, { permission: 'read' })

/** Whoever has the link may look, so what protects it is that nobody can guess it. */
const BEARER_LINKS = ['/v1/invitations/:token']
/** Outsiders call these under the installation's own address, whichever shop it is about. */
const REPORTS = [
  ...['/v1/billing/webhooks/:gatewayId', '/v1/billing/return/:attemptId'],
  // Names a provider that all know; what it finishes is sealed in the query.
  '/v1/auth/connections/:provider/callback',
]
/** Not of this tenant alone, or nothing to be found by an id. */
const SHARED = ['/v1/admin/jobs/:id', '/v1/admin/webhooks/:id']

const routes = app.routes.filter(
  ({ method, config }) => method !== 'HEAD' && method !== 'OPTIONS' && !config.hidden,
)
const guarded = routes.filter(({ config }) => config.access !== 'public')
const named = routes.filter(({ url }) => url.includes(':'))

test('the matrix covers the routes', () => {
  assert.ok(guarded.length > 90, `${guarded.length} guarded routes`)
  assert.ok(named.length > 50, `${named.length} routes with an object`)
})

function pathOf(url: string): string {
  const parts: string[] = []
  const seen: string[] = []
  for (const part of url.split('/')) {
    seen.push(part)
    if (!part.startsWith(':')) parts.push(part)
    else parts.push(encodeURIComponent(objectAt(seen.join('/'))))
  }
  return parts.join('/')
}

function objectAt(prefix: string): string {
  if (SHARED.includes(prefix)) return '01900000-0000-7000-8000-000000000000'
  const id = objects.get(prefix)
  assert.ok(id, `There is no object for ${prefix}: add one to test/support/world.ts`)
  return id
}

function send(client: Client, { method, url }: { method: string; url: string }): Promise<Answer> {
  return client.request(method, pathOf(url), method === 'GET' ? undefined : {})
}

function isLink(url: string): boolean {
  return BEARER_LINKS.some((link) => url.startsWith(link))
}

/** Whether a route's object is one person's; a coupon is there for everybody. */
function isOfOnePerson({ url, config }: (typeof routes)[number]): boolean {
  const named = url.includes(':') && !isLink(url) && !url.startsWith('/v1/cart/coupons')
  return config.access === 'user' && named
}

for (const route of guarded) {
  const { method, url, config } = route
  const name = `${method} ${url}`

  test(`${name} refuses who shows no credential, or one that is none`, async () => {
    assert.equal((await send(app, route)).status, 401)
    // Daemons are told as their own protocol has it: what cannot be a token, and what is none.
    const isDaemons = config.access === 'daemon'
    const wrong = isDaemons ? 400 : 401
    assert.equal((await send(app.as('moor_nobodysKey'), route)).status, wrong)
    const unknown = await send(app.as(`${'n'.repeat(16)}.${'n'.repeat(64)}`), route)
    assert.equal(unknown.status, isDaemons ? 403 : 401)
    assert.equal((await send(clientFor(app.url, { authorization: 'Basic x' }), route)).status, 401)
  })

  test(`${name} refuses a credential of another tenant's host`, async () => {
    const host = { host: 'other.test', authorization: `Bearer ${owner.token}` }
    const { status } = await send(clientFor(app.url, host), route)
    assert.equal(status, config.access === 'daemon' ? 400 : 401)
    const daemon = { host: 'other.test', authorization: `Bearer ${daemons.own}` }
    const answer = await send(clientFor(app.url, daemon), route)
    assert.equal(answer.status, config.access === 'daemon' ? 403 : 401)
  })

  if (config.access !== 'daemon') {
    test(`${name} refuses daemons`, async () => {
      assert.equal((await send(app.as(daemons.own), route)).status, 403)
    })
  }

  if (config.access !== 'bot') {
    test(`${name} refuses bots (hardening 7)`, async () => {
      const { status } = await send(bot, route)
      assert.equal(status, 403)
    })
  }

  if (config.access === 'admin') {
    test(`${name} refuses customers, and administrators without ${config.permission}`, async () => {
      assert.ok(config.permission, 'it names a permission')
      assert.equal((await send(stranger, route)).status, 403)
      assert.equal((await send(owner, route)).status, 403)
      assert.equal((await send(clerk, route)).status, 403)
    })
  }

  if (config.access === 'bot' || config.access === 'daemon') {
    test(`${name} refuses people, whatever they may do elsewhere`, async () => {
      assert.equal((await send(admin, route)).status, 403)
    })
  }

  if (method !== 'GET' && config.access !== 'bot' && config.access !== 'daemon') {
    test(`${name} refuses a key that may only read`, async () => {
      const { status, body } = await send(readKey, route)
      assert.equal(status, 403)
      assert.equal(body.code, 'read_only_key')
    })
  }
}

/** Where people sign in, prove who they are, pay, or give others access: never for who acts as them. */
const CREDENTIALS =
  /password|totp|passkey|session|api-keys|connections|consents|payment-method|setup-intent|portal|export-data|checkout|\/pay$|top-up|accept|decline/

for (const route of guarded.filter(({ config }) => config.access !== 'bot')) {
  const { method, url, config } = route
  if (config.access === 'daemon') continue
  const allowed = config.impersonation === 'allowed'

  test(`${method} ${url} ${allowed ? 'lets' : 'refuses'} who acts as somebody (hardening 11)`, async () => {
    if (allowed) {
      assert.equal(config.access, 'user')
      assert.doesNotMatch(url, CREDENTIALS)
      assert.ok(method !== 'PATCH' || url !== '/v1/users/me')
      if (method === 'GET') assert.equal((await send(impersonator, route)).status, 200)
    } else {
      const { status, body } = await send(impersonator, route)
      assert.equal(status, 403)
      assert.equal(body.code, config.access === 'user' ? 'impersonated' : undefined)
    }
  })
}

for (const route of named) {
  const { method, url, config } = route
  const name = `${method} ${url}`
  if (config.access === 'public') {
    if (REPORTS.includes(url)) continue
    test(`${name} does not know the object at another shop's host`, async () => {
      const { status, text } = await send(clientFor(app.url, { host: 'other.test' }), route)
      assert.equal(status, 404, text)
    })
    continue
  }
  if (SHARED.some((it) => url.startsWith(it))) continue
  if (config.access === 'daemon') {
    test(`IDOR: ${name} does nothing for the daemon of another panel (hardening 7)`, async () => {
      const before = await contents(app)
      const report = { successful: true, data: { new_state: 'running' } }
      const body = method === 'GET' ? undefined : report
      const { status, text } = await app.as(daemons.other).request(method, pathOf(url), body)
      assert.ok([403, 404, 204].includes(status), text)
      if (/\/(install|status)$/.test(url)) assert.notEqual(status, 204)
      assert.deepEqual(await contents(app), before)
    })
    continue
  }

  if (config.access === 'bot') {
    test(`IDOR: ${name} tells and does nothing for the bot of another tenant`, async () => {
      const before = await contents(app)
      const { status, text } = await send(foreignBot, route)
      assert.ok(status === 404 || (method === 'GET' && status === 200), text)
      for (const own of [owner.userId, owner.name]) assert.ok(!text.includes(own), text)
      assert.deepEqual(await contents(app), before)
    })
    if (method === 'GET') {
      test(`${name} knows the member for a bot of their shop`, async () => {
        const { status, text } = await send(bot, route)
        assert.equal(status, 200, text)
        assert.doesNotMatch(text, /@|[cC]ents|[cC]urrency/, 'no address, no amount')
      })
    }
    continue
  }

  test(`IDOR: ${name} does not know the object of another tenant`, async () => {
    const { status, text } = await send(foreigner, route)
    assert.equal(status, 404, text)
  })

  if (isOfOnePerson(route)) {
    test(`IDOR: ${name} does not know the object of somebody else`, async () => {
      const { status, text } = await send(stranger, route)
      assert.equal(status, 404, text)
    })
  }

  if (isLink(url)) {
    test(`${name} refuses whom the link was not sent to`, async () => {
      assert.equal((await send(stranger, route)).status, 403)
    })
  }

  if (method === 'GET') {
    test(`${name} knows the object for whom it belongs to`, async () => {
      const { status, text } = await send(config.access === 'admin' ? admin : owner, route)
      assert.equal(status, 200, text)
    })
  }
}

for (const route of guarded.filter(({ method, url }) => method === 'GET' && !url.includes(':'))) {
  test(`${route.url} shows nothing of another tenant, whatever the filters`, async () => {
    // A provider's name is nobody's object.
    const own = new Set(objects.values().filter((it) => it !== 'discord'))
    for (const query of [
      '',
      `?userId=${owner.userId}`,
      '?include=all',
      `?tenantId=${app.tenantId}`,
    ]) {
      const { text } = await bystander.get(`${route.url}${query}`)
      for (const id of own) assert.ok(!text.includes(id), `${route.url}${query} shows ${id}`)
    }
  })
}

test('all these refusals have changed nothing', async () => {
  const before = await contents(app)
  for (const route of guarded.filter(({ method }) => method !== 'GET')) {
    await send(readKey, route)
    if (route.url.includes(':') && !SHARED.some((it) => route.url.startsWith(it))) {
      await send(foreigner, route)
    }
    if (route.config.access === 'admin') await send(stranger, route)
    if (isOfOnePerson(route)) await send(stranger, route)
  }
  assert.deepEqual(await contents(app), before)
})

test('a method override changes nothing', async () => {
  const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
  const path = `/v1/services/${objects.get('/v1/services/:id')}`
  assert.equal((await readKey.get('/v1/services', { headers })).status, 200)
  assert.equal((await owner.get(path, { headers })).status, 200)
  assert.equal((await owner.get(path)).status, 200)
})
