import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { serving } from '#test/serving.ts'

/** Bodies that are made to cost more than they cost to send: refused at once, and kept nowhere. */
const TRIES = Math.max(5, Math.ceil(30 * Number(process.env.SCALE ?? 1)))
const LARGEST_MS = 200
const LARGEST_GROWTH_MB = 50
const PIECE = 64 * 1024

const system = await serving()
const { hostname, port } = new URL(system.url)

type Hostile = { bytes: Buffer; statuses: number[]; headers?: Record<string, string> }

function fields(count: number, name = (index: number) => `k${index}`): Buffer {
  const all = Array.from({ length: count }, (_, index) => `"${name(index)}":1`)
  return Buffer.from(`{${all.join()}}`)
}

const nested = (count: number) => Buffer.from('['.repeat(count) + ']'.repeat(count))
const gzip = { 'content-encoding': 'gzip' }

const BODIES: Readonly<Record<string, Hostile>> = {
  '10 MB': { bytes: Buffer.alloc(10_000_000, 'x'), statuses: [413] },
  '100 000 lists in each other': { bytes: nested(100_000), statuses: [400] },
  '500 000 lists in each other': { bytes: nested(500_000), statuses: [400] },
  '1 000 000 fields': { bytes: fields(1_000_000), statuses: [413] },
  'as many fields as come in': { bytes: fields(80_000), statuses: [400] },
  'one field as often as it comes in': { bytes: fields(140_000, () => 'a'), statuses: [400] },
  'quotes and backslashes': {
    bytes: Buffer.from(`{"name":"${'\\"'.repeat(500_000)}"}`),
    statuses: [400],
  },
  '1e999': { bytes: Buffer.from('{"name":1e999}'), statuses: [400] },
  'a number of a million digits': {
    bytes: Buffer.from(`{"name":${'9'.repeat(1_000_000)}}`),
    statuses: [400],
  },
  'bytes that are not UTF-8': { bytes: Buffer.alloc(1_000_000, 0xff), statuses: [400] },
  'a gzip bomb': { bytes: gzipSync(Buffer.alloc(100_000_000)), statuses: [415], headers: gzip },
}

/**
 * Sends a body, with or without saying how long it is; answers the status and how long it took. Stops
 * sending once there is an answer, as the other side stops reading.
 */
async function send({ bytes, headers }: Hostile, isLengthSaid: boolean): Promise<[number, number]> {
  const begun = performance.now()
  const socket = connect(Number(port), hostname)
  let answer = ''
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.includes('\r\n\r\n')) resolve()
    })
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  const length = isLengthSaid ? `content-length: ${bytes.length}` : 'transfer-encoding: chunked'
  const given = Object.entries({ ...headers, 'content-type': 'application/json', host: 'x' })
  const lines = given.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /v1/auth/login HTTP/1.1\r\n${lines.join('')}${length}\r\n\r\n`)
  for (let at = 0; at < bytes.length && answer === ''; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE)
    if (!isLengthSaid) socket.write(`${piece.length.toString(16)}\r\n`)
    socket.write(piece)
    if (!isLengthSaid) socket.write('\r\n')
    // What has come meanwhile is read before more is sent.
    await setImmediate()
  }
  if (!isLengthSaid && answer === '') socket.write('0\r\n\r\n')
  await ended
  socket.destroy()
  return [Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]), performance.now() - begun]
}

// What every process has once it has been used: its code is compiled, its heap has its size.
for (let index = 0; index < 300; index += 1)
  await system.admin().patch('/v1/users/me', { name: 'A' })

for (const [what, hostile] of Object.entries(BODIES)) {
  for (const isLengthSaid of [true, false]) {
    const how = isLengthSaid ? '' : ' that do not say their length'
    test(`${what}${how}: refused in a moment, and no memory goes to it (hardening 24)`, async (t) => {
      await send(hostile, isLengthSaid)
      system.forgetMemory()
      const before = system.mostMemory()
      const times: number[] = []
      for (let index = 0; index < TRIES; index += 1) {
        const [status, ms] = await send(hostile, isLengthSaid)
        assert.ok(hostile.statuses.includes(status), `${status}`)
        times.push(ms)
      }
      const growth = system.mostMemory() - before
      // The best of some tries: this machine may have been at something else in the others.
      const best = Math.min(...times)
      t.diagnostic(`${Math.round(best)} ms at best, ${Math.round(growth)} MB more at most`)
      assert.ok(best < LARGEST_MS, `${best} ms`)
      assert.ok(growth < LARGEST_GROWTH_MB, `${growth} MB`)
    })
  }
}
