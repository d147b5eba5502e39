import { type Outbound, OutboundError, type OutboundResponse } from '#platform/outbound.ts'
import type { ConnectionState } from '../connection-state.ts'
import { PanelError } from '../panel-error.ts'
import { type Fields, MalformedAnswer, numberOf, pageOf } from './envelope.ts'
import { failureOf } from './errors.ts'

export type Connection = {
  /** May contain a path. */
  url: string
  apiKey: string
  clientApiKey?: string | undefined
  outbound: Outbound
  state: ConnectionState
  /** Called if the panel refuses the application key during work, but not during a test. */
  onDenied?: ((error: PanelError) => Promise<void>) | undefined
  /** Called if the panel reports that it was asked too often, with how long that lasts. */
  onLimited?: ((retryAfterMs: number) => Promise<void>) | undefined
}

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/application/` or `/api/client/`, its segments encoded. */
  path: string
  api?: 'application' | 'client'
  query?: Record<string, string>
  body?: Fields
  timeoutMs?: number
  /** Leaves half of the request allowance to requests that people wait for. */
  background?: boolean
  /** Part of a connection test: ignores an open breaker, and does not count as a failure. */
  probe?: boolean
}

type List = Omit<Call, 'method'>

export type Transport = {
  /** Calls once, waiting for the panel's limits, and reads the answer. Throws `PanelError`. */
  call<T>(call: Call, read: (body: unknown) => T): Promise<T>
  /** A call without a result. */
  order(call: Call): Promise<void>
  /** All pages of a list, or an error; each row once, sorted by id. */
  listAll<T>(call: List, read: (row: Fields) => T): Promise<T[]>
  /** One page of a list, of at most a hundred rows, and how many pages there are. */
  listPage<T>(
    call: List,
    page: number,
    read: (row: Fields) => T,
  ): Promise<{ rows: T[]; pages: number }>
}

/** Longer than the panel's own calls to its machines: shorter limits leave orphaned servers. */
export const CREATE_TIMEOUT_MS = 45_000
export const WRITE_TIMEOUT_MS = 25_000
const READ_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000

const MAX_WAIT_MS = 10_000
const MAX_BACKGROUND_WAIT_MS = 60_000
const MAX_ATTEMPTS = 3
const DEFAULT_RETRY_AFTER_MS = 10_000
const PAGE_SIZE = '100'
const MAX_PAGES = 2000

/** The HTTP side of a panel connection: headers, limits, breaker, and conversion of errors. */
export function createTransport(connection: Connection): Transport {
  return {
    call: (request, read) => callPanel(connection, request, read),
    order: (request) => callPanel(connection, request, () => undefined),
    listAll: (list, read) => readPages(connection, list, read),
    async listPage(list, page, read) {
      const { entries, pages } = await readPage(connection, { list, page, read })
      return { rows: entries.map(([, row]) => row), pages }
    },
  }
}

async function callPanel<T>(
  connection: Connection,
  request: Call,
  read: (body: unknown) => T,
): Promise<T> {
  const { api = 'application', probe = false } = request
  const { timing } = connection.state
  const { bucket, breaker } = connection.state[api]
  const key = keyFor(connection, api)
  for (let attempt = 1; ; attempt += 1) {
    if (!probe) breaker.assertClosed(timing.nowMs())
    await takeTurn(connection.state, request)
    const result = await send(connection, { request, key, read })
    if ('value' in result) {
      breaker.succeed()
      return result.value
    }
    const { error, verdict } = result
    if (error.kind === 'rate_limited') {
      // Thrown before anything happened, so that writes may be repeated too.
      const waitMs = error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS
      bucket.pauseUntil(timing.nowMs() + waitMs * (1 + 0.2 * timing.random()))
      if (api === 'application') await connection.onLimited?.(waitMs)
      if (attempt < MAX_ATTEMPTS) continue
    }
    if (!probe) {
      if (verdict === 'ill') breaker.fail(timing.nowMs())
      else breaker.succeed()
      if (verdict === 'denied') {
        breaker.deny(error)
        if (api === 'application') await connection.onDenied?.(error)
      }
    }
    throw error
  }
}

function keyFor(connection: Connection, api: 'application' | 'client'): string {
  const key = api === 'client' ? connection.clientApiKey : connection.apiKey
  if (!key) throw misconfigured('client_key_missing', 'The connection has no client key.')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw misconfigured('key_malformed', 'The key has characters that no key has.')
  }
  return key
}

/** Waits for its turn, or throws if that would take too long. */
async function takeTurn(state: ConnectionState, request: Call): Promise<void> {
  const { timing } = state
  const { api = 'application', background = false } = request
  const giveUpAtMs = timing.nowMs() + (background ? MAX_BACKGROUND_WAIT_MS : MAX_WAIT_MS)
  for (;;) {
    const waitMs = state[api].bucket.take(timing.nowMs(), { background })
    if (waitMs === 0) return
    if (timing.nowMs() + waitMs > giveUpAtMs) {
      const detail = 'The requests this panel allows are used up for now.'
      const options = { code: 'rate_limited', detail, retryAfterMs: waitMs }
      throw new PanelError('rate_limited', options)
    }
    await timing.sleep(waitMs)
  }
}

type Sending<T> = { request: Call; key: string; read: (body: unknown) => T }
type Result<T> = { value: T } | ReturnType<typeof failureOf>

async function send<T>(
  { url, outbound, state }: Connection,
  { request, key, read }: Sending<T>,
): Promise<Result<T>> {
  const { method, path, api = 'application', query, body } = request
  const write = method !== 'GET'
  const search = query ? `?${new URLSearchParams(query)}` : ''
  let answer: OutboundResponse
  try {
    answer = await outbound.request({
      url: `${url.replace(/\/+$/, '')}/api/${api}${path}${search}`,
      method,
      headers: headersWith(key, body !== undefined),
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs: request.timeoutMs ?? (write ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const verdict = error.kind === 'refused_address' ? 'alive' : 'ill'
    return { error: networkError(error, write), verdict }
  }
  learn(state[api].bucket, answer)
  const text = answer.text.replaceAll(key, '…')
  if (answer.status < 200 || answer.status > 299) {
    return failureOf({ status: answer.status, retryAfterMs: retryAfterOf(answer), text }, write)
  }
  try {
    return { value: read(parsed(text)) }
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error
    const detail = `The panel's answer ${answer.status} cannot be read: ${error.message}.`
    const kind = write ? 'unknown_outcome' : 'unavailable'
    const options = { code: 'malformed_answer', detail, cause: error }
    return { error: new PanelError(kind, options), verdict: 'ill' }
  }
}

