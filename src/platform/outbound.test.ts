import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { createOutbound, type OutboundError, type Resolve } from './outbound.ts'

const names: Record<string, string[]> = {
  'panel.test': ['203.0.113.7'],
  'inside.test': ['10.1.2.3'],
  'mixed.test': ['203.0.113.7', '127.0.0.1'],
  'wrapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
}

const resolve: Resolve = async (host) => {
  const found = names[host]
  if (!found) throw new Error('ENOTFOUND')
  return found
}

const closed = createOutbound({ resolve })
after(() => closed.close())

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener)
  return listen(t, server)
}

async function listen(t: TestContext, server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A client that may call this one port of the machine, and tells where names resolve to. */
function opened(t: TestContext, port: number, resolveWith: Resolve = resolve) {
  const outbound = createOutbound({ privateHosts: [`127.0.0.1:${port}`], resolve: resolveWith })
  t.after(() => outbound.close())
  return outbound
}

const refusedUrls = [
  'http://127.0.0.1',
  'http://127.0.0.1:8080/x',
  'http://0.0.0.0',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[ff02::1]/',
  'http://[2002:7f00:1::]/',
  'http://[64:ff9b::7f00:1]/',
  'http://10.0.0.1',
  'http://172.31.255.255',
  'http://192.168.1.1',
  'http://100.64.0.1',
  'http://169.254.169.254/latest/meta-data',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://0x7f000001/',
  'http://0x08080808/',
  'http://2130706433/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://panel.localhost/',
  'http://localtest.me/',
  'http://a.localtest.me:8080/',
  'http://inside.test/',
  'http://mixed.test/',
  'http://wrapped.test/',
  'http://metadata.test/',
  'http://metadata.google.internal/',
  'http://panel.test:22/',
  'http://panel.test:25/',
  'http://panel.test:5432/',
  'http://8.8.8.8:6379/',
  'http://user:password@panel.test/',
  'file:///etc/passwd',
  'gopher://panel.test/',
  'ftp://panel.test/',
  'panel.test',
  '',
]

for (const url of refusedUrls) {
  test(`${url || 'an empty text'} is refused when it is saved and when it is called (hardening 28, 29)`, async () => {
    await assert.rejects(closed.assertAllowedUrl(url), {
      statusCode: 422,
      code: 'address_not_allowed',
    })
    await assert.rejects(closed.request({ url }), { kind: 'refused_address', sent: false })
  })
}

for (const url of [
  'https://panel.test/sub',
  'http://panel.test:8080',
  'http://8.8.8.8/',
  'https://[2606:4700::1111]:8443/',
]) {
  test(`${url} may be saved`, async () => {
    await closed.assertAllowedUrl(url)
  })
}

test('a name that does not resolve may be saved, and fails as dns when it is called', async () => {
  await closed.assertAllowedUrl('https://unknown.test')
  await assert.rejects(closed.request({ url: 'https://unknown.test' }), { kind: 'dns' })
})

test('a name that turns private after the check is refused when it is called (hardening 28, 29)', async (t) => {
  let calls = 0
  const port = await serve(t, (_request, response) => {
    calls += 1
    response.end()
  })
  const answers = [['203.0.113.7'], ['127.0.0.1']]
  const outbound = createOutbound({ resolve: async () => answers.shift() ?? [] })
  t.after(() => outbound.close())
  const url = `http://rebinding.test:${port}/`
  await outbound.assertAllowedUrl(url)
  await assert.rejects(outbound.request({ url }), { kind: 'refused_address', sent: false })
  assert.equal(calls, 0)
})

test('the allow-list opens one port of a private address, and no other (hardening 28, 29)', async (t) => {
  const port = await serve(t, (_request, response) => {
    response.end('open')
  })
  const outbound = opened(t, port)
  const { status, text } = await outbound.request({ url: `http://127.0.0.1:${port}/` })
  assert.deepEqual([status, text], [200, 'open'])
  await assert.rejects(outbound.request({ url: `http://127.0.0.1:${port + 1}/` }), {
    kind: 'refused_address',
  })
  await assert.rejects(outbound.request({ url: `http://inside.test:${port}/` }), {
    kind: 'refused_address',
  })
  await assert.rejects(outbound.request({ url: `http://8.8.8.8:22/` }), { kind: 'refused_address' })
})

test('an allowed name opens private addresses, but never the metadata address (hardening 28, 29)', async (t) => {
  const port = await serve(t, (_request, response) => {
    response.end('named')
  })
  const addresses = [['127.0.0.1'], ['169.254.169.254']]
  const outbound = createOutbound({
    privateHosts: [`Panel.LAN:${port}`],
    resolve: async () => addresses.shift() ?? [],
  })
  t.after(() => outbound.close())
  const url = `http://panel.lan:${port}/`
  assert.equal((await outbound.request({ url })).text, 'named')
  outbound.close()
  await assert.rejects(outbound.request({ url }), { kind: 'refused_address' })
})

test('it connects to the address it checked, and keeps the name as host header', async (t) => {
  const port = await serve(t, (request, response) => {
    response.end(request.headers.host)
  })
  const outbound = opened(t, port, async () => ['127.0.0.1'])
  const { text } = await outbound.request({ url: `http://panel.test:${port}/` })
  assert.equal(text, `panel.test:${port}`)
})

test('a redirect is an answer like any other, and is not followed (hardening 28, 29)', async (t) => {
  let calls = 0
  const port = await serve(t, (_request, response) => {
    calls += 1
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  })
  const { status, headers } = await opened(t, port).request({ url: `http://127.0.0.1:${port}/` })
  assert.deepEqual([status, headers.location, calls], [302, 'http://169.254.169.254/', 1])
})

test('a body is sent whole, and connections are used again', async (t) => {
  const sockets = new Set<Socket>()
  const port = await serve(t, (request, response) => {
    sockets.add(request.socket)
    request.pipe(response)
  })
  const outbound = opened(t, port)
  const url = `http://127.0.0.1:${port}/`
  for (const body of ['{"name":"é"}', '']) {
    const answer = await outbound.request({ url, method: 'POST', body })
    assert.equal(answer.text, body)
  }
  assert.equal(sockets.size, 1)
})

test('a server that trickles is cut off when the whole time is up (hardening 47)', async (t) => {
  const port = await serve(t, (_request, response) => {
    response.write('a')
    const drip = setInterval(() => response.write('a'), 5)
    response.on('close', () => clearInterval(drip))
  })
  const call = opened(t, port).request({ url: `http://127.0.0.1:${port}/`, timeoutMs: 60 })
  await assert.rejects(call, { kind: 'timeout', sent: true })
})

test('a name lookup that hangs is a timeout in which nothing was sent', async (t) => {
  const outbound = createOutbound({ resolve: () => new Promise(() => {}) })
  t.after(() => outbound.close())
  const call = outbound.request({ url: 'http://slow.test/', connectTimeoutMs: 20 })
  await assert.rejects(call, { kind: 'timeout', sent: false })
})

test('an answer past 8 MB is cut off (hardening 47)', async (t) => {
  let written = 0
  const port = await serve(t, (_request, response) => {
    const chunk = Buffer.alloc(256 * 1024, 'x')
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
    }
    response.on('drain', more)
    more()
  })
  const call = opened(t, port).request({ url: `http://127.0.0.1:${port}/` })
  await assert.rejects(call, { kind: 'too_large', sent: true })
  assert.ok(written < 64 * 1024 * 1024)
})

