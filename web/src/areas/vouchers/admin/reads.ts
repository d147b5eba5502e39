import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type Batch = components['schemas']['VoucherBatch']
export type Voucher = components['schemas']['Voucher']

/** The first part of the keys of all reads of vouchers by staff. */
const NAME = 'admin-vouchers'
export const CHANGES = [[NAME]] as const

export const batchesKey = [NAME, 'batches'] as const
export const vouchersKey = (batchId: string, query: object) =>
  [NAME, 'vouchers', batchId, query] as const

export const batch = (id: string) =>
  read([NAME, 'batch', id], (signal) =>
    client.GET('/v1/admin/vouchers/batches/{id}', { params: { path: { id } }, signal }),
  )
