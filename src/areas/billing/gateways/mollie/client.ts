import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { SECOND_MS } from '#lib/time.ts'
import { OutboundError, type OutboundRequest } from '#platform/outbound.ts'
import type { GatewayContext } from '../contract.ts'
import { GatewayError, type GatewayErrorKind, KeyForOtherMode } from '../error.ts'
import type { Correlation } from '../snapshots.ts'
import { List } from './schema.ts'

const TIMEOUT_MS = 20 * SECOND_MS
const PAGE_SIZE = 250
const LONGEST_DETAIL = 300

/** Where the driver sends requests. */
export interface MollieTarget {
  readonly driver: string
  /** Protocol, host and port, without a trailing slash. */
  readonly baseUrl: string
  /** Rejects live gateways and live keys. */
  readonly testOnly: boolean
}

type Write = { readonly idempotencyKey?: string; readonly body?: object }

/** Mollie's API during one call; validates every answer and converts every error. */
export interface MollieApi {
  readonly context: GatewayContext
  read<S extends TSchema>(path: string, schema: S): Promise<Static<S>>
  write<S extends TSchema>(
    method: 'POST' | 'PATCH',
    path: string,
    schema: S,
    what: Write,
  ): Promise<Static<S>>
  remove(path: string, idempotencyKey?: string): Promise<void>
  /** All pages of a list, newest first. */
  list<S extends TSchema>(path: string, name: string, schema: S): AsyncGenerator<Static<S>>
}

/** Throws `credentials` if the stored key does not match the gateway's mode, before any request. */
export function connect(target: MollieTarget, context: GatewayContext): MollieApi {
  assertKeyFits(target, context)
  const root = `${target.baseUrl}/v2/`

  async function call(
    method: NonNullable<OutboundRequest['method']>,
    path: string,
    { idempotencyKey, body }: Write = {},
  ): Promise<unknown> {
    const kind = method === 'GET' ? 'read' : 'write'
    const headers: Record<string, string> = {
      authorization: `Bearer ${context.secrets.apiKey}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    const request = { url: `${root}${path}`, method, headers, timeoutMs: TIMEOUT_MS }
    const sent = body ? { ...request, body: JSON.stringify(body) } : request
    try {
      const {
        status,
        headers: told,
        text,
      } = await context.request({
        ...sent,
        signal: context.signal,
      })
      if (status === 204) return null
      const answer = parsed(text)
      if (status >= 200 && status < 300 && answer !== undefined) return answer
      throw refusalOf({ status, answer, retryAfter: told['retry-after'] }, kind)
    } catch (error) {
      throw failedCall(error, kind)
    }
  }

  async function checked<S extends TSchema>(
    kind: CallKind,
    schema: S,
    answer: Promise<unknown>,
  ): Promise<Static<S>> {
    const value = await answer
    if (!Value.Check(schema, value)) throw noAnswer(kind, 'the answer is not what was asked for')
    return value as Static<S>
  }

  return {
    context,
    read: (path, schema) => checked('read', schema, call('GET', path)),
    write: (method, path, schema, what) => checked('write', schema, call(method, path, what)),
    async remove(path, idempotencyKey) {
      await call('DELETE', path, idempotencyKey ? { idempotencyKey } : {})
    },
    async *list(path, name, schema) {
      let next: string | undefined = `${path}?limit=${PAGE_SIZE}`
      while (next !== undefined) {
        const page: Static<typeof List> = await checked('read', List, call('GET', next))
        for (const item of page._embedded[name] ?? []) {
          if (!Value.Check(schema, item)) throw noAnswer('read', `the list holds no ${name}`)
          yield item as Static<typeof schema>
        }
        next = pathIn(root, page._links.next?.href)
      }
    },
  }
}

/** The path of the next page, only if its address is Mollie's own. */
function pathIn(root: string, href: string | undefined): string | undefined {
  if (href === undefined) return undefined
  const { pathname, search } = new URL(href)
  if (!pathname.startsWith('/v2/')) throw noAnswer('read', 'the next page is not in the API')
  return new URL(`${pathname}${search}`, root).href.slice(root.length)
}

/** A failed read changed nothing; a failed write may have happened all the same. */
export type CallKind = 'read' | 'write'

/** The error for a call without an answer, or with one that did not come from Mollie. */
export function noAnswer(call: CallKind, what: string): GatewayError {
  const kind = call === 'write' ? 'unknown_outcome' : 'unavailable'
  return new GatewayError(kind, `Mollie: ${what}.`)
}

function failedCall(error: unknown, kind: CallKind): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof OutboundError && !error.sent) {
    return noAnswer('read', 'it could not be reached')
  }
  return noAnswer(kind, 'no usable answer')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Refusal = { status: number; answer: unknown; retryAfter: string | undefined }
type Told = { title?: unknown; detail?: unknown; field?: unknown }

const KINDS: Readonly<Record<number, GatewayErrorKind>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
  409: 'in_progress',
  410: 'not_found',
  429: 'rate_limited',
}

function refusalOf({ status, answer, retryAfter }: Refusal, call: CallKind): GatewayError {
  const { title, detail, field } = (answer ?? {}) as Told
  // A proxy's page is not Mollie's JSON: it decides nothing.
  if (status >= 500 || status < 400 || typeof title !== 'string') {
    return noAnswer(call, `no usable answer (${status})`)
  }
  const seconds = Number(retryAfter)
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND_MS : undefined
  const text = String(detail ?? title).slice(0, LONGEST_DETAIL)
  return new GatewayError(kindOf(status, field), `Mollie: ${text}`, {
    providerCode: typeof field === 'string' ? `${status} ${field}` : String(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function kindOf(status: number, field: unknown): GatewayErrorKind {
  const known = KINDS[status]
  if (known) return known
  if (status === 422 && typeof field === 'string') {
    if (field.startsWith('amount')) return 'amount_not_allowed'
    if (field === 'mandateId') return 'method_gone'
  }
  return 'invalid_request'
}

function assertKeyFits({ driver, testOnly }: MollieTarget, context: GatewayContext): void {
  const key = context.secrets.apiKey ?? ''
  if (testOnly && context.mode !== 'test') {
    throw new GatewayError('credentials', `A ${driver} gateway takes mode test.`)
  }
  if (!key.startsWith(`${context.mode}_`)) {
    const other = context.mode === 'test' ? 'live' : 'test'
    throw new KeyForOtherMode(
      `The gateway's mode is ${context.mode}, and the API key is not a ${context.mode} key: it must begin with ${context.mode}_. Use such a key, or set mode to ${other} for a ${other} key.`,
    )
  }
}

/** Our ids as Mollie stores them on a payment or refund. */
export function metadataOf(correlation: Correlation): Record<string, string> {
  return {
    installation_id: correlation.installationId,
    tenant_id: correlation.tenantId,
    gateway_id: correlation.gatewayId,
    attempt_id: correlation.attemptId,
    ...(correlation.invoiceId && { invoice_id: correlation.invoiceId }),
  }
}

/** Our part of the metadata of one of Mollie's objects; others may store anything in it. */
export function ownMetadata(metadata: unknown): Readonly<Record<string, string>> {
  if (typeof metadata !== 'object' || metadata === null) return {}
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => typeof value === 'string'),
  ) as Record<string, string>
}
