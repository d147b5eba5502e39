import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from './index.ts'

const HEADER = 'x-moorage-inner'
/** Only this process knows it, so only this process can make an inner call. */
const SECRET = randomBytes(32).toString('base64url')

/** A call that one of our own pages makes to the API on behalf of a browser. */
export type InnerCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** The access token of the person who views the page. */
  readonly token?: string | null
  readonly idempotencyKey?: string
  /** The language of the page, which its reader may have chosen; by default that of the browser. */
  readonly language?: string
}

export type InnerAnswer = { readonly status: number; readonly body: unknown }

/**
 * Calls the public API in this process for the request of a page: with the same hooks, checks and audit
 * as for a call from outside, and with the browser's own address, host and request id. It counts against
 * the authentication quota like any call, but not against the general one, in which the page was counted.
 */
export async function callApi(
  app: App,
  page: FastifyRequest,
  { method, path, body, token, idempotencyKey, language }: InnerCall,
): Promise<InnerAnswer> {
  const answer = await app.inject({
    method,
    url: path,
    remoteAddress: page.raw.socket.remoteAddress ?? '127.0.0.1',
    headers: {
      ...forwarded(page),
      ...(language && { 'accept-language': language }),
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      accept: 'application/json',
      'x-request-id': page.id,
      [HEADER]: SECRET,
    },
    ...(body && { payload: JSON.stringify(body) }),
  })
  const text = answer.payload
  return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) }
}

/** Whether a request was made by `callApi`. */
export function isInner({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[HEADER] === SECRET
}

const FORWARDED = [
  ...['host', 'user-agent', 'accept-language'],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
]

function forwarded({ headers }: FastifyRequest): Record<string, string | string[]> {
  return Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