async function readPages<T>(
  connection: Connection,
  list: List,
  read: (row: Fields) => T,
): Promise<T[]> {
  const rows = new Map<number, T>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await readPage(connection, { list, page, read })
    for (const [id, row] of found.entries) rows.set(id, row)
    if (page >= found.pages) return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
  }
  throw new PanelError('unavailable', {
    code: 'too_many_pages',
    detail: `A list has more than ${MAX_PAGES} pages.`,
  })
}

function readPage<T>(
  connection: Connection,
  { list, page, read }: { list: List; page: number; read: (row: Fields) => T },
) {
  const query = { per_page: PAGE_SIZE, ...list.query, page: String(page) }
  return callPanel(connection, { ...list, method: 'GET', query }, (body) => {
    const { rows, pages } = pageOf(body)
    return { pages, entries: rows.map((row) => [numberOf(row, 'id'), read(row)] as const) }
  })
}

function headersWith(key: string, hasBody: boolean): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/vnd.pterodactyl.v1+json',
    'user-agent': 'Moorage',
    ...(hasBody && { 'content-type': 'application/json' }),
  }
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedAnswer('it is not JSON')
  }
}

function misconfigured(code: string, detail: string): PanelError {
  return new PanelError('misconfigured', { code, detail })
}

function networkError(error: OutboundError, write: boolean): PanelError {
  const options = { code: error.kind, detail: error.message, cause: error }
  if (error.kind === 'refused_address') return new PanelError('misconfigured', options)
  return new PanelError(write && error.sent ? 'unknown_outcome' : 'unavailable', options)
}

function learn(bucket: ConnectionState['client']['bucket'], answer: OutboundResponse): void {
  const limit = Number(answer.headers['x-ratelimit-limit'] ?? Number.NaN)
  const remaining = Number(answer.headers['x-ratelimit-remaining'] ?? Number.NaN)
  // After a 429 nothing remains until the time that it reports.
  bucket.learn({ limit, remaining: answer.status === 429 ? Number.NaN : remaining })
}

/** The seconds to wait that a 429 reports; a date, which panels do not send, is ignored. */
function retryAfterOf({ headers }: OutboundResponse): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
