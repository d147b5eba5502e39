import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type AdminInvoice = components['schemas']['AdminInvoice']

export const invoice = (id: string) =>
  read(['admin', 'invoices', id], (signal) =>
    client.GET('/v1/admin/invoices/{id}', { params: { path: { id } }, signal }),
  )

export const bankEntry = (id: string) =>
  read(['admin', 'bank-entries', id], (signal) =>
    client.GET('/v1/admin/bank-entries/{id}', { params: { path: { id } }, signal }),
  )
