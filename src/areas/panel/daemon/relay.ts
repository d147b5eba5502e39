import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { badGateway, Problem } from '#lib/problem.ts'
import type { Outbound, OutboundPassing } from '#platform/outbound.ts'
import { OutboundError } from '#platform/outbound.ts'
import { REMOTE, type Said } from './endpoints.ts'

/** Daemons wait thirty seconds for an answer, and do not try again after that. */
const PATIENCE_MS = 25_000

/** Headers that belong to one connection only, or were written by our own proxy. */
const LEFT_OUT = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['transfer-encoding', 'content-length', 'x-request-id', 'cookie', 'forwarded', 'x-real-ip'],
  // The panel's answer is read by this process, so it must not be compressed.
  'accept-encoding',
])

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('proxy-') || name.startsWith('x-forwarded-')
}

/** The headers that are passed to the panel: all but those of this connection. */
export function onwardHeaders(headers: IncomingHttpHeaders, hasBody: boolean) {
  const length = hasBody ? headers['content-length'] : undefined
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !isLeftOut(name) ? [[name, value]] : [],
  )
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...(length !== undefined && { 'content-length': length }),
  }
}

const ANSWERED = ['content-type', 'content-length', 'retry-after', 'www-authenticate'] as const

/** The headers that are passed back from the panel. */
export function backwardHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = ANSWERED.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(kept)
}

type Relayed = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  said: Said
  headers: Record<string, string>
  body: AsyncIterable<Buffer> | null
}

/**
 * Passes a daemon's request to its panel unchanged. Throws 502 if the panel cannot be reached or
 * redirects, 504 if it is too slow; any other answer is returned.
 */
export async function relay(
  outbound: Pick<Outbound, 'pass'>,
  panelUrl: string,
  { method, said, headers, body }: Relayed,
): Promise<OutboundPassing> {
  const url = `${panelUrl}${REMOTE}${said.path}${said.query}`
  const answer = await outbound
    .pass({ url, method, headers, body, timeoutMs: PATIENCE_MS })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? problemOf(error) : error
    })
  if (answer.status < 300 || answer.status >= 400) return answer
  answer.body.destroy()
  // A daemon that followed the redirect would send its next request without the report.
  throw badGateway('The panel sends elsewhere: the address of its connection is not its own.')
}

function problemOf({ kind }: OutboundError): Problem {
  if (kind === 'timeout') return new Problem(504, 'The game panel did not answer in time.')
  return badGateway('The game panel cannot be reached.')
}

/** The body of a request as a stream; null if there is none. */
export function streamOf(body: unknown): Readable | null {
  return body instanceof Readable ? body : null
}
