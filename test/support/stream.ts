import http from 'node:http'
import { until } from './app.ts'
import type { Person } from './people.ts'

export type StreamEvent = { id: string | null; event: string; data: Record<string, unknown> }

/** An open stream of events, as a browser reads it. */
export type Stream = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly events: StreamEvent[]
  readonly ended: boolean
  /** The id a reader would name when it comes back. */
  readonly lastId: string | null
  /** Waits for so many events of a name, and gives back all of them. */
  heard(event: string, count?: number): Promise<StreamEvent[]>
  /** The ids of the notifications that were told, in order. */
  told(): string[]
  pause(): void
  close(): void
}

type Reader = { url: string; token: Person['token'] }

/** Opens a stream of notifications over a connection of its own. */
export async function openStream(
  { url, token }: Reader,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Stream> {
  const request = http.get(`${url}/v1/notifications/stream${query}`, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  const events: StreamEvent[] = []
  let [text, lastId, ended]: [string, string | null, boolean] = ['', null, false]
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
      )
      const id = fields.get('id') ?? null
      lastId = id ?? lastId
      const event = fields.get('event')
      if (event) events.push({ id, event, data: JSON.parse(fields.get('data') ?? 'null') })
    }
  })
  response.once('close', () => {
    ended = true
  })
  response.on('error', () => {})
  const of = (name: string) => events.filter(({ event }) => event === name)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    get ended() {
      return ended
    },
    get lastId() {
      return lastId
    },
    heard: (event, count = 1) =>
      until(`${count} of ${event}`, () => of(event).length >= count && of(event)),
    told: () => of('notification').map(({ data }) => String(data.id)),
    pause: () => response.pause(),
    close: () => request.destroy(),
  }
}
