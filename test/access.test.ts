import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '#test/client.ts'
import { clientFor } from '#test/client.ts'
import { contents } from '#test/contents.ts'
import { matrix, REPORTS } from '#test/matrix.ts'

/**
 * Who may call what, for every registered route: a new one is in here by being registered, and
 * fails until the world has an object for it.
 */
const there = await matrix()
const { app, owner, admin, daemons, bot, routes, guarded, named } = there
const { stranger, strangersKey, foreigner, foreignBot, bystander, impersonator, readKeys } = there
const { send, pathOf, clerk, elsewhere, hasNoObject, isLink, isOfOnePerson, assertNothingShown } =
  there
const readKey = readKeys.admin

test('the matrix covers the routes of the document, those with an id included (hardening 1)', async () => {
  assert.ok(guarded.length > 90, `${guarded.length} guarded routes`)
  assert.ok(named.length > 50, `${named.length} routes with an object`)
  const { paths } = (await app.get('/v1/openapi.json')).body
  const known = new Set(routes.map(({ url }) => url.replace(/:(\w+)/g, '{$1}')))
  assert.deepEqual(
    Object.keys(paths).filter((path) => !known.has(path)),
    [],
  )
})

const PERMISSIONS = [...new Set(guarded.flatMap(({ config }) => config.permission ?? []))]

/** A permission of the same area, or else another one: one step beside the right one. */
function besides(permission: string): string {
  const [area = ''] = permission.split(':')
  const others = PERMISSIONS.filter((it) => it !== permission)
  return others.find((it) => it.startsWith(`${area}:`)) ?? others[0] ?? 'probe:read'
}

function farFrom(permission: string): string {
  return permission === 'audit:read' ? 'users:read' : 'audit:read'
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

  test(`${name} refuses a credential of another tenant's host (hardening 2)`, async () => {
    const { status } = await send(elsewhere({ authorization: `Bearer ${owner.token}` }), route)
    assert.equal(status, config.access === 'daemon' ? 400 : 401)
    const daemon = await send(elsewhere({ authorization: `Bearer ${daemons.own}` }), route)
    assert.equal(daemon.status, config.access === 'daemon' ? 403 : 401)
  })

  if (config.access !== 'daemon') {
    test(`${name} refuses daemons (hardening 7)`, async () => {
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
    test(`${name} refuses customers (hardening 7)`, async () => {
      assert.equal((await send(stranger, route)).status, 403)
      assert.equal((await send(owner, route)).status, 403)
    })

    if (config.anyStaff) {
      test(`${name} is open to any member of staff, whatever their permissions`, async () => {
        for (const permission of PERMISSIONS) {
          const { status } = await send(await clerk(permission), route)
          assert.ok(status !== 403 && status < 500, `${permission}: ${status}`)
        }
      })
      continue
    }

    test(`${name} refuses administrators who hold anything but ${config.permission} (hardening 8)`, async () => {
      const { permission } = config
      assert.ok(permission, 'it names a permission')
      for (const other of new Set([besides(permission), farFrom(permission)])) {
        const { status, body } = await send(await clerk(other), route)
        assert.deepEqual([status, body.code], [403, 'permission_missing'], other)
      }
      // Not what it is for: an end of it must not take the object away.
      const nonsense = method === 'GET' ? {} : { raw: '{' }
      const by = await clerk(permission)
      const { status } = await by.request(method, pathOf(url), undefined, nonsense)
      assert.ok(status !== 403 && status < 500, `with it the answer is ${status}`)
    })
  }

  if (config.access === 'bot' || config.access === 'daemon') {
    test(`${name} refuses people, whatever they may do elsewhere (hardening 7)`, async () => {
      assert.equal((await send(admin, route)).status, 403)
      assert.equal((await send(owner, route)).status, 403)
    })
  }
}

test('no route takes a cookie for a credential (hardening 22)', async () => {
  const names = ['token', 'session', 'access_token', 'accessToken', 'refreshToken', 'authorization']
  const cookie = names.map((name) => `${name}=${owner.token}`).join('; ')
  for (const route of guarded.filter(({ method }) => method === 'GET')) {
    const { status } = await send(clientFor(app.url, { cookie }), route)
    assert.equal(status, 401, route.url)
  }
})

/** Everything that may be called by who has a key, and what anybody may call. */
const forKeys = routes.filter(({ config }) => config.access !== 'bot' && config.access !== 'daemon')

for (const route of forKeys.filter(({ method }) => method !== 'GET')) {
  test(`${route.method} ${route.url} refuses a key that may only read (hardening 6)`, async () => {
    const { status, body } = await send(readKey, route)
    assert.equal(status, 403)
    assert.equal(body.code, 'read_only_key')
  })
}

/** They need something else than a key: a sign-in, tokens of their own. */
const PREVIEWS: ReadonlySet<string> = new Set([
  '/v1/admin/imports/:id/preview',
  '/v1/admin/imports/:id/preview/csv',
  '/v1/admin/imports/:id/decisions',
])

const WITHOUT_AN_ANSWER = [
  '/v1/knowledge/search 400,400,400',
  ...['/v1/oidc/auth 400,400,400', '/v1/oidc/userinfo 401,401,401'],
  // The import of the world was turned down: it renews nothing, and nothing is decided of it.
  ...[...PREVIEWS].map((url) => `${url} 409,409,409`),
  '/v1/metrics 403,403,403',
]

test('a key that may only read reads by GET and HEAD, and a method override changes nothing (hardening 6)', async () => {
  const overrides = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
  const headers = { ...overrides, 'x-http-method': 'DELETE' }
  const before = await contents(app)
  const others: string[] = []
  for (const route of forKeys.filter(({ method }) => method === 'GET')) {
    const { url, config } = route
    // A browser that asks to be signed out is given a page that it is remembered by.
    if (hasNoObject(route) || REPORTS.includes(url) || url === '/v1/oidc/logout') continue
    const [key, whole] =
      config.access === 'admin' ? [readKeys.admin, admin] : [readKeys.user, owner]
    const asked = pathOf(url)
    const override = await whole.get(`${asked}?_method=DELETE`)
    const refuses = override.status === 400 || config.openQuery || config.hidden
    assert.ok(refuses, `${url} ${override.status}`)
    const statuses = [
      (await whole.get(asked, { headers })).status,
      (await key.get(asked, { headers })).status,
      (await key.request('HEAD', pathOf(url))).status,
    ]
    if (statuses.some((status) => status !== 200)) others.push(`${url} ${statuses}`)
  }
  assert.deepEqual(others, WITHOUT_AN_ANSWER)
  assert.deepEqual(await contents(app), before)
})

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
      assert.equal(body.code, config.access === 'user' ? 'impersonated' : 'forbidden')
    }
  })
}

