import { createHmac } from 'node:crypto'

/**
 * The `Stripe-Signature` header of a body sent at `seconds`: scheme v1, HMAC-SHA256 over the time,
 * a dot and the body, keyed with the endpoint's secret as it stands.
 */
export function signatureOf(body: string, secret: string, seconds: number): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}
