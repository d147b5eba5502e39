import type { Readable } from 'node:stream'
import { type Instant, SECOND_MS } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { OutboundError } from '#platform/outbound.ts'
import { isUnencrypted, signingKeys } from '../endpoints/rules.ts'
import type { Claimed } from './queries.ts'
import { type Outcome, retryAfterMs } from './rules.ts'
import { signatureHeaders } from './signature.ts'

const TIMEOUT_MS = 15 * SECOND_MS
/** So much of an answer is read and kept; the rest is cut off. */
const KEPT_BYTES = 4096
const OVERLOADED = new Set([429, 503])

type Sender = Pick<Deps, 'outbound' | 'secrets' | 'config'>
type Brought = Omit<Outcome, 'durationMs'>

/**
 * Sends a message once, signed at `now`. Any 2xx means it arrived; redirects are not followed, and
 * are failures as everything else is. Never throws.
 */
export async function send(sender: Sender, claimed: Claimed, now: Instant): Promise<Outcome> {
  const startMs = performance.now()
  const brought = await trySending(sender, claimed, now)
  return { ...brought, durationMs: Math.round(performance.now() - startMs) }
}

async function trySending(sender: Sender, claimed: Claimed, now: Instant): Promise<Brought> {
  const { url, body, tenantId } = claimed
  const outbound = sender.outbound.for({ tenantId, purpose: 'webhook' })
  const headers = headersOf(sender, claimed, now)
  if (!headers) return failedBy('secret_lost')
  if (await isUnencrypted(url, outbound)) return failedBy('refused_address')
  try {
    const bytes = Buffer.from(body)
    const answer = await outbound.pass({
      ...{ url, method: 'POST', timeoutMs: TIMEOUT_MS, body: once(bytes) },
      headers: { ...headers, 'content-length': String(bytes.length) },
    })
    const { status, headers: answered, isPrivate } = answer
    const beginning = await beginningOf(answer.body)
    // What stands in a private network is not for everybody who may see deliveries.
    const responseBody = isPrivate ? null : beginning
    const ok = status >= 200 && status < 300
    return {
      ...{ ok, statusCode: status, responseBody, error: ok ? null : faultOf(status) },
      retryAfterMs: OVERLOADED.has(status) ? retryAfterMs(answered['retry-after'], now) : null,
    }
  } catch (error) {
    if (error instanceof OutboundError) return failedBy(error.kind)
    throw error
  }
}

function failedBy(error: NonNullable<Outcome['error']>): Brought {
  return { ok: false, statusCode: null, error, responseBody: null, retryAfterMs: null }
}

function faultOf(status: number): 'redirect' | 'status' {
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Null where the key of the installation that sealed the secret is gone. */
function headersOf({ secrets, config }: Sender, claimed: Claimed, now: Instant) {
  const { endpointId, messageId: id, body } = claimed
  try {
    const keys = signingKeys(secrets, { ...claimed, id: endpointId }, now)
    return {
      'content-type': 'application/json',
      'user-agent': `Moorage/${config.version}`,
      ...signatureHeaders({ id, body, keys, at: now }),
    }
  } catch {
    return null
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The first of an answer as text; what breaks off later changes nothing about its status. */
export async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= KEPT_BYTES) break
    }
  } catch {
    // What came is what there is.
  }
  body.destroy()
  // PostgreSQL keeps no NUL in a text.
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
}
