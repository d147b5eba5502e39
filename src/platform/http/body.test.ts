import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { readJsonBodies } from './body.ts'
import { answerErrors } from './errors.ts'
import type { App } from './index.ts'

const app = await testApp(null)
const ada = await person(app)
const ME = '/v1/users/me'

function patch(raw: string | Buffer, headers: Record<string, string> = {}) {
  return ada.patch(ME, undefined, { raw, headers })
}

const JSON_TYPE = 'application/json; charset=utf-8'

test('a body may be absent, empty with a type, or an empty object', async () => {
  assert.equal((await ada.patch(ME)).status, 200)
  assert.equal((await ada.patch(ME, {})).status, 200)
  assert.equal((await patch('')).status, 200)
  const untyped = { headers: { 'content-length': '0' } }
  assert.equal((await ada.request('PATCH', ME, undefined, untyped)).status, 200)
})

test('an unknown field is refused by its name, nested ones too', async () => {
  const { status, body } = await ada.patch(ME, { tenantId: 'x' })
  assert.equal(status, 400)
  assert.deepEqual(body.details, [{ path: 'tenantId', message: 'is not a known field' }])
  const address = { line1: 'a', postcode: 'b', city: 'c', country: 'FR', planet: 'Mars' }
  const nested = await ada.patch(ME, { address })
  assert.equal(nested.body.details[0].path, 'address.planet')
})

const MALFORMED = [
  ['text that ends too early', '{"name":'],
  ['a list', '[]'],
  ['a word', '"name"'],
  ['null', 'null'],
  ['NUL in a value', '{"name":"a\\u0000b"}'],
  ['NUL in a name', '{"a\\u0000b":1}'],
  ['half of a surrogate pair', '{"name":"\\ud800"}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['a number beyond all numbers', '{"name":1e999}'],
  ['more fields than anybody has', JSON.stringify({ ...Array.from({ length: 20_000 }, () => 1) })],
  ['text that never ends', '{"name":"\\"'],
  ['a prototype', '{"__proto__":{"polluted":true}}'],
  ['a constructor with a prototype', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['100 000 lists in each other', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
] as const

for (const [what, raw] of MALFORMED) {
  test(`a body with ${what} is a 400 in the error shape (hardening 24, 25)`, async () => {
    const { status, body, headers } = await patch(raw)
    assert.equal(status, 400)
    assert.equal(body.statusCode, 400)
    assert.equal(body.error, 'Bad Request')
    assert.equal(headers['content-type'], JSON_TYPE)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
}

const TWICE = [
  '{"name":"Ada","name":"Eve"}',
  '{"name" : "Ada", "n\\u0061me"\n: "Eve"}',
  '{"name":"Ada","address":{"city":"b\\\\","city":{"city":1}}}',
]

for (const raw of TWICE) {
  test(`${JSON.stringify(raw)} names a field twice, and is a 400 (hardening 24)`, async () => {
    const { status, body } = await patch(raw)
    assert.deepEqual([status, body.message], [400, 'The body names a field twice.'])
  })
}

test('a number beyond all numbers is no number of anything (hardening 24)', async () => {
  for (const number of ['1e999', '-1e999', '9007199254740993', '1e-999', '0.1']) {
    const raw = `{"planId":"${newId()}","quantity":${number}}`
    const { status, body } = await ada.post('/v1/cart/items', undefined, { raw })
    assert.equal(status, 400, number)
    assert.equal(body.details[0].path, 'quantity')
  }
})

test('a compressed body is a 415, and is not unpacked (hardening 24)', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  const { status } = await patch(bomb, { 'content-encoding': 'gzip' })
  assert.equal(status, 415)
})

test('a body that is too large is a 413', async () => {
  const { status, body } = await patch(JSON.stringify({ name: 'x'.repeat(2_000_000) }))
  assert.equal(status, 413)
  assert.equal(body.statusCode, 413)
})

test('quotes, colons and backslashes in text make no field of it', async () => {
  for (const name of ['"a":"a":', '\\', '\\":', '{"name":"x"}', 'a":1,"a\\":']) {
    const { status, body } = await patch(`{ "name"\t: ${JSON.stringify(name)}\r\n}`)
    assert.deepEqual([status, body.name], [200, name])
  }
})

test('a body of another type is a 415', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    assert.equal((await patch('name=x', { 'content-type': type })).status, 415, type)
  }
})

test('text of every script is stored exactly (hardening 26)', async () => {
  for (const name of ['Zoë 🎮', '‮ltr', '日本語', "' OR 1=1--", '{{7*7}}', '<img onerror=x>']) {
    assert.equal((await ada.patch(ME, { name })).body.name, name)
  }
})

test('a body that does not come to its end is refused with 408, and the connection closed (hardening 56)', async (t) => {
  const server = Fastify() as unknown as App
  t.after(() => server.close())
  readJsonBodies(server, 20)
  server.post('/', async () => 'read')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head}{"a"`)
  const refusal = await text(socket)
  assert.match(refusal, /^HTTP\/1.1 408 /)
  assert.match(refusal, /^connection: close/im)
  const whole = connect(port, '127.0.0.1')
  whole.write(`${head.replace('9', '2')}{}`)
  const [answer] = await once(whole, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200 /)
  whole.destroy()
})

test('who sends on after a refusal hears of it, and is cut off in the end (hardening 24)', async (t) => {
  const server = Fastify({ bodyLimit: 10 }) as unknown as App
  t.after(() => server.close())
  readJsonBodies(server, 200)
  answerErrors(server, app.deps)
  server.post('/', async () => 'read')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  for (const [what, status] of [
    ['content-type: application/json', 413],
    ['content-encoding: gzip', 415],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${what}\r\nContent-Length: 1000000\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `))
    assert.doesNotMatch(String(answer), /^connection: close/im)
    assert.equal(socket.write('x'.repeat(10_000)), true)
    await closed
  }
})

test('NUL and half pairs in a query or a path are refused, never a fault (hardening 26)', async () => {
  assert.equal((await ada.get('/v1/api-keys?cursor=%00')).status, 400)
  assert.equal((await ada.get('/v1/api-keys/%00')).status, 404)
  assert.equal((await ada.get('/v1/api-keys/%ff')).status, 404)
})

test('a cursor that is not ours is a 400 (hardening 27)', async () => {
  for (const cursor of ['x', 'MQ', encodeURIComponent("' OR 1=1--")]) {
    assert.equal((await ada.get(`/v1/api-keys?cursor=${cursor}`)).status, 400)
  }
})

test('a limit is a whole number from 1 to 100', async () => {
  for (const limit of ['0', '101', '-1', '1.5', 'many', '']) {
    assert.equal((await ada.get(`/v1/api-keys?limit=${limit}`)).status, 400, limit)
  }
  assert.equal((await ada.get('/v1/api-keys?limit=100')).status, 200)
})
