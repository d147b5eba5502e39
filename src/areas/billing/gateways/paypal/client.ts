import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { OutboundError, type OutboundRequest, type OutboundResponse } from '#platform/outbound.ts'
import type { GatewayContext } from '../contract.ts'
import { GatewayError } from '../error.ts'
import { noAnswer, refusalOf } from './errors.ts'
import { Token } from './schema.ts'

const TIMEOUT_MS = 20 * SECOND_MS
/** A token is not used any more this long before it expires. */
const TOKEN_MARGIN_MS = 120 * SECOND_MS
const MOST_TOKENS = 500

/** Where the driver sends requests in each mode. */
export interface PaypalTarget {
  readonly driver: string
  /** Protocol, host and port, without a trailing slash. */
  readonly baseUrlFor: (mode: GatewayContext['mode']) => string
  /** Origins allowed for the certificates that messages are signed with. */
  readonly certificateOrigins: readonly string[]
  /** Rejects live gateways. */
  readonly testOnly: boolean
  readonly tokens: Map<string, AccessToken>
}

export type AccessToken = { token: string; appId: string | null; until: Instant }

type Write = { readonly idempotencyKey?: string; readonly body?: object }
type Method = NonNullable<OutboundRequest['method']>

/** PayPal's API during one call; validates every answer and converts every error. */
export interface PaypalApi {
  readonly context: GatewayContext
  readonly target: PaypalTarget
  accessToken(): Promise<AccessToken>
  read<S extends TSchema>(path: string, schema: S): Promise<Static<S>>
  write<S extends TSchema>(path: string, schema: S, what: Write): Promise<Static<S>>
  /** Sends a request whose answer is not read. */
  send(method: 'PATCH' | 'DELETE', path: string, body?: object): Promise<void>
}

/** Throws `credentials` for a live gateway of a stand-in, before any request. */
export function connect(target: PaypalTarget, context: GatewayContext): PaypalApi {
  if (target.testOnly && context.mode !== 'test') {
    throw new GatewayError('credentials', `A ${target.driver} gateway takes mode test.`)
  }
  const baseUrl = target.baseUrlFor(context.mode)

  async function exchange(request: Omit<OutboundRequest, 'signal'>, write: boolean) {
    try {
      return await context.request({ ...request, timeoutMs: TIMEOUT_MS, signal: context.signal })
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (error instanceof OutboundError && !error.sent) {
        throw noAnswer(false, 'it could not be reached')
      }
      throw noAnswer(write, 'no usable answer')
    }
  }

  /** A token is shared by gateways with the same credentials, until shortly before it expires. */
  async function accessToken(): Promise<AccessToken> {
    const { clientId = '', clientSecret = '' } = context.secrets
    const digest = createHash('sha256').update(JSON.stringify([baseUrl, clientId, clientSecret]))
    const key = digest.digest('hex')
    const realNow = new Date(Date.now()).toISOString()
    const known = target.tokens.get(key)
    if (known && known.until > realNow) return known
    const authorization = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const response = await exchange(
      {
        url: `${baseUrl}/v1/oauth2/token`,
        method: 'POST',
        headers: {
          authorization: `Basic ${authorization}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: 'grant_type=client_credentials',
      },
      false,
    )
    if (response.status === 401 || response.status === 400) {
      throw new GatewayError('credentials', 'PayPal: it does not accept these credentials.')
    }
    const answer = parsed(response.text)
    if (response.status !== 200 || !Value.Check(Token, answer)) throw refusalOf(response, false)
    const { access_token: token, expires_in: seconds, app_id: appId }: Static<typeof Token> = answer
    const until = later(realNow as Instant, seconds * SECOND_MS - TOKEN_MARGIN_MS)
    // The oldest token is dropped: a new one is requested when it is needed.
    const [oldest] = target.tokens.keys()
    if (target.tokens.size >= MOST_TOKENS && oldest) target.tokens.delete(oldest)
    const made = { token, appId: appId ?? null, until }
    target.tokens.set(key, made)
    return made
  }

  async function call(method: Method, path: string, { idempotencyKey, body }: Write = {}) {
    const { token } = await accessToken()
    const write = method !== 'GET'
    const response = await exchange(
      {
        url: `${baseUrl}${path}`,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          prefer: 'return=representation',
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'paypal-request-id': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      write,
    )
    // Revoked before its time: the next call gets a new one.
    if (response.status === 401) forget(token)
    return response
  }

  function forget(token: string): void {
    for (const [key, known] of target.tokens) if (known.token === token) target.tokens.delete(key)
  }

  async function checked<S extends TSchema>(
    schema: S,
    write: boolean,
    response: OutboundResponse,
  ): Promise<Static<S>> {
    const answer = parsed(response.text)
    if (response.status < 200 || response.status > 299) throw refusalOf(response, write)
    if (!Value.Check(schema, answer)) {
      throw noAnswer(write, 'the answer is not what was asked for')
    }
    return answer as Static<S>
  }

  return {
    context,
    target,
    accessToken,
    read: async (path, schema) => checked(schema, false, await call('GET', path)),
    write: async (path, schema, what) => checked(schema, true, await call('POST', path, what)),
    async send(method, path, body) {
      const response = await call(method, path, body ? { body } : {})
      if (response.status < 200 || response.status > 299) throw refusalOf(response, true)
    },
  }
}

/** The parsed JSON, or undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
