import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'

const TOLERANCE_SECONDS = 300

/** What is needed to verify that a message is authentic. */
export interface SignedMessage {
  /** The `Stripe-Signature` header. */
  readonly header: string
  /** The bytes as received. */
  readonly body: Uint8Array
  readonly receivedAt: Instant
}

/**
 * Whether one of the secrets signed a message not more than 300 seconds before or after we got it.
 * Stripe's scheme: `t=<unix seconds>,v1=<hex>`, where v1 is the HMAC-SHA256 of `t.body` under the
 * secret's text. An empty secret proves nothing, because anyone can sign with it.
 */
export function isSigned(message: SignedMessage, secrets: readonly string[]): boolean {
  const { time, signatures } = partsOf(message.header)
  if (time === undefined) return false
  const now = Math.floor(millis(message.receivedAt) / SECOND_MS)
  if (Math.abs(now - Number(time)) > TOLERANCE_SECONDS) return false
  return secrets.some((secret) => {
    if (secret.trim() === '') return false
    const expected = createHmac('sha256', secret).update(`${time}.`).update(message.body).digest()
    return signatures.some((signature) => timingSafeEqual(signature, expected))
  })
}

function partsOf(header: string): { time: string | undefined; signatures: Buffer[] } {
  const parts = header.split(',')
  const times = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? [])
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  return {
    // With two times it would be unclear which one was signed.
    time: times.length === 1 ? times[0] : undefined,
    signatures: signatures.map((hex) => Buffer.from(hex, 'hex')),
  }
}
