import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'
import type { Tone } from '../../../ui/index.ts'

export type Affiliate = components['schemas']['Affiliate']
export type Commission = components['schemas']['Commission']

export const AFFILIATE_TONES: Readonly<Record<Affiliate['status'], Tone>> = {
  ...{ active: 'active', suspended: 'attention', closed: 'ended' },
}

export const affiliate = (id: string) =>
  read(['admin', 'affiliates', id], (signal) =>
    client.GET('/v1/admin/affiliates/{id}', { params: { path: { id } }, signal }),
  )
