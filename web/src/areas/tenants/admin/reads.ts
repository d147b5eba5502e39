import { client, read } from '../../../api/client.ts'

/** Brand, seller and domains of this shop. */
export const shop = read(['shop'], (signal) => client.GET('/v1/admin/shop', { signal }))
