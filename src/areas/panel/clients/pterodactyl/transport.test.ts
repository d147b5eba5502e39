import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createOutbound } from '#platform/outbound.ts'
import { newConnectionState, type Timing } from '../connection-state.ts'
import { PanelError, type PanelErrorKind } from '../panel-error.ts'
import { attributesOf, numberOf, textMapOf } from './envelope.ts'
import { createTransport } from './transport.ts'

const apiKey = 'ptla_0123456789abcdefghij'

type Answer = { status: number; body?: unknown; headers?: Record<string, string> }
type Script = (request: IncomingMessage, call: number) => Answer | 'hang up'

/** Time that passes only while somebody sleeps. */
function manualTiming(): Timing & { sleptMs: number } {
  return {
    sleptMs: 0,
    nowMs() {
      return this.sleptMs
    },
    async sleep(ms) {
      this.sleptMs += ms
    },
    random: () => 0,
  }
}

/** A transport to a server that answers by script, and what was asked of it. */
async function scripted(t: TestContext, script: Script) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const answer = script(request, asked.length)
    if (answer === 'hang up') request.socket.destroy()
    else reply(response, answer)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ privateHosts: [`127.0.0.1:${port}`] })
  t.after(() => {
    outbound.close()
    server.close()
    server.closeAllConnections()
  })
  const timing = manualTiming()
  const state = newConnectionState(timing)
  const url = `http://127.0.0.1:${port}/sub/`
  const transport = createTransport({ url, apiKey, outbound, state })
  return { transport, state, timing, asked }
}

function reply(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, headers).end(text)
}

function refusal(status: number, code: string, detail = 'No.', meta?: object): Answer {
  return { status, body: { errors: [{ code, status: String(status), detail, meta }] } }
}

const read = { method: 'GET', path: '/servers/1' } as const
const write = { method: 'POST', path: '/servers', body: { name: 'x' } } as const
const html = '<html><title>502 Bad Gateway</title></html>'
const missing = 'The requested resource could not be found on the server.'

function refused(field: string, rule: string): Answer {
  return refusal(422, 'ValidationException', 'No.', { source_field: field, rule })
}

/** An answer, what it is on a read, what on a write. */
const mappings: [string, Answer, PanelErrorKind, PanelErrorKind][] = [
  ['401', refusal(401, 'AuthenticationException'), 'unauthorized', 'unauthorized'],
  ['403', refusal(403, 'AccessDeniedHttpException'), 'forbidden', 'forbidden'],
  ['404 of a thing', refusal(404, 'NotFoundHttpException', missing), 'not_found', 'not_found'],
  [
    '404 of a route',
    refusal(404, 'NotFoundHttpException', 'The route api/application/x could not be found.'),
    'misconfigured',
    'misconfigured',
  ],
  ['404 of a proxy', { status: 404, body: html }, 'unavailable', 'unknown_outcome'],
  ['404 of a machine', refusal(404, 'DaemonConnectionException'), 'unavailable', 'unknown_outcome'],
  ['405', refusal(405, 'MethodNotAllowedHttpException'), 'misconfigured', 'misconfigured'],
  ['400 no machine', refusal(400, 'NoViableNodeException'), 'no_capacity', 'no_capacity'],
  ['400 no port', refusal(400, 'NoViableAllocationException'), 'no_allocation', 'no_allocation'],
  ['400 second factor', refusal(400, 'TwoFactorAuthRequiredException'), ...both('misconfigured')],
  ['400 malformed', refusal(400, 'BadRequestHttpException'), 'invalid', 'invalid'],
  ['400 business refusal', refusal(400, 'DisplayException'), 'conflict', 'conflict'],
  ['400 subuser', refusal(400, 'ServerSubuserExistsException'), ...both('already_exists')],
  ['400 odd name', refusal(400, 'constructor'), 'conflict', 'conflict'],
  ['409', refusal(409, 'ConflictHttpException'), 'conflict', 'conflict'],
  ['409 of a machine', refusal(409, 'DaemonConnectionException'), 'conflict', 'conflict'],
  ['422 taken', refused('external_id', 'unique'), 'already_exists', 'already_exists'],
  ['422 wrong', refused('environment.A', 'required'), 'invalid', 'invalid'],
  ['422 taken port', refused('allocation', 'unique'), 'invalid', 'invalid'],
  ['500', refusal(500, 'QueryException'), 'unavailable', 'unknown_outcome'],
  ['500 race', refusal(500, 'DataValidationException'), 'unavailable', 'unknown_outcome'],
  ['504 of a machine', refusal(504, 'DaemonConnectionException'), 'unavailable', 'unknown_outcome'],
  ['502 HTML', { status: 502, body: html }, 'unavailable', 'unknown_outcome'],
  ['403 HTML', { status: 403, body: html }, 'unavailable', 'unknown_outcome'],
  ['200 HTML', { status: 200, body: html }, 'unavailable', 'unknown_outcome'],
  ['200 empty', { status: 200 }, 'unavailable', 'unknown_outcome'],
  ['200 cut off', { status: 200, body: '{"object":"ser' }, 'unavailable', 'unknown_outcome'],
  ['200 other', { status: 200, body: { errors: [] } }, 'unavailable', 'unknown_outcome'],
  ['500 odd errors', { status: 500, body: { errors: 'x' } }, 'unavailable', 'unknown_outcome'],
  ['302', { status: 302, headers: { location: '/login' } }, 'misconfigured', 'misconfigured'],
]

