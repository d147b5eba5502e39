import { client, read } from '../../../api/client.ts'

/** Brand, seller and domains of this shop. */
export const shop = read(['shop'], (signal) => client.GET('/v1/admin/shop', { signal }))

/** The requirements that the shop must meet before it can open. */
export const readiness = read(['admin', 'readiness'], (signal) =>
  client.GET('/v1/admin/readiness', { signal }),
)
