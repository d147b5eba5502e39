import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, failures, rows, sender, testPanel, userBody } from './testing.ts'

const UNKNOWN = /^The requested resource could not be found on the server\.$/

test('requests are checked in the order of the panel', async (t) => {
  const panel = await testPanel(t)
  const broken = '{ "email": '
  const user = await panel.newUser('ann')
  const token = async (body: unknown) =>
    (await panel.control('POST', '/keys', body)).fields.text('token')
  const fromElsewhere = panel.as(await token({ allowedIps: ['198.51.100.7'] }))
  const ofUser = panel.as(await token({ kind: 'account', userId: user }))
  const reader = panel.as(await token({ permissions: { users: 1 } }))
  const missing = '/api/application/users/999'

  const keyless = await sender(panel.url, null)('POST', '/api/application/users', broken)
  assertError(keyless, 401, 'AuthenticationException', /^Unauthenticated\.$/)
  assert.equal(keyless.headers.get('x-ratelimit-limit'), null)
  assertError(await panel.as('ptla_unknown')('GET', missing), 401, 'AuthenticationException')

  await panel.control('POST', '/settings', { twoFactorRequired: true })
  const malformed = await panel.app('POST', '/users', broken)
  assertError(malformed, 400, 'BadRequestHttpException', /^The JSON data passed in the request app/)
  assertError(await fromElsewhere('GET', missing), 400, 'TwoFactorAuthRequiredException')
  await panel.control('POST', '/settings', { twoFactorRequired: false })

  await panel.control('POST', '/settings', { rateLimits: { application: 0 } })
  assertError(
    await fromElsewhere('GET', missing),
    403,
    'AccessDeniedHttpException',
    /\(127\.0\.0\.1\)/,
  )
  assertError(await panel.app('GET', '/users/999'), 429, 'ThrottleRequestsException')
  await panel.control('POST', '/settings', { rateLimits: { application: 100 } })

  assertError(await ofUser('GET', missing), 404, 'NotFoundHttpException', UNKNOWN)
  const noAdmin = await ofUser('GET', '/api/application/users/1')
  assertError(noAdmin, 403, 'AccessDeniedHttpException', /^This account does not have permission/)
  const noRight = await reader('POST', '/api/application/users', {})
  assertError(noRight, 403, 'AccessDeniedHttpException', /^This action is unauthorized\.$/)
  assert.equal((await reader('GET', '/api/application/users')).status, 200)
  assert.equal((await panel.app('POST', '/users', {})).status, 422)
})

test('an application key is refused on the client API, an admin is not', async (t) => {
  const panel = await testPanel(t)
  const refused = await panel.as(panel.applicationKey)('GET', '/api/client')
  assertError(refused, 403, 'AccessDeniedHttpException', /requires a client API key/)
  assert.equal((await panel.client('GET', '/client')).status, 200)
  assert.equal((await panel.client('GET', '/application/users')).status, 200)
})

test('the detail of a 404 tells an unknown route from an unknown thing', async (t) => {
  const panel = await testPanel(t)
  const route = await panel.app('GET', '/eggs')
  assertError(route, 404, 'NotFoundHttpException', /^The route api\/application\/eggs could not be/)
  for (const path of [
    '/users/9',
    '/users/abc',
    '/users/external/x',
    '/servers/9',
    '/nests/1/eggs/13',
  ]) {
    assertError(await panel.app('GET', path), 404, 'NotFoundHttpException', UNKNOWN)
  }
  assertError(await panel.app('PATCH', '/nests'), 405, 'MethodNotAllowedHttpException')
})

test('whoever does not ask for JSON is redirected or gets a page', async (t) => {
  const panel = await testPanel(t)
  const request = { redirect: 'manual' as const, headers: { accept: 'text/html' } }
  const keyless = await fetch(`${panel.url}/api/application/users`, request)
  assert.equal(keyless.status, 302)
  assert.equal(keyless.headers.get('location'), `${panel.url}/auth/login`)
  const headers = { ...request.headers, authorization: `Bearer ${panel.applicationKey}` }
  const missing = await fetch(`${panel.url}/api/application/users/9`, { ...request, headers })
  assert.equal(missing.status, 404)
  assert.match(missing.headers.get('content-type') ?? '', /^text\/html/)
  const invalid = await fetch(`${panel.url}/api/application/users`, {
    ...request,
    headers,
    method: 'POST',
  })
  assert.equal(invalid.status, 302)
  const upper = { ...headers, accept: 'Application/vnd.pterodactyl.v1+JSON' }
  const asked = await fetch(`${panel.url}/api/application/users/9`, { ...request, headers: upper })
  assert.equal(asked.headers.get('content-type'), 'application/json')
})

test('texts are trimmed, and empty ones are null before the rules are looked at', async (t) => {
  const panel = await testPanel(t)
  const spaced = userBody('ann', { first_name: '  Ann ', external_id: '' })
  const made = await panel.app('POST', '/users', spaced)
  assert.partialDeepStrictEqual(made.body, { attributes: { first_name: 'Ann', external_id: null } })
  const empty = await panel.app('POST', '/users', userBody('bob', { last_name: '   ' }))
  assert.deepEqual(failures(empty), ['last_name/required'])
})

