import type { components } from './api.ts'
import type { Moorage } from './client.ts'
import { answerOf, MoorageError } from './problems.ts'

/** What is told while it happens (docs/notifications.md). */
export type LiveEvent =
  | { readonly type: 'unread'; readonly count: number }
  | { readonly type: 'notification'; readonly notification: components['schemas']['Notification'] }
  /** Other staff came to an object that the reader has open, left it, or began or stopped writing. */
  | { readonly type: 'presence'; readonly kind: string; readonly id: string }
  /** More was missed than is kept: read the list again. */
  | { readonly type: 'reset' }

export type LiveOptions = {
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** The last notification that was received: what came after it is told first. */
  readonly lastEventId?: string
  /** How long to wait before coming back, in ms, where the service does not say. Default 3 s. */
  readonly waitMs?: number
  /** Called with true when the stream begins to send, and with false when it breaks or ends. */
  readonly connected?: (isConnected: boolean) => void
}

/** The longest silence: the service sends something every 15 seconds. */
const SILENCE_MS = 45_000

/**
 * The notifications of the signed-in person as they come. It comes back by itself after a broken
 * connection, and misses nothing; a notification may come twice. It ends when `signal` is aborted, and throws `MoorageError`
 * where the credential does not count any more.
 */
export async function* liveEvents(
  client: Moorage,
  { signal, lastEventId, waitMs = 3000, connected }: LiveOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
  let last = lastEventId
  let pauseMs = waitMs
  while (!signal?.aborted) {
    const silence = new AbortController()
    try {
      for await (const frame of framesOf(client, { last, signal, silence, connected })) {
        if (frame.retryMs !== null) pauseMs = frame.retryMs
        if (frame.id) last = frame.id
        const event = eventOf(frame)
        if (event) yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof MoorageError && error.status < 500 && error.status !== 429) throw error
    }
    await pause(pauseMs, signal)
  }
}

type Frame = {
  readonly event: string
  readonly data: string
  readonly id: string
  readonly retryMs: number | null
}

type Connection = {
  readonly last: string | undefined
  readonly signal: AbortSignal | undefined
  readonly silence: AbortController
  readonly connected: LiveOptions['connected']
}

async function* framesOf(client: Moorage, { last, signal, silence, connected }: Connection) {
  const signals = signal ? [signal, silence.signal] : [silence.signal]
  const stream = (await answerOf(
    client.GET('/v1/notifications/stream', {
      params: { query: last ? { lastEventId: last } : {} },
      parseAs: 'stream',
      signal: AbortSignal.any(signals),
    }),
  )) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  let text = ''
  let isConnected = false
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Not before: a proxy that buffers sends only the headers.
      if (!isConnected) connected?.(true)
      isConnected = true
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      yield* parts.map(frameOf)
    }
  } finally {
    clearTimeout(timer)
    if (isConnected) connected?.(false)
    // Ends the connection too: whoever stops reading holds none of the ten that a person may have.
    silence.abort()
    await reader.cancel().catch(() => {})
  }
}

/** One event of the stream; what begins with a colon shows only that somebody is there. */
function frameOf(text: string): Frame {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const field = (name: string) => fields.get(name) ?? ''
  return {
    event: field('event'),
    data: field('data'),
    id: field('id'),
    retryMs: Number(field('retry')) || null,
  }
}

const LIVE = ['unread', 'reset', 'presence']

function eventOf({ event, data }: Frame): LiveEvent | null {
  if (event === 'notification') return { type: event, notification: JSON.parse(data) }
  return LIVE.includes(event) ? { type: event, ...JSON.parse(data) } : null
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}
