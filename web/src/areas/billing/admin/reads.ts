import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type AdminInvoice = components['schemas']['AdminInvoice']
export type Gateway = components['schemas']['Gateway']
export type GatewayDriver = components['schemas']['GatewayDriver']

export const invoice = (id: string) =>
  read(['admin', 'invoices', id], (signal) =>
    client.GET('/v1/admin/invoices/{id}', { params: { path: { id } }, signal }),
  )

export const bankEntry = (id: string) =>
  read(['admin', 'bank-entries', id], (signal) =>
    client.GET('/v1/admin/bank-entries/{id}', { params: { path: { id } }, signal }),
  )

export const gateway = (id: string) =>
  read(['gateways', id], (signal) =>
    client.GET('/v1/admin/gateways/{id}', { params: { path: { id } }, signal }),
  )

export const gatewayDrivers = read(['gateway-drivers'], (signal) =>
  client.GET('/v1/admin/gateway-drivers', { signal }),
)
