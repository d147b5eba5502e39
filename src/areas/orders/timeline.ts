import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** What a person ordered, and what became of it. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const orders = db
    .selectFrom('orders.orders')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const detail = sql.ref<string>('number')
  return [
    orders.select(moment('orders.placed', { at: 'createdAt', detail })),
    orders.select(moment('orders.paid', { at: 'paidAt', detail })),
    orders.select(moment('orders.fulfilled', { at: 'fulfilledAt', detail })),
    orders.select(moment('orders.canceled', { at: 'canceledAt', detail })),
  ]
}
