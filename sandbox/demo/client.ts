import http from 'node:http'
import { buffer } from 'node:stream/consumers'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the steps that use them fail when they differ
export type Answer = any

/** The service's API, as its people use it: over a connection, with a token. */
export type Api = {
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
  put(path: string, body: object): Promise<Answer>
  patch(path: string, body: object): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** The same service for somebody who has signed in. */
  as(token: string): Api
}

/** An answer that says no. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, request: string, message: string) {
    super(`${request}: ${status} ${message}`)
    this.status = status
  }
}

type Target = { url: string; host?: string; token?: string }

/** The API at an address; `host` names the shop where that is not the address itself. */
export function apiAt(target: Target): Api {
  return {
    get: (path) => call(target, 'GET', path),
    post: (path, body) => call(target, 'POST', path, body),
    put: (path, body) => call(target, 'PUT', path, body),
    patch: (path, body) => call(target, 'PATCH', path, body),
    delete: (path) => call(target, 'DELETE', path),
    as: (token) => apiAt({ ...target, token }),
  }
}

async function call(
  { url, host, token }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const { status, text } = await send(new URL(path, url), {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(host && { host }),
    },
    body: body && JSON.stringify(body),
  })
  const answer: Answer = text === '' ? null : JSON.parse(text)
  if (status < 300) return answer
  throw new Refusal(status, `${method} ${path}`, answer?.message ?? text)
}

/** Sends a form as a browser does, and answers where it is sent on to; null if it stays. */
export async function submitForm(
  url: string,
  fields: Record<string, string>,
): Promise<string | null> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  const { status, location } = await send(new URL(url), { method: 'POST', headers, body })
  if (status >= 400) throw new Refusal(status, `POST ${url}`, 'The page did not take the form.')
  return location
}

type Sent = { method: string; headers: Record<string, string>; body?: string | undefined }
type Received = { status: number; location: string | null; text: string }

// The host header names the tenant, which the built-in fetch would overwrite.
function send(url: URL, { method, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      const location = headers.location ?? null
      buffer(response).then((bytes) => resolve({ status, location, text: `${bytes}` }), reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

const LOOK_MS = 50
const WAIT_MS = 60_000

/** Looks again and again until there is something. Fails with `what` after a minute. */
export async function until<T>(what: string, look: () => Promise<T | null | false>): Promise<T> {
  const endMs = performance.now() + WAIT_MS
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > endMs) throw new Error(`Waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
