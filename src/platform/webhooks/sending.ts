import type { Readable } from 'node:stream'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import type { Deps } from '../deps.ts'
import { OutboundError, type OutboundErrorKind } from '../outbound.ts'
import { isUnencrypted } from './address.ts'
import { signatureHeaders } from './signature.ts'

/** The outcome of one attempt. */
export type Outcome = {
  ok: boolean
  statusCode: number | null
  error: OutboundErrorKind | 'status' | 'redirect' | 'secret_lost' | null
  responseBody: string | null
  durationMs: number
  /** How long an overloaded receiver asked to wait; null if it did not. */
  retryAfterMs: number | null
}

/** The beginning of a response, and whether it came from a private network. */
export type Answer = { readonly text: string | null; readonly isPrivate: boolean }

const TIMEOUT_MS = 15 * SECOND_MS
const OVERLOADED = new Set([429, 503])

type Sender = Pick<Deps, 'outbound' | 'config'>
type Brought = Omit<Outcome, 'durationMs' | 'responseBody'>

type Message = {
  readonly tenantId: string
  readonly url: string
  /** The id of the message, the same at every attempt. */
  readonly id: string
  readonly body: string
  /** Opens the keys for the signature; throws if the installation's key that sealed them is missing. */
  readonly keys: () => readonly Buffer[]
  /** How many bytes of the response are read. */
  readonly keptBytes: number
}

/**
 * Posts a message once, signed at `now` according to Standard Webhooks, and returns the outcome, with the
 * beginning of the response. Any 2xx means it was delivered; redirects are not followed, and count as
 * failures like everything else. Never throws because of the receiver.
 */
export async function post(
  sender: Sender,
  message: Message,
  now: Instant,
): Promise<Omit<Outcome, 'responseBody'> & Answer> {
  const startMs = performance.now()
  const brought = await tryPosting(sender, message, now)
  return { ...brought, durationMs: Math.round(performance.now() - startMs) }
}

async function tryPosting(
  sender: Sender,
  { tenantId, url, id, body, keys, keptBytes }: Message,
  now: Instant,
): Promise<Brought & Answer> {
  const outbound = sender.outbound.for({ tenantId, purpose: 'webhook' })
  const signing = opened(keys)
  if (!signing) return failedBy('secret_lost')
  if (await isUnencrypted(url, outbound)) return failedBy('refused_address')
  try {
    const bytes = Buffer.from(body)
    const answer = await outbound.pass({
      ...{ url, method: 'POST', timeoutMs: TIMEOUT_MS, body: once(bytes) },
      headers: {
        'content-type': 'application/json',
        'user-agent': `Moorage/${sender.config.version}`,
        ...signatureHeaders({ id, body, keys: signing, at: now }),
        'content-length': String(bytes.length),
      },
    })
    const { status, headers: answered, isPrivate } = answer
    const text = await beginningOf(answer.body, keptBytes)
    const ok = status >= 200 && status < 300
    return {
      ...{ ok, statusCode: status, text, isPrivate, error: ok ? null : faultOf(status) },
      retryAfterMs: OVERLOADED.has(status) ? retryAfterMs(answered['retry-after'], now) : null,
    }
  } catch (error) {
    if (error instanceof OutboundError) return failedBy(error.kind)
    throw error
  }
}

function failedBy(error: NonNullable<Outcome['error']>): Brought & Answer {
  const nothing = { statusCode: null, text: null, isPrivate: false, retryAfterMs: null }
  return { ok: false, error, ...nothing }
}

function faultOf(status: number): 'redirect' | 'status' {
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

function opened(keys: Message['keys']): readonly Buffer[] | null {
  try {
    return keys()
  } catch {
    return null
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The wait that a `Retry-After` requests: seconds, or a date; null for anything else. */
export function retryAfterMs(header: string | undefined, now: Instant): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - millis(now))
}

/** The first bytes of a response as text. If the rest breaks off, the status still counts. */
export async function beginningOf(body: Readable, keptBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= keptBytes) break
    }
  } catch {
    // The bytes received so far are used.
  }
  body.destroy()
  // PostgreSQL cannot store NUL in a text.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\ufffd')
}
