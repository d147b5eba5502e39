import Stripe from 'stripe'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import type { EventEnvelope, GatewayContext, RawWebhook } from '../contract.ts'
import { GatewayError } from '../error.ts'
import { everyOf, type StripeApi } from './client.ts'
import { isSigned } from './signature.ts'
import { instantOf } from './snapshots.ts'

/** All events that `observe` understands and that an endpoint is subscribed to. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.requires_action',
  'payment_intent.processing',
  'payment_intent.canceled',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'customer.updated',
  'customer.deleted',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'mandate.updated',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[]

// The most types by which Stripe's list of events can be filtered.
const TYPES_PER_LIST = 20

/** Verifies that a message is signed with one of the stored secrets, and reads it. */
export function receiveWebhook(context: GatewayContext, request: RawWebhook): EventEnvelope[] {
  const { webhookSecret = '', webhookSecretPrevious = '' } = context.secrets
  const secrets = [webhookSecret, webhookSecretPrevious].filter((secret) => secret.trim() !== '')
  if (secrets.length === 0) {
    throw new GatewayError('not_found', 'No webhook secret is stored for this gateway.')
  }
  const header = request.headers['stripe-signature'] ?? ''
  const { body, receivedAt } = request
  if (!isSigned({ header, body, receivedAt }, secrets)) {
    throw new GatewayError('webhook_rejected', 'The signature does not fit.')
  }
  const event = parseEvent(Buffer.from(body).toString('utf8'))
  if (!event) throw new GatewayError('webhook_rejected', 'The message is no event.')
  return [envelopeOf(event)]
}

function parseEvent(text: string): Stripe.Event | undefined {
  try {
    return eventIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The event in an untrusted payload; undefined if it is not an event. */
export function eventIn(payload: unknown): Stripe.Event | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const { id, object, type, created, data } = payload as Partial<Stripe.Event>
  const named = typeof id === 'string' && id.startsWith('evt_') && object === 'event'
  const timed = typeof type === 'string' && Number.isSafeInteger(created)
  const filled = typeof data?.object === 'object' && data.object !== null
  return named && timed && filled ? (payload as Stripe.Event) : undefined
}

function envelopeOf(event: Stripe.Event): EventEnvelope {
  const { id: objectId } = event.data.object as { id?: unknown }
  return {
    eventKey: event.id,
    type: event.type,
    ...(typeof objectId === 'string' && { objectId }),
    ...(event.api_version && { apiVersion: event.api_version }),
    occurredAt: instantOf(event.created),
    mode: event.livemode ? 'live' : 'test',
    payload: event,
  }
}

/** Stripe's own log of the events we use; it reaches back 30 days. */
export async function* listChanges(api: StripeApi, since: Instant): AsyncGenerator<EventEnvelope> {
  const created = { gte: Math.floor(millis(since) / SECOND_MS) }
  for (let first = 0; first < EVENT_TYPES.length; first += TYPES_PER_LIST) {
    const types = EVENT_TYPES.slice(first, first + TYPES_PER_LIST)
    const events = api.list('event', (sdk, page) => sdk.events.list({ ...page, created, types }))
    for await (const event of events) yield envelopeOf(event)
  }
}

/**
 * Registers our address, for exactly our events, in the version this code reads. An endpoint that
 * matches, and whose secret we have, is kept and all others of this gateway are removed; otherwise
 * a new one is created beside them, so no event is lost before its secret is stored.
 */
export async function ensureWebhook(
  api: StripeApi,
): Promise<{ endpointId: string; newSecret?: string }> {
  const { webhookUrl, webhookEndpointId, secrets } = api.context
  const ours = await everyOf(ownEndpoints(api))
  const kept = ours.find(({ id }) => id === webhookEndpointId)
  if (!kept || !secrets.webhookSecret || !fits(kept, webhookUrl)) return createEndpoint(api)
  if (!hasOurEvents(kept)) {
    await api.write('webhook_endpoint', (sdk) =>
      sdk.webhookEndpoints.update(kept.id, { enabled_events: [...EVENT_TYPES] }),
    )
  }
  for (const { id } of ours) {
    if (id !== kept.id) await removeEndpoint(api, id)
  }
  return { endpointId: kept.id }
}

async function* ownEndpoints(api: StripeApi): AsyncGenerator<Stripe.WebhookEndpoint> {
  const { installationId, gatewayId } = api.context
  const endpoints = api.list('webhook_endpoint', (sdk, page) => sdk.webhookEndpoints.list(page))
  for await (const endpoint of endpoints) {
    const { installation_id, gateway_id } = endpoint.metadata
    if (installation_id === installationId && gateway_id === gatewayId) yield endpoint
  }
}

function fits({ url, status, api_version }: Stripe.WebhookEndpoint, webhookUrl: string): boolean {
  return url === webhookUrl && status === 'enabled' && api_version === Stripe.API_VERSION
}

function hasOurEvents({ enabled_events: enabled }: Stripe.WebhookEndpoint): boolean {
  return enabled.length === EVENT_TYPES.length && EVENT_TYPES.every((it) => enabled.includes(it))
}

/** Without an idempotency key: a replay could return an endpoint that was removed since. */
async function createEndpoint(api: StripeApi): Promise<{ endpointId: string; newSecret: string }> {
  const { webhookUrl, installationId, gatewayId } = api.context
  const endpoint = await api.write('webhook_endpoint', (sdk) =>
    sdk.webhookEndpoints.create({
      url: webhookUrl,
      enabled_events: [...EVENT_TYPES],
      api_version: Stripe.API_VERSION,
      metadata: { installation_id: installationId, gateway_id: gatewayId },
    }),
  )
  if (!endpoint.secret) throw new GatewayError('unknown_outcome', 'Stripe: no webhook secret came.')
  return { endpointId: endpoint.id, newSecret: endpoint.secret }
}

async function removeEndpoint(api: StripeApi, id: string): Promise<void> {
  try {
    await api.write('webhook_endpoint', (sdk) => sdk.webhookEndpoints.del(id))
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
  }
}
