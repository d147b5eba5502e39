import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** The notifications of a person. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  return [
    db
      .selectFrom('notifications.notifications')
      .select(moment('notifications.told', { at: 'createdAt', detail: sql.ref('title') }))
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId),
  ]
}
