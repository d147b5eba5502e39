import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { findProduct, serviceFormOf } from '#store'
import type { ServiceRow } from '../queries.ts'
import { offeredOn } from './quote.ts'
import { serviceOptionsOf } from './view.ts'

type Reader = { readonly isStaff: boolean; readonly locale: string | null }

/** The options that a service has and may have; on another plan, those that it would have and may have there. */
export async function optionsOfService(
  db: Db,
  service: ServiceRow,
  { planId, ...reader }: Reader & { readonly planId?: string | undefined },
  now: Instant,
) {
  const { tenantId, userId } = service
  const { product, terms, kept } = planId
    ? await onPlan(db, service, { planId, isStaff: reader.isStaff }, now)
    : await asItIs(db, service)
  const asked = product && { tenantId, userId, product, terms, kept, ...reader }
  const { options = [], valueKeys = new Map<string, string>() } = asked
    ? await serviceFormOf(db, asked, now)
    : {}
  return serviceOptionsOf(service, { kept, isPlanned: !planId }, { options, valueKeys })
}

async function asItIs(db: Db, service: ServiceRow) {
  const { tenantId, productId, interval, intervalCount, currency, components: kept } = service
  const product = await findProduct(db, { tenantId, id: productId })
  return { product, terms: { interval, intervalCount, currency }, kept }
}

async function onPlan(
  db: Db,
  service: ServiceRow,
  wanted: { readonly planId: string; readonly isStaff: boolean },
  now: Instant,
) {
  const { product, plan, components: kept } = await offeredOn(db, service, wanted, now)
  const { interval, intervalCount } = plan
  return { product, terms: { interval, intervalCount, currency: service.currency }, kept }
}
