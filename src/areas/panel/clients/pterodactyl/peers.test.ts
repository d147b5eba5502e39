import assert from 'node:assert/strict'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createOutbound, OutboundError, type OutboundRequest } from '#platform/outbound.ts'
import { newConnectionState } from '../connection-state.ts'
import { PanelError } from '../panel-error.ts'
import { attributesOf } from './envelope.ts'
import { createTransport } from './transport.ts'

const apiKey = 'ptla_0123456789abcdefghij'
const read = { method: 'GET', path: '/servers/1' } as const
const [MOST_BYTES, FAILURES] = [8 * 2 ** 20, 5]

/** Two connections to a panel that behaves in one way, how often it was asked, and the most it could say at once. */
async function panelThat(t: TestContext, behaves: RequestListener) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    behaves(request, response)
  })
  const sockets: Socket[] = []
  server.on('connection', (socket) => void sockets.push(socket))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ privateHosts: [`127.0.0.1:${port}`] })
  t.after(() => {
    outbound.close()
    server.closeAllConnections()
    server.close()
  })
  const connection = () =>
    createTransport({
      ...{ url: `http://127.0.0.1:${port}`, apiKey, outbound, state: newConnectionState() },
    })
  return {
    ...{ one: connection(), another: connection(), asked: () => asked },
    mostSent: () => Math.max(...sockets.map((it) => it.bytesWritten)),
  }
}

/** A byte now and then, for ever. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  const drip = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(drip))
}

/** Two gigabytes that begin like an answer. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(2 ** 31) })
  const piece = Buffer.alloc(2 ** 20, ' ')
  response.write('{"object":"server","attributes":{"name":"')
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}

const behaviours: [string, RequestListener][] = [
  ['says nothing', () => {}],
  ['answers a byte at a time', (_, response) => trickle(response)],
  ['answers 500', (_, response) => void response.writeHead(500).end('{"errors":[]}')],
  ['answers with a page', (_, response) => void response.end('<html>Login</html>')],
  ['answers with 2 GB of JSON', (_, response) => flood(response)],
]

for (const [what, behaves] of behaviours) {
  test(`a panel that ${what} is cut off, and after five times in a row left alone (hardening 47)`, async (t) => {
    const { one, another, asked, mostSent } = await panelThat(t, behaves)
    const timeoutMs = what.includes('2 GB') ? 10_000 : 60
    for (let call = 1; call <= FAILURES; call += 1) {
      await assert.rejects(one.call({ ...read, timeoutMs }, attributesOf), { kind: 'unavailable' })
      assert.equal(asked(), call)
    }
    // What is on its way in the buffers of both ends comes on top.
    assert.ok(mostSent() < 4 * MOST_BYTES, `${mostSent()} bytes were taken`)
    await assert.rejects(
      one.order(read),
      (error) => error instanceof PanelError && error.failure.code === 'breaker_open',
    )
    assert.equal(asked(), FAILURES, 'nothing is sent any more')
    await assert.rejects(another.call({ ...read, timeoutMs }, attributesOf), {
      kind: 'unavailable',
    })
    assert.equal(asked(), FAILURES + 1, 'another connection has its own row of failures')
  })
}

test('a read is waited for 15 s, a change 25 s, and 5 s for a connection (hardening 47)', async () => {
  const wanted: OutboundRequest[] = []
  const outbound = {
    ...createOutbound(),
    request: async (it: OutboundRequest) => {
      wanted.push(it)
      throw new OutboundError('timeout', 'It took too long', true)
    },
  }
  const transport = createTransport({
    ...{ url: 'https://panel.test', apiKey, outbound, state: newConnectionState() },
  })
  await assert.rejects(transport.order(read))
  await assert.rejects(transport.order({ method: 'POST', path: '/servers/1/suspend' }))
  assert.deepEqual(
    wanted.map((it) => [it.timeoutMs, it.connectTimeoutMs]),
    [
      [15_000, 5000],
      [25_000, 5000],
    ],
  )
})
