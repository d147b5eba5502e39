import type { webhooks } from './api.ts'

/** A message that the shop sends, by its `type`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } }
  }
    ? Event
    : never
}[keyof webhooks]

export type ReceivedWebhook = {
  /** The body as it came, before anything parsed it. */
  readonly body: string
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** What the shop answered when the endpoint was made: `whsec_…`. */
  readonly secret: string
  /** The instant to judge the timestamp by. Default: now. */
  readonly now?: Date
}

/** A message that does not come from the shop, or came too late. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const TOLERANCE_MS = 5 * 60_000

/**
 * Checks the signature and the time of a webhook (Standard Webhooks) and answers its event. A message may
 * come twice: remember its `webhook-id`. Throws `WebhookError`.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, secret, now = new Date() } = received
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN
  if (!(Math.abs(now.getTime() - sentMs) <= TOLERANCE_MS)) {
    throw new WebhookError('The timestamp is missing or more than five minutes away.')
  }
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version !== 'v1') continue
    if (await crypto.subtle.verify('HMAC', key, bytesOf(value), content)) return JSON.parse(body)
  }
  throw new WebhookError('No signature fits the message.')
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}

/** What base64 says; nothing for what is no base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
