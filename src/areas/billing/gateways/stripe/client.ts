import Stripe from 'stripe'
import { SECOND_MS } from '#lib/time.ts'
import { traced } from '#platform/tracing/index.ts'
import type { GatewayContext } from '../contract.ts'
import { GatewayError, KeyForOtherMode } from '../error.ts'
import type { Correlation, Mode } from '../snapshots.ts'
import { type CallKind, failedCall, noAnswer } from './errors.ts'

const TIMEOUT_MS = 20 * SECOND_MS
const NETWORK_RETRIES = 2
const PAGE_SIZE = 100
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

// Every object we ask for names its type, and its id begins with one of these. A proxy's page does
// neither.
const PREFIXES = {
  account: ['acct_'],
  'billing_portal.configuration': ['bpc_'],
  'billing_portal.session': ['bps_'],
  charge: ['ch_', 'py_'],
  'checkout.session': ['cs_'],
  customer: ['cus_'],
  dispute: ['dp_', 'du_'],
  event: ['evt_'],
  mandate: ['mandate_'],
  payment_intent: ['pi_'],
  payment_method: ['pm_', 'card_', 'src_', 'ba_'],
  refund: ['re_', 'pyr_'],
  setup_intent: ['seti_'],
  webhook_endpoint: ['we_'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ObjectName = keyof typeof PREFIXES
type Answer = { id: string; object: string }
type Page<T> = { object: string; data: T[]; has_more: boolean }
type PageQuery = { limit: number; starting_after?: string }

/** Where the driver sends requests. Without a base URL: to Stripe. */
export interface StripeTarget {
  readonly driver: string
  readonly baseUrl?: URL
  /** Rejects live gateways and every key that is not a plain test key. */
  readonly testOnly: boolean
}

/** Stripe's API during one call; validates every answer and converts every error. */
export interface StripeApi {
  readonly context: GatewayContext
  readonly sdk: Stripe
  read<T extends Answer>(name: ObjectName, ask: (sdk: Stripe) => Promise<T>): Promise<T>
  write<T extends Answer>(name: ObjectName, ask: (sdk: Stripe) => Promise<T>): Promise<T>
  /** All pages of a list, newest first. */
  list<T extends Answer>(
    name: ObjectName,
    ask: (sdk: Stripe, page: PageQuery) => Promise<Page<T>>,
  ): AsyncGenerator<T, void, undefined>
}

/** All items of a list. */
export async function everyOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Throws `credentials` if the stored key does not match the gateway's mode, before any request. */
export function connect(target: StripeTarget, context: GatewayContext): StripeApi {
  assertKeyFits(target, context)
  const sdk = new Stripe(context.secrets.secretKey ?? '', {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(boundedFetch(context.signal)),
    ...(target.baseUrl && addressOf(target.baseUrl)),
  })

  async function call<T>(kind: CallKind, ask: (sdk: Stripe) => Promise<T>): Promise<T> {
    if (context.signal.aborted) throw noAnswer('read', 'the call was ended before it began')
    try {
      return await unlessAborted(context.signal, ask(sdk))
    } catch (error) {
      throw failedCall(error, kind, context.secrets)
    }
  }

  async function one<T extends Answer>(
    kind: CallKind,
    name: ObjectName,
    ask: (sdk: Stripe) => Promise<T>,
  ): Promise<T> {
    const answer = await call(kind, ask)
    if (!isObject(answer, name)) throw noAnswer(kind, `the answer is not a ${name}`)
    return answer
  }

  return {
    context,
    sdk,
    read: (name, ask) => one('read', name, ask),
    write: (name, ask) => one('write', name, ask),
    async *list(name, ask) {
      let last: string | undefined
      for (;;) {
        const query = { limit: PAGE_SIZE, ...(last && { starting_after: last }) }
        const page = await call('read', () => ask(sdk, query))
        if (page?.object !== 'list' || !Array.isArray(page.data)) {
          throw noAnswer('read', `the answer is not a list of ${name}`)
        }
        for (const item of page.data) {
          if (!isObject(item, name)) throw noAnswer('read', `the list holds more than ${name}`)
          yield item
        }
        last = page.data.at(-1)?.id
        if (!page.has_more || !last) return
      }
    },
  }
}

/** The mode a secret key belongs to; undefined if it is not a secret key. */
export function modeOfKey(key: string): Mode | undefined {
  return /^[sr]k_(test|live)_./.exec(key)?.[1] as Mode | undefined
}

/** Our ids as Stripe stores them on an object. */
export function metadataOf(correlation: Correlation): Record<string, string> {
  return {
    installation_id: correlation.installationId,
    tenant_id: correlation.tenantId,
    gateway_id: correlation.gatewayId,
    attempt_id: correlation.attemptId,
    ...(correlation.invoiceId && { invoice_id: correlation.invoiceId }),
  }
}

/** The id of a field that contains either an id or the object itself. */
export function idOf(field: string | { id: string } | null | undefined): string | undefined {
  if (field === null || field === undefined) return undefined
  return typeof field === 'string' ? field : field.id
}

/** The object of such a field, if it was requested. */
export function objectOf<T extends object>(field: string | T | null | undefined): T | undefined {
  return typeof field === 'object' && field !== null ? field : undefined
}

/** Whether an answer is a replay of an earlier call with the same key, and may be out of date. */
export function wasReplayed(answer: object): boolean {
  const { lastResponse } = answer as { lastResponse?: { headers?: unknown } }
  const headers = lastResponse?.headers
  return headers instanceof Headers && headers.get('idempotent-replayed') === 'true'
}

function assertKeyFits({ driver, testOnly }: StripeTarget, context: GatewayContext): void {
  const key = context.secrets.secretKey ?? ''
  if (testOnly && (context.mode !== 'test' || !key.startsWith('sk_test_'))) {
    throw new GatewayError('credentials', `A ${driver} gateway takes mode test and sk_test_ keys.`)
  }
  if (modeOfKey(key) !== context.mode) {
    const other = context.mode === 'test' ? 'live' : 'test'
    throw new KeyForOtherMode(
      `The gateway's mode is ${context.mode}, and the secret key is not a ${context.mode} key: it must begin with sk_${context.mode}_ or rk_${context.mode}_. Use such a key, or set mode to ${other} for a ${other} key.`,
    )
  }
}

function isObject(answer: unknown, name: ObjectName): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  const { id, object } = answer as { id?: unknown; object?: unknown }
  if (object !== name || typeof id !== 'string') return false
  return PREFIXES[name].some((prefix) => id.startsWith(prefix))
}

function addressOf({ protocol, hostname, port }: URL) {
  const plain = protocol === 'http:'
  return {
    protocol: plain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (plain ? 80 : 443),
  }
}

/** Ends with the signal: the wait between the SDK's own retries ignores it. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A fetch that is aborted with the call, follows no redirect, and limits the size of an answer. */
function boundedFetch(signal: AbortSignal): typeof fetch {
  return async (url, init) => {
    const signals = init?.signal ? [signal, init.signal] : [signal]
    const response = await tracedFetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    })
    const headers = new Headers(response.headers)
    // The SDK prints such notices to the console.
    headers.delete('stripe-notice')
    return new Response(await boundedBody(response), { status: response.status, headers })
  }
}

function tracedFetch(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const method = init?.method ?? 'GET'
  const whom = { 'server.address': new URL(String(url)).host, 'http.request.method': method }
  return traced(method, { kind: 'client', attributes: whom }, async (span) => {
    const response = await fetch(url, init)
    span?.set({ 'http.response.status_code': response.status })
    return response
  })
}

async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!response.body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
