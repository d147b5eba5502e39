import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { unprocessable } from '#lib/problem.ts'
import { createAddressPolicy, lookupBy, type Resolve } from './address-policy.ts'
import { OutboundError, type OutboundErrorKind } from './outbound-error.ts'

export { OutboundError, type OutboundErrorKind, type Resolve }

export type OutboundRequest = {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** For the whole call, name lookup and answer included. */
  timeoutMs?: number
  /** For name lookup, connection and TLS together. */
  connectTimeoutMs?: number
  /** Ends the call early, as its time limit does. */
  signal?: AbortSignal
}

export type OutboundResponse = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

export type Outbound = {
  /** Calls a URL. Follows no redirect. Throws `OutboundError`, never on an answer's status. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Throws a 422 `address_not_allowed` for a URL that will not be called. A name that does not
   * resolve now, within five seconds, passes: `request` looks at its addresses each time it connects.
   */
  assertAllowedUrl(url: string): Promise<void>
  /** Closes the idle connections. */
  close(): void
}

export type OutboundOptions = {
  /** `host:port` pairs an operator opens although they are private. IPv6 in brackets. */
  privateHosts?: readonly string[]
  resolve?: Resolve
}

type Phase = 'lookup' | 'connect' | 'tls' | 'sent'

const TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** Shorter than the five seconds after which common web servers close an idle connection. */
const IDLE_MS = 4000
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/**
 * The one HTTP client for addresses that people typed. It connects to public addresses only, and
 * to exactly the addresses it has checked, so a name cannot change its mind in between.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { privateHosts = [], resolve } = options
  const policy = createAddressPolicy({ privateHosts, resolve })
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: 32 }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }

  async function request(call: OutboundRequest): Promise<OutboundResponse> {
    const { url, port } = policy.targetOf(call.url)
    const limit = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS)
    const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit
    const send = (fresh: boolean) =>
      exchange({
        url,
        call,
        signal,
        agent: fresh ? false : agents[url.protocol === 'https:' ? 'https:' : 'http:'],
        lookup: lookupBy(policy, port),
      })
    try {
      return await send(false)
    } catch (error) {
      // The server closed the kept connection just then; reading again does no harm.
      if (call.method === undefined || call.method === 'GET') {
        if (error instanceof StaleConnection) return send(true)
      }
      throw error
    }
  }

  async function assertAllowedUrl(text: string): Promise<void> {
    try {
      const target = policy.targetOf(text)
      const patience = sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })
      if (!isIP(target.host)) await Promise.race([policy.addressesOf(target), patience])
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (error.kind === 'dns') return
      throw unprocessable(`This address may not be used. ${error.message}`, 'address_not_allowed')
    }
  }

  function close(): void {
    agents['http:'].destroy()
    agents['https:'].destroy()
  }

  return { request, assertAllowedUrl, close }
}

class StaleConnection extends OutboundError {}

type Exchange = {
  url: URL
  call: OutboundRequest
  signal: AbortSignal
  agent: http.Agent | false
  lookup: LookupFunction
}

/** One request and its whole answer, every failure as an `OutboundError`. */
async function exchange({ url, call, signal, agent, lookup }: Exchange): Promise<OutboundResponse> {
  const { method = 'GET', headers = {}, body } = call
  const connecting = new AbortController()
  const send = url.protocol === 'https:' ? https.request : http.request
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const outgoing = send(url, {
    method,
    headers: { ...headers, ...length },
    agent,
    lookup,
    signal: AbortSignal.any([signal, connecting.signal]),
  })
  const limitMs = call.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  const connectTimer = setTimeout(() => connecting.abort(), limitMs)
  const state: { phase: Phase } = { phase: 'lookup' }
  try {
    outgoing.once('socket', (socket) =>
      follow(socket, url, state, () => clearTimeout(connectTimer)),
    )
    const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      // Stays for the whole exchange: a broken connection may announce itself twice.
      outgoing.on('error', reject)
    })
    outgoing.end(body)
    const response = await answer
    const text = await textOf(response)
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  } catch (error) {
    const timedOut = signal.aborted || connecting.signal.aborted
    outgoing.destroy()
    throw failureOf(error, { phase: state.phase, timedOut, stale: outgoing.reusedSocket })
  } finally {
    clearTimeout(connectTimer)
  }
}

/** Keeps note of how far the connection has come. */
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

/** Reads an answer, and cuts it off when it grows past the limit. */
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