for (const route of named) {
  const { method, url, config } = route
  const name = `${method} ${url}`
  if (config.access === 'public') {
    if (REPORTS.includes(url)) continue
    test(`${name} does not know the object at another shop's host (hardening 2)`, async () => {
      const { status, text } = await send(elsewhere(), route)
      assert.equal(status, 404, text)
    })
    continue
  }
  if (hasNoObject(route)) continue
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
    test(`IDOR: ${name} tells and does nothing for the bot of another tenant (hardening 2)`, async () => {
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

  // Every shop sends the same kinds of mail: each has its own texts, which `mails/templates` tests.
  if (url.startsWith('/v1/admin/mail-templates/')) continue

  test(`IDOR: ${name} does not know the object of another tenant, whatever it says (hardening 2)`, async () => {
    const answer = await send(foreigner, route)
    assert.equal(answer.status, 404, answer.text)
    assertNothingShown(answer, name)
    const said = await contradicting(foreigner, route)
    assert.ok(said.status === 404 || said.status === 400, said.text)
    assertNothingShown(said, name)
  })

  if (isOfOnePerson(route)) {
    test(`IDOR: ${name} does not know the object of somebody else (hardening 1)`, async () => {
      const bySession = await send(stranger, route)
      assert.equal(bySession.status, 404, bySession.text)
      assertNothingShown(bySession, name)
      const byKey = await send(strangersKey, route)
      assert.equal(byKey.status, 404, byKey.text)
      assertNothingShown(byKey, name)
    })
  }

  if (isLink(route)) {
    test(`${name} refuses whom the link was not sent to (hardening 10)`, async () => {
      assert.equal((await send(stranger, route)).status, 403)
    })
  }

  if (method === 'GET') {
    test(`${name} knows the object for whom it belongs to`, async () => {
      const { status, text } = await send(config.access === 'admin' ? admin : owner, route)
      assert.equal(status, PREVIEWS.has(url) ? 409 : 200, text)
    })
  }
}

/** The owner's tenant wherever it can be said, against the host and the credential. */
function contradicting(client: Client, { method, url }: (typeof routes)[number]): Promise<Answer> {
  const { tenantId } = app
  const headers = {
    ...{ 'x-tenant-id': tenantId, 'x-tenant': tenantId, 'x-forwarded-host': 'shop.test' },
    forwarded: 'host=shop.test',
  }
  const body = method === 'GET' ? undefined : { tenantId }
  return client.request(method, `${pathOf(url)}?tenantId=${tenantId}`, body, { headers })
}

for (const route of guarded.filter(({ method, url }) => method === 'GET' && !url.includes(':'))) {
  const { url, config } = route
  test(`${url} shows nothing of somebody else, whatever the filters (hardening 3)`, async () => {
    const { userId } = owner
    const owners = `userId=${userId}&ownerId=${userId}&user=${userId}&tenantId=${app.tenantId}`
    const filters = `filter[owner]=*&filter[userId]=${userId}&filter[tenantId]=*`
    const query = `?${owners}&${filters}&include=all,user,owner,services,invoices`
    for (const where of [url, `${url}${query}`]) {
      for (const who of config.access === 'user' ? [stranger, bystander] : [bystander]) {
        const answer = await knownOnly(who, where)
        assert.notEqual(answer.status, 400, answer.text)
        assertNothingShown(answer, where)
      }
    }
  })
}

/** The answer to the parameters that a route knows; with the others it is refused, and shows nothing. */
async function knownOnly(who: Client, where: string): Promise<Answer> {
  const answer = await who.get(where)
  if (answer.body?.code !== 'unknown_parameter') return answer
  assertNothingShown(answer, where)
  const [path, query] = where.split('?')
  const known = new URLSearchParams(query)
  for (const { path: name } of answer.body.details) known.delete(name)
  return who.get(`${path}?${known}`)
}

test('all these refusals have changed nothing (hardening 1, 2, 6)', async () => {
  const before = await contents(app)
  for (const route of forKeys.filter(({ method }) => method !== 'GET')) {
    await send(readKey, route)
    if (route.config.access === 'public') continue
    if (route.url.includes(':') && !hasNoObject(route)) {
      await send(foreigner, route)
      await contradicting(foreigner, route)
    }
    if (route.config.access === 'admin') await send(stranger, route)
    if (!isOfOnePerson(route)) continue
    await send(stranger, route)
    await send(strangersKey, route)
  }
  assert.deepEqual(await contents(app), before)
})
