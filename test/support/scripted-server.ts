import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'

/** One answer. `body` is sent as it is when it is text, else as JSON; `hangUp` sends nothing. */
export type ScriptedAnswer =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | { hangUp: true }
  | { silent: true }

export type RecordedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  form: URLSearchParams
}

export type ScriptedServer = { url: string; requests: RecordedRequest[] }

/** A server that gives the answers in turn, and then 500; it ends with the test. */
export async function scriptedServer(
  t: TestContext,
  answers: readonly ScriptedAnswer[],
): Promise<ScriptedServer> {
  const requests: RecordedRequest[] = []
  const script = [...answers]
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    requests.push({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      form: new URLSearchParams(await text(request)),
    })
    const answer = script.shift() ?? { status: 500, body: 'The script is over.' }
    if ('silent' in answer) return
    if ('hangUp' in answer) {
      request.socket.destroy()
      return
    }
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status ?? 200, {
      'content-type': 'application/json',
      // Without this the SDK waits and asks again, which the script has no answer for.
      'stripe-should-retry': 'false',
      ...answer.headers,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests }
}
