import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

type Post = {
  headers: Record<string, string>
  body: string
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Posts a body on a connection of its own and resolves with the status of the answer; with 0 when
 * none came in time. Redirects are not followed.
 */
export function post(url: string, { headers, body, timeoutMs, signal }: Post): Promise<number> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A kept connection would break when the receiver restarts, which is what tests do.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    outgoing.on('response', (answer) => {
      answer.resume()
      answer.on('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0))
    })
    outgoing.on('error', () => resolve(0))
    outgoing.end(body)
  })
}
