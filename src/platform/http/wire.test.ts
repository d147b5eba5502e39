import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const breaking: Area = {
  name: 'breaking',
  routes: [
    (app) => {
      app.route({
        method: 'GET',
        url: '/v1/test/break',
        config: { access: 'public', hidden: true },
        async handler({ db }) {
          await db
            .selectFrom('nothing.here' as 'users.users')
            .selectAll()
            .execute()
        },
      })
    },
  ],
}

const app = await testApp(null, { areas: [...areas, breaking] })
const ada = await person(app)

const RATE_HEADERS = [
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['x-ratelimit-limit-auth', 'x-ratelimit-remaining-auth'],
]

/** Sends bytes as they are, and reads what comes back until the end. */
function sent(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body })
    })
  })
}

const REFUSED = [
  ['no request at all', 'nonsense\r\n\r\n', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['no Host', 'GET /v1/meta HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  [
    'an expectation that cannot be met',
    'GET /v1/meta HTTP/1.1\r\nHost: x\r\nExpect: something\r\nConnection: close\r\n\r\n',
    417,
  ],
  [
    'too many bytes of headers',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
] as const

for (const [what, bytes, expected] of REFUSED) {
  test(`${what} is a ${expected} with the same body and headers as other errors (hardening 54)`, async () => {
    const { status, head, body } = await sent(bytes)
    assert.equal(status, expected)
    const { statusCode, message, error } = JSON.parse(body)
    assert.equal(statusCode, expected)
    assert.ok(message && error)
    for (const name of [...RATE_HEADERS, 'x-request-id'])
      assert.ok(head.includes(`${name}: `), name)
  })
}

test('a sane request id of the caller comes back, another one is replaced', async () => {
  const own = await app.get('/v1/nowhere', { headers: { 'x-request-id': 'trace-1.a:b' } })
  assert.equal(own.headers['x-request-id'], 'trace-1.a:b')
  for (const id of ['with space', 'x'.repeat(129), '<script>']) {
    const { headers } = await app.get('/v1/nowhere', { headers: { 'x-request-id': id } })
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  }
})

test('a fault is a 500 that says its request and nothing of its cause (hardening 54)', async () => {
  const { status, body, headers, text } = await app.get('/v1/test/break')
  assert.equal(status, 500)
  assert.deepEqual(Object.keys(body), ['statusCode', 'error', 'message', 'code'])
  assert.ok(body.message.includes(headers['x-request-id']))
  assert.doesNotMatch(text, /nothing|relation|select|stack|\.ts/i)
  for (const name of RATE_HEADERS) assert.match(String(headers[name]), /^\d+$/)
})

test('a page of another origin may call, and reads the headers it needs', async () => {
  const preflight = await app.request('OPTIONS', '/v1/users/me', undefined, {
    headers: {
      ...{ origin: 'https://panel.test', 'access-control-request-method': 'PATCH' },
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], '*')
  assert.match(String(preflight.headers['access-control-allow-methods']), /PATCH/)
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
  for (const name of RATE_HEADERS) assert.match(String(preflight.headers[name]), /^\d+$/)
  const answer = await ada.get('/v1/users/me', { headers: { origin: 'https://panel.test' } })
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.match(String(answer.headers['access-control-expose-headers']), /X-RateLimit-Remaining/)
})

test('an OPTIONS request that is not a preflight is answered like one, without a body', async () => {
  for (const headers of [{}, { origin: 'https://panel.example' }]) {
    const answer = await app.request('OPTIONS', '/v1/meta?x=1', undefined, { headers })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS')
  }
})

test('a request of HTTP/1.0 needs no Host, and its expectations are ignored', async () => {
  const { status } = await sent('GET /v1/meta HTTP/1.0\r\nExpect: something\r\n\r\n')
  assert.equal(status, 200)
})

test('a client that expects 100-continue gets it, and then the answer', async () => {
  const { status, body } = await sent(
    'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  assert.equal(status, 100)
  assert.match(body, /^HTTP\/1\.1 400 /)
})

test('HEAD answers what GET answers, without its body', async () => {
  const get = await ada.get('/v1/users/me')
  const head = await ada.request('HEAD', '/v1/users/me')
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(head.headers['content-length'], get.headers['content-length'])
  assert.equal((await app.request('HEAD', '/v1/users/me')).status, 401)
})

test('every answer forbids guessing its type, framing and keeping it', async () => {
  for (const answer of [await ada.get('/v1/users/me'), await app.get('/v1/nowhere')]) {
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
  }
})

test('a method that a path does not have is a 405 in the error shape, on pages too', async () => {
  const { status, body } = await ada.request('PUT', '/v1/users/me', {})
  assert.equal(status, 405)
  assert.equal(body.error, 'Method Not Allowed')
  const page = await app.request('PUT', '/news', {})
  assert.deepEqual([page.status, page.headers.allow], [405, 'GET, HEAD'])
  assert.equal(page.body.code, 'method_not_allowed')
})

test('a path that nothing is at is a 404: the shop window to a browser, JSON to others', async () => {
  for (const path of ['/wp-login.php', '/.env', '/Minecraft', '/a/b/c', '/v1']) {
    const plain = await app.request('GET', path)
    assert.deepEqual([plain.status, plain.headers.allow], [404, undefined], path)
    assert.equal(plain.body.code, 'not_found')
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const visited = await app.request('GET', path, undefined, { headers })
    assert.equal(visited.status, 404, path)
    assert.equal(/<main/.test(visited.text), path !== '/v1', path)
    assert.equal((await app.request('POST', path, {})).status, 404, path)
  }
})
