import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** What became of a person's services, and which ones were shared with them. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const services = db
    .selectFrom('services.services')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const detail = sql.ref<string>('name')
  const shared = db
    .selectFrom('services.members')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
  return [
    services.select(moment('services.made', { at: 'createdAt', detail })),
    services.select(moment('services.activated', { at: 'activatedAt', detail })),
    services.select(moment('services.failed', { at: 'failedAt', detail: sql.ref('failureCode') })),
    services.select(moment('services.suspended', { at: 'suspendedAt', detail })),
    services.select(moment('services.ended', { at: 'endedAt', detail: sql.ref('endReason') })),
    shared.select(moment('services.joined', { at: 'createdAt', id: 'serviceId' })),
  ]
}
