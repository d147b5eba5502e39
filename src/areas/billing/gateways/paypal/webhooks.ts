import { verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Value } from 'typebox/value'
import type { EventEnvelope, GatewayContext, RawWebhook } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Certificates } from './certificates.ts'
import { EVENT_TYPES, envelopeOf } from './changes.ts'
import { type PaypalApi, parsed } from './client.ts'
import { Webhook, WebhookEvent, Webhooks } from './schema.ts'

const ALGORITHM = 'SHA256withRSA'

/**
 * Verifies that PayPal sent a message to one of our webhooks, and reads it. Signed are the message's
 * id, its time, the id of the webhook and a checksum of the bytes. The checksum is not a secure hash:
 * the content of a message is never trusted, only looked up.
 */
export async function receiveWebhook(
  context: GatewayContext,
  certificates: Certificates,
  { headers, body }: RawWebhook,
): Promise<readonly EventEnvelope[]> {
  const { webhookSecret = '', webhookSecretPrevious = '' } = context.secrets
  const webhookIds = [webhookSecret, webhookSecretPrevious].filter((id) => id.trim() !== '')
  if (webhookIds.length === 0) {
    throw new GatewayError('not_found', 'No webhook is registered for this gateway.')
  }
  const id = headers['paypal-transmission-id']
  const time = headers['paypal-transmission-time']
  const signature = headers['paypal-transmission-sig']
  const url = headers['paypal-cert-url']
  const known = headers['paypal-auth-algo'] === ALGORITHM
  if (!id || !time || !signature || !url || !known) throw rejected('The message is not signed.')
  const key = await certificates.keyAt(context, url)
  const bytes = Buffer.from(signature, 'base64')
  const signed = webhookIds.some((webhookId) => {
    const text = `${id}|${time}|${webhookId}|${crc32(body)}`
    return verify('RSA-SHA256', Buffer.from(text), key, bytes)
  })
  if (!signed) throw rejected('The signature does not fit.')
  const event = parsed(Buffer.from(body).toString('utf8'))
  if (!Value.Check(WebhookEvent, event)) throw rejected('The message is no event.')
  return [envelopeOf(event)]
}

function rejected(message: string): GatewayError {
  return new GatewayError('webhook_rejected', message)
}

/**
 * Registers our address for exactly our events. An account has one webhook for an address: an
 * existing one is taken over.
 */
export async function ensureWebhook(
  api: PaypalApi,
): Promise<{ endpointId: string; newSecret?: string }> {
  const { webhookUrl, webhookEndpointId, secrets } = api.context
  const { webhooks } = await api.read('/v1/notifications/webhooks', Webhooks)
  const known = webhooks.find(({ url }) => url === webhookUrl)
  if (!known) {
    const body = { url: webhookUrl, event_types: EVENT_TYPES.map((name) => ({ name })) }
    const { id } = await api.write('/v1/notifications/webhooks', Webhook, { body })
    return { endpointId: id, newSecret: id }
  }
  if (!hasOurEvents(known)) {
    const value = EVENT_TYPES.map((name) => ({ name }))
    const change = [{ op: 'replace', path: '/event_types', value }]
    await api.send('PATCH', `/v1/notifications/webhooks/${known.id}`, change)
  }
  const kept = webhookEndpointId === known.id && secrets.webhookSecret === known.id
  return { endpointId: known.id, ...(!kept && { newSecret: known.id }) }
}

function hasOurEvents({ event_types: types }: Webhook): boolean {
  const names = new Set(types.map(({ name }) => name))
  return names.size === EVENT_TYPES.length && EVENT_TYPES.every((name) => names.has(name))
}
