import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type AdminInvoice = components['schemas']['AdminInvoice']

export const invoice = (id: string) =>
  read(['admin', 'invoices', id], (signal) =>
    client.GET('/v1/admin/invoices/{id}', { params: { path: { id } }, signal }),
  )

export const customer = (id: string) =>
  read(['admin', 'people', id], (signal) =>
    client.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal }),
  )

export const order = (id: string) =>
  read(['admin', 'orders', id], (signal) =>
    client.GET('/v1/admin/orders/{id}', { params: { path: { id } }, signal }),
  )

export const gateways = read(['admin', 'gateways', 'all'], (signal) =>
  client.GET('/v1/admin/gateways', { params: { query: { limit: 100 } }, signal }),
)

export const bankEntry = (id: string) =>
  read(['admin', 'bank-entries', id], (signal) =>
    client.GET('/v1/admin/bank-entries/{id}', { params: { path: { id } }, signal }),
  )
