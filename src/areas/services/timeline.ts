import { sql } from 'kysely'
import type { TimelineObject, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** The events of a person's services, and which services were shared with them. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const shared = db
    .selectFrom('services.members')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
  return [
    ...lives(db, tenantId, { userId }),
    shared.select(moment('services.joined', { at: 'createdAt', id: 'serviceId' })),
  ]
}

/** The events of a service, or of the services of an order. */
export function objectTimeline(db: Db, { tenantId, kind, id }: TimelineObject): readonly Moments[] {
  if (kind === 'service') return lives(db, tenantId, { id })
  return kind === 'order' ? lives(db, tenantId, { orderId: id }) : []
}

type Which = { userId: string } | { orderId: string } | { id: string }

function lives(db: Db, tenantId: string, which: Which): readonly Moments[] {
  const services = db
    .selectFrom('services.services')
    .where('tenantId', '=', tenantId)
    .where((it) => it.and(which))
  const detail = sql.ref<string>('name')
  return [
    services.select(moment('services.made', { at: 'createdAt', detail })),
    services.select(moment('services.activated', { at: 'activatedAt', detail })),
    services.select(moment('services.failed', { at: 'failedAt', detail: sql.ref('failureCode') })),
    services.select(moment('services.suspended', { at: 'suspendedAt', detail })),
    services.select(moment('services.ended', { at: 'endedAt', detail: sql.ref('endReason') })),
  ]
}