test('the rate limit is of the owner of keys, and ends with its window', async (t) => {
  const panel = await testPanel(t, { rateLimits: { application: 2 } })
  const first = await panel.app('GET', '/users')
  assert.equal(first.headers.get('x-ratelimit-limit'), '2')
  assert.equal(first.headers.get('x-ratelimit-remaining'), '1')
  const failed = await panel.client('GET', '/application/users/999')
  assert.equal(failed.status, 404)
  assert.equal(failed.headers.get('x-ratelimit-remaining'), '0')
  const refused = await panel.app('GET', '/users')
  assertError(refused, 429, 'ThrottleRequestsException', /^Too Many Attempts\.$/)
  const [wait, reset] = ['retry-after', 'x-ratelimit-reset'].map((it) =>
    Number(refused.headers.get(it)),
  )
  assert.ok(wait !== undefined && wait > 50 && wait <= 60)
  assert.ok(reset !== undefined && Math.abs(reset - Date.now() / 1000 - 60) < 10)
  assert.equal((await panel.client('GET', '/client')).status, 200)
  await panel.control('POST', '/clock', { advanceSeconds: 61 })
  assert.equal((await panel.app('GET', '/users')).status, 200)
})

test('a list is paged by links that carry the page alone', async (t) => {
  const panel = await testPanel(t)
  for (const name of ['ann', 'bob', 'cid', 'dan']) await panel.newUser(name)
  const single = await panel.app('GET', '/users')
  assert.deepEqual(single.body.meta, {
    pagination: { total: 5, count: 5, per_page: 50, current_page: 1, total_pages: 1, links: {} },
  })
  const middle = await panel.app('GET', '/users?sort=id&per_page=2&page=2')
  assert.deepEqual(
    rows(middle.body).map(({ username }) => username),
    ['bob', 'cid'],
  )
  const at = `${panel.url}/api/application/users?page=`
  assert.partialDeepStrictEqual(middle.body.meta, {
    pagination: { count: 2, total_pages: 3, links: { previous: `${at}1`, next: `${at}3` } },
  })
  const past = await panel.app('GET', '/users?page=9')
  assert.deepEqual([past.status, past.body.data], [200, []])
  assert.equal(
    (await panel.app('GET', '/users?page=-1')).fields.number('meta.pagination.current_page'),
    1,
  )
})

test('filters match any part of a text, in any case, without wildcards', async (t) => {
  const panel = await testPanel(t)
  for (const name of ['ann', 'joann', 'bob']) await panel.newUser(name)
  const found = async (query: string) =>
    rows((await panel.app('GET', `/users?${query}`)).body).map(({ username }) => username)
  assert.deepEqual(await found('filter[email]=ANN@example.com&sort=id'), ['ann', 'joann'])
  assert.deepEqual(await found('filter[username]=joa,bob&sort=-id'), ['bob', 'joann'])
  assert.deepEqual(await found('filter[email]=_nn@example.com'), [])
  assert.deepEqual(await found('filter[external_id]=1'), [])
})

test('unknown filters and sorts are refused where a list declares some', async (t) => {
  const panel = await testPanel(t)
  const filter = await panel.app('GET', '/users?filter[first_name]=ann')
  assertError(filter, 400, 'InvalidFilterQuery', /`email, uuid, username, external_id`/)
  assertError(await panel.app('GET', '/users?sort=email'), 400, 'InvalidSortQuery', /`id, uuid`/)
  assert.equal((await panel.app('GET', '/nests?filter[name]=x&sort=name')).status, 200)
})

test('a relation that is empty or may not be read is a null resource', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer()
  const server = await panel.app(
    'GET',
    '/servers/1?include[]=user&include[]=node.location,nonsense',
  )
  assert.partialDeepStrictEqual(server.body, {
    attributes: {
      relationships: {
        user: { object: 'user' },
        node: { attributes: { relationships: { location: { object: 'location' } } } },
      },
    },
  })
  const permissions = { servers: 3, nests: 1 }
  const { fields } = await panel.control('POST', '/keys', { permissions })
  const limited = panel.as(fields.text('token'))
  const hidden = await limited('GET', '/api/application/servers/1?include=user')
  const nothing = { object: 'null_resource', attributes: null }
  assert.partialDeepStrictEqual(hidden.body, { attributes: { relationships: { user: nothing } } })
  const nests = await limited('GET', '/api/application/nests?include=eggs.variables')
  assert.partialDeepStrictEqual(rows(nests.body)[0], { relationships: { eggs: nothing } })
  const free = await panel.app('GET', '/nodes/1/allocations?include=server&filter[server_id]=0')
  assert.partialDeepStrictEqual(rows(free.body)[0], { relationships: { server: nothing } })
})
