import http from 'node:http'
import { isRecording, record } from './exchanges.ts'

/** An answer. `body` is the parsed JSON, or the text where it is none. */
export type Answer = {
  status: number
  headers: http.IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails if they differ
  body: any
  text: string
}

type Options = { headers?: Record<string, string>; raw?: string | Buffer }

/** Sends requests to one service over a real connection. */
export type Client = {
  request(method: string, path: string, body?: unknown, options?: Options): Promise<Answer>
  get(path: string, options?: Options): Promise<Answer>
  post(path: string, body?: unknown, options?: Options): Promise<Answer>
  put(path: string, body?: unknown, options?: Options): Promise<Answer>
  patch(path: string, body?: unknown, options?: Options): Promise<Answer>
  delete(path: string, body?: unknown, options?: Options): Promise<Answer>
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 })

/** A client for an address, with headers that go along with every request (`host` included). */
export function clientFor(url: string, always: Record<string, string> = {}): Client {
  const { hostname, port } = new URL(url)
  async function request(method: string, path: string, body?: unknown, options: Options = {}) {
    const { headers, raw } = options
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const send = () =>
      new Promise<Answer>((resolve, reject) => {
        const outgoing = http.request(
          {
            ...{ hostname, port, method, path, agent },
            headers: {
              ...(payload !== undefined && {
                'content-type': 'application/json',
                'content-length': String(Buffer.byteLength(payload)),
              }),
              ...always,
              ...headers,
            },
          },
          (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk: Buffer) => {
              chunks.push(chunk)
              if (!isEndless(incoming)) return
              // Events go on for ever: the first of them are the answer.
              resolve(answerOf(incoming, chunk.toString()))
              incoming.destroy()
            })
            incoming.on('error', reject)
            incoming.on('end', () => resolve(answerOf(incoming, Buffer.concat(chunks).toString())))
          },
        )
        outgoing.on('error', (error) => {
          reject(isStale(error, outgoing) ? new StaleConnection() : error)
        })
        outgoing.end(payload)
      })
    try {
      const answer = await send()
      if (isRecording) recordExchange({ method, path, payload, headers }, answer)
      return answer
    } catch (error) {
      // As any client may: what changes nothing, or carries a key, is safe to send again.
      const repeatable = method === 'GET' || headers?.['idempotency-key'] !== undefined
      if (!(error instanceof StaleConnection) || !repeatable) throw error
      return await send()
    }
  }
  return {
    request,
    get: (path, options) => request('GET', path, undefined, options),
    post: (path, body, options) => request('POST', path, body, options),
    put: (path, body, options) => request('PUT', path, body, options),
    patch: (path, body, options) => request('PATCH', path, body, options),
    delete: (path, body, options) => request('DELETE', path, body, options),
  }
}

type Sent = {
  method: string
  path: string
  payload: string | Buffer | undefined
  headers: Record<string, string> | undefined
}

function recordExchange({ method, path, payload, headers }: Sent, answer: Answer): void {
  const answerType = answer.headers['content-type'] ?? null
  const isText = answerType === null || /json|text|xml|csv|html/.test(answerType)
  record({
    ...{ method, path, status: answer.status, answerType },
    type: payload === undefined ? null : (headers?.['content-type'] ?? 'application/json'),
    body: typeof payload === 'string' ? payload : null,
    answer: isText ? answer.text : null,
  })
}

/** The server had closed an idle connection just when it was used again. */
class StaleConnection extends Error {}

function isStale(error: Error, { reusedSocket }: http.ClientRequest): boolean {
  return reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
}

function isEndless({ headers }: http.IncomingMessage): boolean {
  return headers['content-type'] === 'text/event-stream'
}

function answerOf(incoming: http.IncomingMessage, text: string): Answer {
  const { statusCode = 0, headers } = incoming
  const isJson = headers['content-type']?.includes('json') && text !== ''
  return { status: statusCode, headers, body: isJson ? JSON.parse(text) : text, text }
}
