import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import { type Patience, patientFetch } from './retries.ts'

/** All operations of the API by method and path, with the types of what they take and answer. */
export type Moorage = Client<paths>

/** Whom requests are sent as: an API key, an access token, or a function that gives the current one. */
export type Credential = string | (() => string | null | Promise<string | null>)

export type MoorageOptions = Partial<Patience> & {
  /** The address of the shop, such as `https://shop.example.com`. */
  readonly url: string
  /** Left out, requests are anonymous. */
  readonly credential?: Credential
  /** The language of messages, as in `Accept-Language`. */
  readonly language?: string
}

/**
 * Makes a client of one shop. Each POST gets an `Idempotency-Key` unless it names one, so that what is
 * tried again takes effect once; requests that were refused for now are tried again (`retries.ts`).
 * Calls answer `{ data }` or `{ error }`; `answerOf` turns the latter into an exception.
 */
export function moorage({ url, credential, language, ...patience }: MoorageOptions): Moorage {
  const client = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: patientFetch(patience),
  })
  client.use({
    async onRequest({ request }) {
      const token = typeof credential === 'function' ? await credential() : credential
      if (token) request.headers.set('authorization', `Bearer ${token}`)
      if (language) request.headers.set('accept-language', language)
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', crypto.randomUUID())
      }
      return request
    },
  })
  return client
}
