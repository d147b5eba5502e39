import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { answerOf, MoorageError, moorage } from '../src/index.ts'

type Told = { status: number; headers?: Record<string, string>; body?: object } | 'cut'

/** A server that answers in turn what it is given, the last of it again and again, and keeps what it was asked. */
async function answering(...answers: Told[]) {
  const asked: { method: string; key: string; body: string }[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const key = String(request.headers['idempotency-key'] ?? '')
    asked.push({ method: request.method ?? '', key, body })
    const told = answers[Math.min(asked.length, answers.length) - 1]
    if (told === undefined || told === 'cut') return request.socket.destroy()
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1', ...told.headers }
    return response.writeHead(told.status, headers).end(JSON.stringify(told.body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close().closeAllConnections())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const SOON = { 'retry-after': '0' }
const wish = { body: { planId: '0193a1c4-7b1e-7c55-9d5e-0d3f6b6a1c11' } }

test('a POST that was not answered is sent again with the same key and body', async () => {
  const { url, asked } = await answering(
    'cut',
    { status: 503, headers: SOON },
    { status: 409, headers: SOON, body: { code: 'in_progress' } },
    { status: 201, body: { id: 'cart' } },
  )
  const cart = await answerOf(moorage({ url }).POST('/v1/cart/items', wish))
  assert.deepEqual(cart, { id: 'cart' })
  assert.equal(asked.length, 4)
  assert.match(asked[0]?.key ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(new Set(asked.map((it) => JSON.stringify(it))).size, 1)
})

test('each call has a key of its own, and one that the caller names stays', async () => {
  const { url, asked } = await answering({ status: 201 })
  const shop = moorage({ url })
  await shop.POST('/v1/cart/items', wish)
  await shop.POST('/v1/cart/items', wish)
  await shop.POST('/v1/cart/items', { ...wish, headers: { 'idempotency-key': 'mine' } })
  assert.equal(new Set(asked.map(({ key }) => key)).size, 3)
  assert.equal(asked[2]?.key, 'mine')
})

test('a PATCH is sent again only when it was refused before it began', async () => {
  const change = { body: { name: 'Ada' } }
  const away = await answering({ status: 503, headers: SOON })
  assert.equal((await moorage(away).PATCH('/v1/users/me', change)).response.status, 503)
  assert.equal(away.asked.length, 1)
  const cut = await answering('cut')
  await assert.rejects(moorage(cut).PATCH('/v1/users/me', change))
  assert.equal(cut.asked.length, 1)
  const busy = await answering({ status: 429, headers: SOON }, { status: 200 })
  assert.equal((await moorage(busy).PATCH('/v1/users/me', change)).response.status, 200)
  assert.equal(busy.asked.length, 2)
})

test('a refusal is not tried again, and becomes an error with its code, place and request', async () => {
  const details = [{ path: 'planId', message: 'is not sold' }]
  const body = { statusCode: 422, error: 'x', message: 'Not sold.', code: 'cart_full', details }
  const { url, asked } = await answering({ status: 422, body })
  const refused = answerOf(moorage({ url }).POST('/v1/cart/items', wish))
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof MoorageError)
    const { status, code, message, requestId } = error
    assert.deepEqual([status, code, message, requestId], [422, 'cart_full', 'Not sold.', 'r-1'])
    assert.deepEqual(error.details, details)
    return true
  })
  assert.equal(asked.length, 1)
})

test('it gives up after so many tries, and does not wait longer than it was told to', async () => {
  const away = await answering({ status: 503, headers: SOON })
  assert.equal((await moorage({ ...away, tries: 2 }).GET('/v1/meta')).response.status, 503)
  assert.equal(away.asked.length, 2)
  const long = await answering({ status: 429, headers: { 'retry-after': '3600' } })
  assert.equal((await moorage(long).GET('/v1/meta')).response.status, 429)
  assert.equal(long.asked.length, 1)
  const text = await answering({ status: 500 })
  await assert.rejects(answerOf(moorage(text).GET('/v1/meta')), { code: 'unreadable', status: 500 })
})

test('an aborted call ends at once, also while it waits for another try', async () => {
  const { url, asked } = await answering({ status: 503, headers: { 'retry-after': '20' } })
  const stop = new AbortController()
  const call = moorage({ url }).GET('/v1/meta', { signal: stop.signal })
  while (asked.length === 0) await new Promise(setImmediate)
  stop.abort()
  await assert.rejects(call, { name: 'AbortError' })
  assert.equal(asked.length, 1)
})
