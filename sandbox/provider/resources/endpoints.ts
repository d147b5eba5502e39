import type Stripe from 'stripe'
import { invalid, noSuch } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, randomText, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { WebhookEndpoint } from '../store.ts'

const MOST = 16

function create(sandbox: Sandbox, params: Stripe.WebhookEndpointCreateParams): WebhookEndpoint {
  const { store } = sandbox
  assertUrl(params.url)
  assertTypes(params.enabled_events)
  if (store.endpoints.size >= MOST) {
    throw invalid(`You have reached the maximum of ${MOST} test webhook endpoints.`)
  }
  const endpoint = resource<WebhookEndpoint>('WebhookEndpoint', {
    ...born(sandbox),
    id: newId('we'),
    api_version: params.api_version ?? null,
    description: params.description || null,
    enabled_events: params.enabled_events,
    metadata: mergedMetadata(null, params.metadata),
    secret: `whsec_${randomText(32)}`,
    status: 'enabled',
    url: params.url,
  })
  store.endpoints.set(endpoint.id, endpoint)
  return endpoint
}

function assertUrl(text: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid('Invalid URL: an address with http or https is required.', {
      param: 'url',
      code: 'url_invalid',
    })
  }
}

function assertTypes(types: readonly string[]): void {
  if (types.length === 0) {
    throw invalid('At least one event type is required.', { param: 'enabled_events' })
  }
}

function findEndpoint({ store }: Sandbox, id: string): WebhookEndpoint {
  const endpoint = store.endpoints.get(id)
  if (!endpoint) throw noSuch('webhook endpoint', id)
  return endpoint
}

/** The secret is in the answer that made it, and never again. */
function withoutSecret({ secret: _, ...endpoint }: WebhookEndpoint) {
  return endpoint
}

function retrieve(sandbox: Sandbox, _params: object, id: string): object {
  return withoutSecret(findEndpoint(sandbox, id))
}

function update(sandbox: Sandbox, params: Stripe.WebhookEndpointUpdateParams, id: string): object {
  const endpoint = findEndpoint(sandbox, id)
  const { url, enabled_events: types, disabled, description, metadata } = params
  if (url !== undefined) assertUrl(url)
  if (types !== undefined) assertTypes(types)
  Object.assign(endpoint, unsetEmpty({ description }))
  if (url !== undefined) endpoint.url = url
  if (types !== undefined) endpoint.enabled_events = types
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled'
  endpoint.metadata = mergedMetadata(endpoint.metadata, metadata)
  return withoutSecret(endpoint)
}

function remove(sandbox: Sandbox, _params: object, id: string): object {
  findEndpoint(sandbox, id)
  sandbox.store.endpoints.delete(id)
  sandbox.store.modes.delete(id)
  return { id, object: 'webhook_endpoint', deleted: true }
}

function list({ store }: Sandbox, params: Stripe.WebhookEndpointListParams): object {
  const rows = [...store.endpoints.values()].map(withoutSecret)
  return listOf(rows, { url: '/v1/webhook_endpoints', page: params })
}

export const endpointOperations: Operations = {
  'GET /v1/webhook_endpoints': operation(list),
  'POST /v1/webhook_endpoints': operation(create),
  'GET /v1/webhook_endpoints/{webhook_endpoint}': operation(retrieve),
  'POST /v1/webhook_endpoints/{webhook_endpoint}': operation(update),
  'DELETE /v1/webhook_endpoints/{webhook_endpoint}': operation(remove),
}
