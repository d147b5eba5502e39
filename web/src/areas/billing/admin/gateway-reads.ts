import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type Gateway = components['schemas']['Gateway']
export type GatewayDriver = components['schemas']['GatewayDriver']

export const gateway = (id: string) =>
  read(['gateways', id], (signal) =>
    client.GET('/v1/admin/gateways/{id}', { params: { path: { id } }, signal }),
  )

export const gatewayDrivers = read(['gateway-drivers'], (signal) =>
  client.GET('/v1/admin/gateway-drivers', { signal }),
)
