import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { type ApiParts, answerApi } from './api.ts'
import { startClock } from './clock.ts'
import { findControl } from './controls.ts'
import { startDeliveries } from './delivery.ts'
import { runDue } from './due.ts'
import { ProviderError } from './errors.ts'
import { noFaults } from './faults.ts'
import { type Answer, json, readBody } from './http.ts'
import { startJournal } from './journal.ts'
import { answerPage } from './pages/pages.ts'
import { type Keys, newId, randomText, type Sandbox } from './sandbox.ts'
import { decodeForm } from './schema/form.ts'
import type { DeliveryOptions } from './sending.ts'
import { keepSnapshotFile, loadSaved, readSnapshotFile } from './snapshot-file.ts'
import { emptyStore } from './store.ts'

export type ProviderOptions = {
  /** 0 or nothing: any free port. */
  port?: number
  /** Loopback unless named. */
  host?: string
  /** Where browsers reach it, if that is not host and port. */
  publicUrl?: string
  /** Guards `/_sandbox/*`; made up unless given. */
  controlToken?: string
  /** The account's keys, each starting with `sk_test_`; one is made up unless given. */
  secretKeys?: readonly string[]
  publishableKey?: string
  /** Keeps keys and state over a restart. */
  snapshotFile?: string
  /** How long delayed payment methods take, by the sandbox's clock: three minutes unless given. */
  delayedPaymentMs?: number
} & Partial<Omit<DeliveryOptions, 'changed'>>

export type Provider = {
  url: string
  port: number
  controlToken: string
  secretKey: string
  publishableKey: string
  /** Sets the sandbox's clock to real time plus an offset, and does what is due by then. */
  setClock(offsetMs: number): void
  close(): Promise<void>
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Quick at first, as a developer is watching; three days in all, as the provider's own. */
const RETRY_PLAN_MS = [
  ...[1, 3, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[2, 10].map((minutes) => minutes * MINUTE_MS),
  ...[1, 6, 24, 41].map((hours) => hours * HOUR_MS),
]
const TICK_MS = 200

/** Starts a sandbox provider. Throws a TypeError for a key that is not a test key. */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { host = '127.0.0.1', port = 0, snapshotFile, controlToken = randomText(32) } = options
  const saved = snapshotFile ? readSnapshotFile(snapshotFile) : undefined
  const keys = keysFor(options, saved?.keys)
  const sandbox: Sandbox = {
    store: emptyStore(),
    clock: startClock(),
    keys,
    publicUrl: '',
    delayedPaymentMs: options.delayedPaymentMs ?? 3 * MINUTE_MS,
    request: null,
    announced: [],
  }
  if (saved) loadSaved(sandbox, saved)
  const file = snapshotFile ? keepSnapshotFile(sandbox, snapshotFile) : undefined
  const deliveries = startDeliveries(sandbox, {
    retryPlanMs: options.retryPlanMs ?? RETRY_PLAN_MS,
    timeoutMs: options.timeoutMs ?? 10 * SECOND_MS,
    signBy: options.signBy ?? 'real',
    changed: () => file?.changed(),
  })
  const parts: ApiParts = { sandbox, deliveries, faults: noFaults(), journal: startJournal() }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void serve(parts, controlToken, request, response).finally(() => {
      if (request.method !== 'GET') file?.changed()
    })
  })
  const listening = await listen(server, host, port)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  sandbox.publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '')
  const timer = setInterval(() => tick(parts, () => file?.changed()), TICK_MS)
  return {
    url,
    port: listening,
    controlToken,
    secretKey: keys.secretKeys[0] ?? '',
    publishableKey: keys.publishableKey,
    setClock(offsetMs) {
      sandbox.clock.load({ offsetMs, frozenAt: null })
      runDue(sandbox)
      file?.changed()
    },
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await deliveries.close()
      await file?.close()
    },
  }
}

