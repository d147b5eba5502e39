import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { unprocessable } from '#lib/problem.ts'
import { createAddressPolicy, lookupBy, type Resolve } from './address-policy.ts'
import { isMailPort, reachOf } from './addresses.ts'
import type { Metrics } from './metrics.ts'
import { OutboundError, type OutboundErrorKind } from './outbound-error.ts'
import { begin, exchange, StaleConnection } from './outbound-exchange.ts'
import { type MailPlace, openMail } from './outbound-mail.ts'
import { traced } from './tracing/index.ts'

export { type MailPlace, OutboundError, type OutboundErrorKind, type Resolve }

export type OutboundRequest = {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** For the whole call, including name lookup and response. */
  timeoutMs?: number
  /** For name lookup, connection and TLS together. */
  connectTimeoutMs?: number
  /** Aborts the call, like its time limit does. */
  signal?: AbortSignal
}

export type OutboundResponse = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

export type OutboundPassage = Omit<OutboundRequest, 'body'> & {
  /** Sent as it arrives; null for none. */
  body: AsyncIterable<Buffer> | null
}

export type OutboundPassing = {
  status: number
  headers: http.IncomingHttpHeaders
  /** The response as it arrives. A caller that does not read it to its end must destroy it. */
  body: Readable
  /** Whether it came from an address that is not public. */
  isPrivate: boolean
}

export type Outbound = {
  /** Calls a URL. Follows no redirect. Throws `OutboundError`, but not because of a response's status. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Like `request`, for bodies that are only passed on: they are not kept in memory, and have no size limit.
   * The time limit applies to the whole call, including the reading of the response.
   */
  pass(passage: OutboundPassage): Promise<OutboundPassing>
  /**
   * Throws a 422 `address_not_allowed` for a URL that may not be called. A name that does not resolve within
   * five seconds passes: `request` checks its addresses each time it connects.
   */
  assertAllowedUrl(url: string): Promise<void>
  /** Whether exactly the host and port of a URL are allowed although they are private. */
  isOpened(url: string): Promise<boolean>
  /** Opens a TCP connection to a mail server, at a checked address. Throws `OutboundError`. */
  connectMail(place: MailPlace): Promise<Socket>
  /** Like `assertAllowedUrl`, for the host and port of a mail server. */
  assertAllowedMail(place: MailPlace): Promise<void>
  /** Closes the idle connections. */
  close(): void
}

export type OutboundOptions = {
  /** `host:port` pairs that an operator allows although they are private. IPv6 in brackets. */
  privateHosts?: readonly string[]
  resolve?: Resolve
  metrics?: Pick<Metrics, 'outboundSeconds'>
}

const TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** Shorter than the five seconds after which common web servers close an idle connection. */
const IDLE_MS = 4000

/**
 * The one HTTP client for addresses that people have entered. It connects only to public addresses, and to
 * exactly those that it has checked, so that a name cannot resolve to others in between.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { privateHosts = [], resolve, metrics } = options
  const policy = createAddressPolicy({ privateHosts, resolve })
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: 32 }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }

  /** A call with its limits, over a kept connection or a new one. */
  function prepared<C extends Limits>(call: C) {
    const { url, port } = policy.targetOf(call.url)
    const limit = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS)
    const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit
    const kept = agents[url.protocol === 'https:' ? 'https:' : 'http:']
    const limits = { url, signal, connectTimeoutMs: call.connectTimeoutMs ?? CONNECT_TIMEOUT_MS }
    return (fresh: boolean) => ({
      ...{ ...limits, call, agent: fresh ? (false as const) : kept },
      lookup: lookupBy(policy, port),
    })
  }

  async function request(call: OutboundRequest): Promise<OutboundResponse> {
    return measuredCall(metrics, call, () => {
      const over = prepared(call)
      return onceMore(call, (fresh) => exchange(over(fresh)))
    })
  }

  async function pass(call: OutboundPassage): Promise<OutboundPassing> {
    const { response } = await measuredCall(metrics, call, async () => {
      const over = prepared(call)
      // A body cannot be sent twice, so it gets a new connection, which cannot be stale.
      const send = (fresh: boolean) => begin(over(fresh || call.body !== null))
      const { response } = await onceMore(call, send)
      return { response, status: response.statusCode ?? 0 }
    })
    const { statusCode: status = 0, headers, socket } = response
    const isPrivate = reachOf(socket.remoteAddress ?? '') !== 'public'
    return { status, headers, body: response, isPrivate }
  }

  function assertAllowedUrl(text: string): Promise<void> {
    return assertAllowed(async () => {
      const target = policy.targetOf(text)
      if (!isIP(target.host)) await policy.addressesOf(target)
    })
  }

  function assertAllowedMail(place: MailPlace): Promise<void> {
    return assertAllowed(() => policy.addressesOf(place, isMailPort))
  }

  async function assertAllowed(check: () => Promise<unknown>): Promise<void> {
    try {
      await Promise.race([check(), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })])
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

  async function isOpened(text: string): Promise<boolean> {
    const { protocol, hostname, port } = new URL(text)
    const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`.toLowerCase()
    return privateHosts.some((it) => it.trim().toLowerCase() === place)
  }

  const connectMail = (place: MailPlace) => openMail(policy, place, CONNECT_TIMEOUT_MS)

  return { request, pass, assertAllowedUrl, isOpened, connectMail, assertAllowedMail, close }
}

type Limits = Pick<OutboundRequest, 'url' | 'timeoutMs' | 'connectTimeoutMs' | 'signal'>

/** Measures a call and, if it is traced, records its host, but never the path. */
function measuredCall<T extends { status: number }>(
  metrics: OutboundOptions['metrics'],
  { url, method = 'GET' }: Pick<OutboundRequest, 'url' | 'method'>,
  send: () => Promise<T>,
): Promise<T> {
  const ended = metrics?.outboundSeconds.startTimer({ method })
  const whom = URL.canParse(url) ? { 'server.address': new URL(url).host } : {}
  const attributes = { 'http.request.method': method, ...whom }
  return traced(method, { kind: 'client', attributes }, async (span) => {
    try {
      const answer = await send()
      span?.set({ 'http.response.status_code': answer.status })
      ended?.({ outcome: `${Math.floor(answer.status / 100)}xx` })
      return answer
    } catch (error) {
      ended?.({ outcome: error instanceof OutboundError ? error.kind : 'error' })
      throw error
    }
  })
}

/**
 * Repeats a call if the server closed an idle connection just then and a repetition is safe: a read, or a call
 * with an idempotency key.
 */
async function onceMore<T>(
  { method = 'GET', headers = {} }: Pick<OutboundRequest, 'method' | 'headers'>,
  send: (fresh: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await send(false)
  } catch (error) {
    const repeatable =
      method === 'GET' || Object.keys(headers).some((it) => it.toLowerCase() === 'idempotency-key')
    if (repeatable && error instanceof StaleConnection) return send(true)
    throw error
  }
}
