import { createHmac } from 'node:crypto'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'

type Signed = { id: string; body: string; keys: readonly Buffer[]; at: Instant }

/**
 * The headers of Standard Webhooks: the message's id, the time of this attempt in whole seconds,
 * and for every key an HMAC-SHA256 over both and the body, separated by spaces.
 */
export function signatureHeaders({ id, body, keys, at }: Signed): Record<string, string> {
  const timestamp = Math.floor(millis(at) / SECOND_MS)
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
