import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { findProduct, serviceFormOf } from '#store'
import type { ServiceRow } from '../queries.ts'
import { serviceOptionsOf } from './view.ts'

/** The options that a service has and may have. */
export async function optionsOfService(
  db: Db,
  service: ServiceRow,
  reader: { readonly isStaff: boolean; readonly locale: string | null },
  now: Instant,
) {
  const { tenantId, userId, productId, interval, intervalCount, currency, components } = service
  const product = await findProduct(db, { tenantId, id: productId })
  const terms = { interval, intervalCount, currency }
  const asked = product && { tenantId, userId, product, terms, kept: components, ...reader }
  const { options = [], valueKeys = new Map<string, string>() } = asked
    ? await serviceFormOf(db, asked, now)
    : {}
  return serviceOptionsOf(service, options, valueKeys)
}
