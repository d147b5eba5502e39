import { sql } from 'kysely'
import type { TimelineObject, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** A person's orders, and what became of them. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  return courses(db, tenantId, { userId })
}

/** What became of an order. */
export function objectTimeline(db: Db, { tenantId, kind, id }: TimelineObject): readonly Moments[] {
  return kind === 'order' ? courses(db, tenantId, { id }) : []
}

function courses(
  db: Db,
  tenantId: string,
  which: { userId: string } | { id: string },
): readonly Moments[] {
  const orders = db
    .selectFrom('orders.orders')
    .where('tenantId', '=', tenantId)
    .where((it) => it.and(which))
  const detail = sql.ref<string>('number')
  return [
    orders.select(moment('orders.placed', { at: 'createdAt', detail })),
    orders.select(moment('orders.paid', { at: 'paidAt', detail })),
    orders.select(moment('orders.fulfilled', { at: 'fulfilledAt', detail })),
    orders.select(moment('orders.canceled', { at: 'canceledAt', detail })),
  ]
}
