import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import type { Tone } from '../../../ui/index.ts'

export type Affiliate = components['schemas']['Affiliate']
export type Commission = components['schemas']['Commission']
export type Rate = components['schemas']['CommissionRate']

export const AFFILIATE_TONES: Readonly<Record<Affiliate['status'], Tone>> = {
  ...{ active: 'active', suspended: 'attention', closed: 'ended' },
}

export const affiliate = (id: string) =>
  read(['admin', 'affiliates', id], (signal) =>
    client.GET('/v1/admin/affiliates/{id}', { params: { path: { id } }, signal }),
  )

/** The affiliate of a customer. */
export const referral = (id: string) =>
  read(['admin', 'referrals', 'of', id], (signal) =>
    client.GET('/v1/admin/users/{id}/referral', { params: { path: { id } }, signal }),
  )

/** The affiliate with a code; empty for an unknown one. */
export const affiliatesByCode = (code: string) =>
  read(['admin', 'affiliates', 'code', code], (signal) =>
    client.GET('/v1/admin/affiliates', { params: { query: { code } }, signal }),
  )

const products = read(['products', 'names'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

/** The products, for people who may see the catalogue; without a name, a product is shown by its id. */
export function useProducts() {
  const may = useMay()
  const known = useQuery({ ...products, enabled: may('store:read') }).data?.data ?? []
  return { known, nameOf: (id: string) => known.find((it) => it.id === id)?.name ?? id }
}
