import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** The notifications of a person, and the mails that staff wrote to them. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  return [
    db
      .selectFrom('notifications.notifications')
      .select(moment('notifications.told', { at: 'createdAt', detail: sql.ref('title') }))
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId),
    db
      .selectFrom('notifications.mails')
      .select(moment('notifications.mailed', { at: 'createdAt', detail: sql.ref('subject') }))
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .where('kind', '=', 'staff_message'),
  ]
}
