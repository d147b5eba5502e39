import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { badGateway, Problem } from '#lib/problem.ts'
import type { Outbound, OutboundPassing } from '#platform/outbound.ts'
import { OutboundError } from '#platform/outbound.ts'
import { REMOTE, type Said } from './endpoints.ts'

/** Daemons wait thirty seconds for an answer, and do not ask again after that. */
const PATIENCE_MS = 25_000

/** What concerns one connection only, or was written by a proxy of ours. */
const LEFT_OUT = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['transfer-encoding', 'content-length', 'x-request-id', 'cookie', 'forwarded', 'x-real-ip'],
  // What comes back is read here: it must come as it is.
  'accept-encoding',
])

function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name) || name.startsWith('proxy-') || name.startsWith('x-forwarded-')
}

/** The headers that go on to the panel: all but those of this connection. */
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

/** The headers that come back from the panel. */
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
 * Says to a panel what a daemon said, as it said it. Throws 502 when the panel cannot be reached or
 * sends elsewhere, 504 when it is too slow; whatever it answers is an answer.
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
  // A daemon that followed would come back without its report.
  throw badGateway('The panel sends elsewhere: the address of its connection is not its own.')
}

function problemOf({ kind }: OutboundError): Problem {
  if (kind === 'timeout') return new Problem(504, 'The game panel did not answer in time.')
  return badGateway('The game panel cannot be reached.')
}

/** A body of a request as a stream; null for none. */
export function streamOf(body: unknown): Readable | null {
  return body instanceof Readable ? body : null
}
