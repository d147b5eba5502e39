import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'

export type Shop = components['schemas']['Shop']

/** Brand, seller and domains of this shop. */
export const shop = read(['shop'], (signal) => client.GET('/v1/admin/shop', { signal }))

/** The shop as a form edits it: each of several forms edits some of its fields. */
export function editedShop<Fields>(fieldsOf: (shop: Shop) => Fields) {
  return { read: () => client.GET('/v1/admin/shop'), fieldsOf }
}
