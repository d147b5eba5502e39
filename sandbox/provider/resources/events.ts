import type Stripe from 'stripe'
import { noSuch } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, newId, type Sandbox } from '../sandbox.ts'
import { API_VERSION } from '../schema/document.ts'
import { resource } from '../schema/resource.ts'
import type { Event, WebhookEndpoint } from '../store.ts'

export type EventType = Event['type']

/** Writes an event with a copy of the object as it is now; its delivery follows the request. */
export function announce(
  sandbox: Sandbox,
  type: EventType,
  object: object,
  previous?: object,
): void {
  const { store, request } = sandbox
  const event = resource<Event>('Event', {
    ...born(sandbox),
    id: newId('evt'),
    api_version: API_VERSION,
    type,
    request: request ?? { id: null, idempotency_key: null },
    pending_webhooks: [...store.endpoints.values()].filter((it) => wants(it, type)).length,
    data: structuredClone({ object, ...(previous && { previous_attributes: previous }) }),
  })
  store.events.set(event.id, event)
  sandbox.announced.push(event.id)
}

/** Whether an endpoint is on and asked for events of this type. */
export function wants(endpoint: WebhookEndpoint, type: string): boolean {
  const { status, enabled_events: types } = endpoint
  return status === 'enabled' && (types.includes('*') || types.includes(type))
}

function retrieve({ store }: Sandbox, _params: object, id: string): Event {
  const event = store.events.get(id)
  if (!event) throw noSuch('event', id)
  return event
}

function list({ store }: Sandbox, params: Stripe.EventListParams): object {
  const { type, types, created, delivery_success: delivered } = params
  const rows = [...store.events.values()].filter(
    (it) =>
      isOfType(it.type, type ? [type] : types) &&
      (delivered === undefined || (it.pending_webhooks === 0) === delivered),
  )
  return listOf(rows, { url: '/v1/events', page: params, ...(created && { created }) })
}

/** `charge.*` stands for all types that begin so. */
function isOfType(type: string, wanted: readonly string[] | undefined): boolean {
  if (!wanted) return true
  return wanted.some((it) => it === type || (it.endsWith('*') && type.startsWith(it.slice(0, -1))))
}

export const eventOperations: Operations = {
  'GET /v1/events': operation(list),
  'GET /v1/events/{id}': operation(retrieve),
}
