import type { Readable } from 'node:stream'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import type { Deps } from '../deps.ts'
import { OutboundError, type OutboundErrorKind } from '../outbound.ts'
import { isUnencrypted } from './address.ts'
import { signatureHeaders } from './signature.ts'

/** What one try brought. */
export type Outcome = {
  ok: boolean
  statusCode: number | null
  error: OutboundErrorKind | 'status' | 'redirect' | 'secret_lost' | null
  responseBody: string | null
  durationMs: number
  /** What a receiver that is overloaded asked for; null where it did not ask. */
  retryAfterMs: number | null
}

/** The beginning of an answer, and whether it came from a private network. */
export type Answer = { readonly text: string | null; readonly isPrivate: boolean }

const TIMEOUT_MS = 15 * SECOND_MS
const OVERLOADED = new Set([429, 503])

type Sender = Pick<Deps, 'outbound' | 'config'>
type Brought = Omit<Outcome, 'durationMs' | 'responseBody'>

type Message = {
  readonly tenantId: string
  readonly url: string
  /** The id of the message, the same at every try. */
  readonly id: string
  readonly body: string
  /** Opens the keys that sign; throws where the key of the installation that sealed them is gone. */
  readonly keys: () => readonly Buffer[]
  /** So many bytes of the answer are read. */
  readonly keptBytes: number
}

/**
 * Posts a message once, signed at `now` as Standard Webhooks has it, and answers what that brought, with the
 * beginning of the answer. Any 2xx means it arrived; redirects are not followed, and are failures as
 * everything else is. Never throws for what the receiver does.
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

/** What a `Retry-After` asks for: seconds, or a date; null where it says neither. */
export function retryAfterMs(header: string | undefined, now: Instant): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - millis(now))
}

/** The first bytes of an answer as text; what breaks off later changes nothing about its status. */
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
    // What came is what there is.
  }
  body.destroy()
  // PostgreSQL keeps no NUL in a text.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\ufffd')
}
