import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { OutboundError, type OutboundErrorKind } from './outbound-error.ts'

type Phase = 'lookup' | 'connect' | 'tls' | 'sent'

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** The other side had closed a kept connection just as it was used. */
export class StaleConnection extends OutboundError {}

/** A call with everything that is decided beforehand. */
export type Exchange<B> = {
  url: URL
  call: {
    method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    headers?: Record<string, string>
    body?: B
  }
  signal: AbortSignal
  connectTimeoutMs: number
  agent: http.Agent | false
  lookup: LookupFunction
}

/** A request and its whole response. Every failure is an `OutboundError`. */
export async function exchange(it: Exchange<string>) {
  const { response, failed } = await begin(it)
  try {
    const text = await textOf(response)
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  } catch (error) {
    throw failed(error)
  }
}

/**
 * A request up to the headers of its response. Failures until then are an `OutboundError`; `failed`
 * converts later ones.
 */
export async function begin({ url, call, signal, agent, lookup, ...limits }: Exchange<Body>) {
  const { method = 'GET', headers = {}, body } = call
  const connecting = new AbortController()
  const send = url.protocol === 'https:' ? https.request : http.request
  const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {}
  const outgoing = send(url, {
    method,
    headers: { ...headers, ...length },
    agent,
    lookup,
    signal: AbortSignal.any([signal, connecting.signal]),
  })
  const connectTimer = setTimeout(() => connecting.abort(), limits.connectTimeoutMs)
  const state: { phase: Phase } = { phase: 'lookup' }
  function failed(error: unknown): OutboundError {
    const timedOut = signal.aborted || connecting.signal.aborted
    outgoing.destroy()
    return failureOf(error, { phase: state.phase, timedOut, stale: outgoing.reusedSocket })
  }
  try {
    outgoing.once('socket', (socket) =>
      follow(socket, url, state, () => clearTimeout(connectTimer)),
    )
    const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      // Stays for the whole exchange: a broken connection may emit an error twice.
      outgoing.on('error', reject)
    })
    if (body === null || body === undefined || typeof body === 'string') {
      outgoing.end(body ?? undefined)
    } else {
      // If the body fails, the call fails too, and is reported there.
      pipeline(body, outgoing).catch(() => {})
    }
    return { response: await answer, failed }
  } catch (error) {
    throw failed(error)
  } finally {
    clearTimeout(connectTimer)
  }
}

type Body = string | AsyncIterable<Buffer> | null

/** Tracks the phase of the connection. */
function follow(socket: Socket, url: URL, state: { phase: Phase }, connected: () => void): void {
  const ready = () => {
    state.phase = 'sent'
    connected()
  }
  if (!socket.connecting) {
    ready()
    return
  }
  const secure = url.protocol === 'https:'
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1'))) state.phase = 'connect'
  socket.once('lookup', (error: Error | null) => {
    if (!error) state.phase = 'connect'
  })
  socket.once('connect', () => {
    if (secure) state.phase = 'tls'
    else ready()
  })
  if (secure) socket.once('secureConnect', ready)
}

/** Reads a response, and aborts it if it is larger than the limit. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) {
      throw new OutboundError('too_large', 'The answer is larger than 8 MB.', true)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const MESSAGES: Record<Phase, [OutboundErrorKind, string]> = {
  lookup: ['dns', 'The name cannot be resolved.'],
  connect: ['connect', 'No connection could be made.'],
  tls: ['tls', 'The secure connection could not be made; check the certificate.'],
  sent: ['reset', 'The connection broke before the answer was complete.'],
}

type Circumstances = { phase: Phase; timedOut: boolean; stale: boolean }

function failureOf(error: unknown, { phase, timedOut, stale }: Circumstances): OutboundError {
  if (error instanceof OutboundError) return error
  const sent = phase === 'sent'
  if (timedOut) return new OutboundError('timeout', 'The time limit has passed.', sent, error)
  const [kind, message] = MESSAGES[phase]
  if (sent && stale) return new StaleConnection(kind, message, sent, error)
  return new OutboundError(kind, message, sent, error)
}