test('a connection that breaks after the request was sent is a reset', async (t) => {
  const port = await serve(t, (request) => request.socket.destroy())
  const url = `http://127.0.0.1:${port}/`
  const call = opened(t, port).request({ url, method: 'POST', body: '{}' })
  await assert.rejects(call, { kind: 'reset', sent: true })
})

test('an answer that stops half-way is a reset', async (t) => {
  const port = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => request.socket.destroy())
  })
  const call = opened(t, port).request({ url: `http://127.0.0.1:${port}/` })
  await assert.rejects(call, { kind: 'reset', sent: true })
})

test('a read over a kept connection that the server closes is tried once more', async (t) => {
  let calls = 0
  const port = await serve(t, (request, response) => {
    calls += 1
    if (calls === 2) request.socket.destroy()
    else response.end(String(calls))
  })
  const outbound = opened(t, port)
  const url = `http://127.0.0.1:${port}/`
  await outbound.request({ url })
  assert.equal((await outbound.request({ url })).text, '3')
})

test('a write over a kept connection that the server closes is not repeated', async (t) => {
  let calls = 0
  const port = await serve(t, (request, response) => {
    calls += 1
    if (calls === 2) request.socket.destroy()
    else response.end()
  })
  const outbound = opened(t, port)
  const url = `http://127.0.0.1:${port}/`
  await outbound.request({ url })
  await assert.rejects(outbound.request({ url, method: 'POST' }), { kind: 'reset', sent: true })
  assert.equal(calls, 2)
})

test('nobody listening is a connect failure, a plain answer to TLS a tls failure', async (t) => {
  const server = createTcpServer((socket) =>
    socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  )
  const port = await listen(t, server)
  const outbound = opened(t, port)
  await assert.rejects(outbound.request({ url: `https://127.0.0.1:${port}/` }), {
    kind: 'tls',
    sent: false,
  } satisfies Partial<OutboundError>)
  await new Promise((done) => server.close(done))
  await assert.rejects(outbound.request({ url: `http://127.0.0.1:${port}/` }), {
    kind: 'connect',
    sent: false,
  })
})

test('a caller ends a call early with a signal', async (t) => {
  const port = await serve(t, () => stop.abort())
  const stop = new AbortController()
  const url = `http://127.0.0.1:${port}/`
  const call = opened(t, port).request({ url, signal: stop.signal })
  await assert.rejects(call, { kind: 'timeout', sent: true })
})