function keysFor(options: ProviderOptions, saved: Keys | undefined): Keys {
  const secretKeys = [...(options.secretKeys ?? saved?.secretKeys ?? [`sk_test_${randomText(32)}`])]
  if (secretKeys.length === 0 || secretKeys.some((it) => !it.startsWith('sk_test_'))) {
    throw new TypeError('The sandbox takes test keys only: they start with sk_test_')
  }
  return {
    accountId: saved?.accountId ?? newId('acct').slice(0, 'acct_'.length + 16),
    secretKeys,
    publishableKey: options.publishableKey ?? saved?.publishableKey ?? `pk_test_${randomText(32)}`,
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** What time brings: sessions expire, delayed results come in, events are tried again. */
function tick({ sandbox, deliveries }: ApiParts, changed: () => void): void {
  runDue(sandbox)
  if (sandbox.announced.length > 0) changed()
  void deliveries.dispatch()
}

async function serve(
  parts: ApiParts,
  controlToken: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let answer: Answer | null
  try {
    answer = await answerTo(parts, controlToken, request)
  } catch (error) {
    // A caller who has gone, perhaps in the middle of the body, needs no answer.
    answer = request.socket.destroyed ? null : failure(error)
  }
  if (!answer) return void request.socket.destroy()
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}

function failure(error: unknown): Answer {
  if (error instanceof ProviderError) return json(error.status, { error: error.body })
  console.error(error)
  return json(500, { error: { type: 'api_error', message: 'The sandbox itself has failed.' } })
}

async function answerTo(
  parts: ApiParts,
  controlToken: string,
  request: IncomingMessage,
): Promise<Answer | null> {
  const { method = 'GET', url = '/' } = request
  const { pathname: path, search, searchParams: query } = new URL(url, 'http://sandbox')
  const text = await readBody(request)
  if (path.startsWith('/_sandbox/')) {
    assertToken(controlToken, request)
    return answerControl(parts, { method, path: path.slice('/_sandbox/'.length), query, text })
  }
  if (path.startsWith('/v1/')) {
    const given = method === 'POST' ? text : search.slice(1)
    return answerApi(parts, { method, path, text: given, headers: headersOf(request) })
  }
  const { sandbox, deliveries } = parts
  runDue(sandbox)
  const form = method === 'POST' ? decodeForm(text) : null
  const answer = method === 'GET' || form ? answerPage(sandbox, { path, form }) : undefined
  await deliveries.dispatch()
  if (answer) return answer
  throw new ProviderError(404, { type: 'invalid_request_error', message: `Nothing at ${path}` })
}

function headersOf({ headers }: IncomingMessage) {
  const key = headers['idempotency-key']
  const version = headers['stripe-version']
  const { authorization, 'content-type': type } = headers
  return {
    ...(authorization && { authorization }),
    ...(typeof key === 'string' && { key }),
    ...(typeof version === 'string' && { version }),
    ...(type && { type }),
  }
}

/** 401 without the control token. */
function assertToken(token: string, { headers: { authorization = '' } }: IncomingMessage): void {
  const [given, wanted] = [authorization, `Bearer ${token}`].map((it) => Buffer.from(it))
  if (given && wanted && given.length === wanted.length && timingSafeEqual(given, wanted)) return
  const message = 'The control token is missing or wrong.'
  throw new ProviderError(401, { type: 'invalid_request_error', message })
}

type ControlRequest = { method: string; path: string; query: URLSearchParams; text: string }

async function answerControl(parts: ApiParts, request: ControlRequest): Promise<Answer> {
  const { method, path, query, text } = request
  const control = findControl(method, path)
  if (!control) {
    const message = `No control ${method} /_sandbox/${path}`
    throw new ProviderError(404, { type: 'invalid_request_error', message })
  }
  const body = readJson(text)
  runDue(parts.sandbox)
  const result = await control.run(parts, { body, ids: control.ids, query })
  // Copied now: sending the events may change the objects.
  const answer = json(200, result)
  await parts.deliveries.dispatch()
  return answer
}

function readJson(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  } catch {
    // Said below, together with JSON that is no object.
  }
  const message = 'The body must be a JSON object.'
  throw new ProviderError(400, { type: 'invalid_request_error', message })
}
