import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'
import type { Tone } from '../../../ui/index.ts'

export type Endpoint = components['schemas']['WebhookEndpoint']
export type Delivery = components['schemas']['WebhookDelivery']

export const endpoint = (id: string) =>
  read(['webhooks', id], (signal) =>
    client.GET('/v1/admin/webhook-endpoints/{id}', { params: { path: { id } }, signal }),
  )

export const DELIVERY_TONES: Readonly<Record<Delivery['status'], Tone>> = {
  ...{ pending: 'waiting', held: 'attention', delivered: 'active', failed: 'failed' },
}

export function stateOf({ enabled, failingSince }: Endpoint): 'on' | 'off' | 'failing' {
  if (!enabled) return 'off'
  return failingSince ? 'failing' : 'on'
}

export const ENDPOINT_TONES = { on: 'active', off: 'ended', failing: 'failed' } as const