function both(kind: PanelErrorKind): [PanelErrorKind, PanelErrorKind] {
  return [kind, kind]
}

for (const [what, answer, onRead, onWrite] of mappings) {
  test(`${what} is ${onRead} on a read and ${onWrite} on a write (hardening 47)`, async (t) => {
    for (const [call, kind] of [
      [read, onRead],
      [write, onWrite],
    ] as const) {
      const { transport, asked } = await scripted(t, () => answer)
      await assert.rejects(transport.call(call, attributesOf), { name: 'PanelError', kind })
      assert.equal(asked.length, 1)
    }
  })
}

test('a connection that breaks leaves a write unknown and a read unavailable', async (t) => {
  const { transport } = await scripted(t, () => 'hang up')
  await assert.rejects(transport.call(write, attributesOf), { kind: 'unknown_outcome' })
  await assert.rejects(transport.call(read, attributesOf), { kind: 'unavailable' })
})

test('a write that was never sent is unavailable, not unknown', async (t) => {
  const { state } = await scripted(t, () => 'hang up')
  const outbound = createOutbound({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  const transport = createTransport({ url: 'https://gone.test', apiKey, outbound, state })
  await assert.rejects(transport.order(write), { kind: 'unavailable' })
})

test('the headers are those a panel wants, and a path in the address is kept', async (t) => {
  const answer = { object: 'server', attributes: { id: 1 } }
  const { transport, asked } = await scripted(t, () => ({ status: 200, body: answer }))
  assert.equal(await transport.call(write, (body) => numberOf(attributesOf(body), 'id')), 1)
  const [request] = asked
  assert.equal(request?.url, '/sub/api/application/servers')
  const { authorization, accept, 'content-type': type, 'user-agent': agent } = request.headers
  assert.deepEqual(
    [authorization, accept, type, agent],
    [`Bearer ${apiKey}`, 'application/vnd.pterodactyl.v1+json', 'application/json', 'Moorage'],
  )
})

test('an empty map may be written as a list', () => {
  assert.deepEqual(textMapOf([]), {})
  assert.deepEqual(textMapOf({ A: null, B: 1, C: true }), { A: '', B: '1', C: '1' })
})

test('a 429 is waited for and repeated, on writes too', async (t) => {
  const busy = refusal(429, 'ThrottleRequestsException')
  const { transport, timing, asked } = await scripted(t, (_request, call) =>
    call === 1 ? { ...busy, headers: { 'retry-after': '7' } } : { status: 204 },
  )
  await transport.order(write)
  assert.equal(asked.length, 2)
  assert.equal(timing.sleptMs, 7000)
})

test('a long wait is handed to the caller, and the next call does not ask before it', async (t) => {
  const busy = refusal(429, 'ThrottleRequestsException')
  const { transport, asked } = await scripted(t, () => ({
    ...busy,
    headers: { 'retry-after': '50' },
  }))
  for (let call = 0; call < 2; call += 1) {
    await assert.rejects(transport.order(write), { kind: 'rate_limited', retryAfterMs: 50_000 })
  }
  assert.equal(asked.length, 1)
})

test('requests stay below six tenths of the limit the panel tells', async (t) => {
  const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' }
  const { transport, timing, asked } = await scripted(t, () => ({ status: 204, headers }))
  while (timing.sleptMs < 60_000) await transport.order(write)
  assert.ok(asked.length <= 60 + 48 + 1, `${asked.length} requests`)
})

test('background calls leave half of the allowance to the others', async (t) => {
  const { transport, timing } = await scripted(t, () => ({ status: 204 }))
  while (timing.sleptMs === 0) await transport.order({ ...read, background: true })
  const before = timing.sleptMs
  for (let call = 0; call < 20; call += 1) await transport.order(read)
  assert.equal(timing.sleptMs, before)
})

test('after five failures in a row nothing is sent for half a minute (hardening 47)', async (t) => {
  let broken = true
  const { transport, timing, asked } = await scripted(t, () =>
    broken ? { status: 502, body: html } : { status: 204 },
  )
  for (let call = 0; call < 5; call += 1) await assert.rejects(transport.order(read))
  await assert.rejects(transport.order(write), { kind: 'unavailable' })
  assert.equal(asked.length, 5)
  await timing.sleep(30_000)
  await assert.rejects(transport.order(read))
  await assert.rejects(transport.order(read))
  assert.equal(asked.length, 6)
  broken = false
  await timing.sleep(30_000)
  await transport.order(read)
  await transport.order(read)
  assert.equal(asked.length, 8)
})

test('a machine that is down does not stop the calls for all others', async (t) => {
  const down = refusal(504, 'DaemonConnectionException')
  const { transport, asked } = await scripted(t, () => down)
  for (let call = 0; call < 7; call += 1) await assert.rejects(transport.order(write))
  assert.equal(asked.length, 7)
})

test('a refused key stops all calls but those of a test, until one goes well', async (t) => {
  const { transport, state, asked } = await scripted(t, () =>
    refusal(401, 'AuthenticationException'),
  )
  await assert.rejects(transport.order(read), { kind: 'unauthorized' })
  await assert.rejects(transport.order(read), { kind: 'unauthorized' })
  assert.equal(asked.length, 1)
  await assert.rejects(transport.order({ ...read, probe: true }), { kind: 'unauthorized' })
  assert.equal(asked.length, 2)
  state.application.breaker.close()
  await assert.rejects(transport.order(read), { kind: 'unauthorized' })
  assert.equal(asked.length, 3)
})

test('what operators see never has the key in it, and 500 characters at most', async (t) => {
  const detail = `${apiKey} ${'x'.repeat(2000)}`
  const { transport } = await scripted(t, () => refusal(400, 'DisplayException', detail))
  await assert.rejects(transport.order(read), (error: PanelError) => {
    assert.ok(!JSON.stringify(error.failure).includes(apiKey))
    assert.ok(!error.message.includes(apiKey))
    assert.equal(error.failure.detail.length, 500)
    return true
  })
})

test('a key with line breaks is refused before anything is sent', async (t) => {
  const { state, asked } = await scripted(t, () => ({ status: 204 }))
  const url = 'http://127.0.0.1'
  const outbound = createOutbound()
  const transport = createTransport({ url, apiKey: 'a\r\nb: c', outbound, state })
  await assert.rejects(transport.order(read), { kind: 'misconfigured' })
  assert.equal(asked.length, 0)
})

test('all pages are read, and a row that moved between them comes once', async (t) => {
  const pages = [[3, 1], [1, 2], []]
  const { transport, asked } = await scripted(t, (_request, call) => ({
    status: 200,
    body: {
      object: 'list',
      data: (pages[call - 1] ?? []).map((id) => ({ object: 'user', attributes: { id } })),
      meta: { pagination: { total: 4, total_pages: 3, links: {} } },
    },
  }))
  const list = { path: '/users', query: { 'filter[email]': 'a+b@c', sort: 'id' } }
  assert.deepEqual(await transport.listAll(list, (row) => numberOf(row, 'id')), [1, 2, 3])
  assert.equal(
    asked[2]?.url,
    '/sub/api/application/users?per_page=100&filter%5Bemail%5D=a%2Bb%40c&sort=id&page=3',
  )
})

test('one page that fails fails the whole list', async (t) => {
  const { transport } = await scripted(t, (_request, call) =>
    call === 2
      ? { status: 502, body: html }
      : {
          status: 200,
          body: { object: 'list', data: [], meta: { pagination: { total_pages: 2 } } },
        },
  )
  const list = transport.listAll({ path: '/users' }, (row) => row)
  await assert.rejects(list, (error) => error instanceof PanelError)
})
