import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows, sender, serverBody, testPanel } from './testing.ts'

const CREATE = 'POST /api/application/servers'

test('controls need their token, and say what they do not know', async (t) => {
  const panel = await testPanel(t)
  const stranger = sender(panel.url, panel.applicationKey)
  assert.equal((await stranger('GET', '/_sandbox/journal')).status, 401)
  const owner = sender(panel.url, panel.controlToken)
  assert.equal((await owner('POST', '/_sandbox/nothing')).status, 404)
  assert.equal((await owner('POST', '/_sandbox/faults', { route: CREATE, kind: 'x' })).status, 400)
  assert.equal((await owner('POST', '/_sandbox/wings', { nodeId: 99 })).status, 400)
})

const INSTEAD: [kind: string, status: number, code: string | null][] = [
  ['504-before', 504, 'DaemonConnectionException'],
  ['html-502', 502, null],
  ['429', 429, 'ThrottleRequestsException'],
  ['401', 401, 'AuthenticationException'],
  ['403', 403, 'AccessDeniedHttpException'],
  ['conflict-409', 409, 'DaemonConnectionException'],
]

for (const [kind, status, code] of INSTEAD) {
  test(`the fault ${kind} answers ${status} and changes nothing, as often as asked`, async (t) => {
    const panel = await testPanel(t)
    await panel.control('POST', '/faults', { route: CREATE, kind, n: 2, retryAfter: 7 })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await panel.app('POST', '/servers', serverBody())
      assert.equal(answer.status, status)
      if (code) assert.equal(answer.fields.text('errors.0.code'), code)
      else assert.match(answer.text, /^<html>/)
      if (kind === '429') assert.equal(answer.headers.get('retry-after'), '7')
    }
    const { fields } = await panel.control('GET', '/servers')
    assert.deepEqual(fields.texts('servers'), [])
    assert.equal((await panel.app('POST', '/servers', serverBody())).status, 201)
  })
}

for (const kind of ['commit-then-hang', 'commit-then-hangup']) {
  test(`the fault ${kind} creates the server and never answers`, async (t) => {
    const panel = await testPanel(t)
    await panel.control('POST', '/faults', { route: CREATE, kind })
    const request = fetch(`${panel.url}/api/application/servers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${panel.applicationKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(serverBody({ external_id: 'svc-1' })),
      signal: AbortSignal.timeout(kind === 'commit-then-hang' ? 100 : 5000),
    })
    const expected = kind === 'commit-then-hang' ? { name: 'TimeoutError' } : { name: 'TypeError' }
    await assert.rejects(request, expected)
    assert.equal((await panel.app('GET', '/servers/external/svc-1')).status, 200)
  })
}

test('the other faults after the commit garble the answer of a server that is there', async (t) => {
  const panel = await testPanel(t)
  for (const kind of ['commit-then-500', 'empty-body', 'truncated-json']) {
    await panel.control('POST', '/faults', { route: CREATE, kind })
    const answer = await panel.app('POST', '/servers', serverBody({ external_id: kind }))
    assert.equal(answer.status, kind === 'commit-then-500' ? 500 : 201)
    if (kind === 'empty-body') assert.equal(answer.text, '')
    if (kind === 'truncated-json') assert.throws(() => JSON.parse(answer.text))
    assert.equal((await panel.app('GET', `/servers/external/${kind}`)).status, 200)
  }
})

test('latency delays one answer', async (t) => {
  const panel = await testPanel(t)
  await panel.control('POST', '/faults', {
    route: 'GET /api/application/users',
    kind: 'latency',
    ms: 80,
  })
  const before = performance.now()
  assert.equal((await panel.app('GET', '/users')).status, 200)
  assert.ok(performance.now() - before >= 75)
})

test('a fault meets its route: braces are one segment, a star the rest', async (t) => {
  const panel = await testPanel(t)
  const kind = '403'
  await panel.control('POST', '/faults', { route: 'GET /api/application/servers/{server}', kind })
  assert.equal((await panel.app('GET', '/servers')).status, 200)
  assert.equal((await panel.app('GET', '/servers/external/x')).status, 404)
  assert.equal((await panel.app('GET', '/servers/1')).status, 403)
  await panel.control('POST', '/faults', { route: '* /api/application/*', kind })
  assert.equal((await panel.app('POST', '/servers/1/suspend')).status, 403)
})

test('the journal has the names in a body, never its values', async (t) => {
  const panel = await testPanel(t)
  await panel.control('POST', '/faults', { route: CREATE, kind: 'html-502' })
  await panel.app('POST', '/servers?include=allocations', { name: 'A secret', user: 1 })
  await panel.app('GET', '/users/9')
  const { body, text } = await panel.control('GET', '/journal')
  assert.ok(!text.includes('A secret'))
  assert.partialDeepStrictEqual(body, {
    entries: [
      {
        number: 1,
        method: 'POST',
        path: '/api/application/servers',
        query: 'include=allocations',
        status: 502,
        bodyKeys: ['name', 'user'],
        fault: 'html-502',
      },
      { number: 2, method: 'GET', path: '/api/application/users/9', status: 404, fault: null },
    ],
  })
})

test('a reset brings the seed back, with the same keys', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer()
  await panel.control('POST', '/faults', { route: '*', kind: '403', n: 9 })
  await panel.control('POST', '/clock', { advanceSeconds: 1000 })
  await panel.control('POST', '/reset')
  const users = await panel.app('GET', '/users')
  assert.deepEqual(
    rows(users.body).map(({ username }) => username),
    ['admin'],
  )
  assert.deepEqual((await panel.control('GET', '/servers')).fields.texts('servers'), [])
})

test('a revoked key is unknown from then on', async (t) => {
  const panel = await testPanel(t)
  await panel.control('POST', '/settings', { revokeKey: panel.applicationKey })
  assert.equal((await panel.app('GET', '/users')).status, 401)
})
