import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, type TestContext } from 'node:test'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { isRecording, recordWebhook } from './exchanges.ts'

/** One request that came in. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; id: string }

/** How a path answers: null says nothing and keeps the connection. */
export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>

export type Receiver = {
  readonly url: string
  /** What an operator has to open for it. */
  readonly place: string
  readonly received: Received[]
  /** What came to one path, in order. */
  at(path: string): Received[]
  /** From now on a path answers so; 204 where nothing else was said. */
  on(path: string, behaviour: Behaviour): void
}

/** Answers with a status, and headers. */
export function answers(
  status: number,
  headers: Record<string, string> = {},
  body = '',
): Behaviour {
  return (response) => void response.writeHead(status, headers).end(body)
}

/** A server that webhooks are sent to; it ends with the test, or with the file. */
export async function receiver(t: TestContext | null): Promise<Receiver> {
  const received: Received[] = []
  const behaviours = new Map<string, Behaviour>()
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const path = request.url ?? ''
    const { headers } = request
    const body = await text(request)
    const it = { path, headers, body, id: String(headers['webhook-id']) }
    received.push(it)
    if (isRecording && headers['webhook-id']) recordWebhook(body)
    await (behaviours.get(path) ?? answers(204))(response, it)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  if (t) t.after(stop)
  else after(stop)
  return {
    url: `http://127.0.0.1:${port}`,
    place: `webhook=127.0.0.1:${port}`,
    received,
    at: (path) => received.filter((it) => it.path === path),
    on: (path, behaviour) => void behaviours.set(path, behaviour),
  }
}
