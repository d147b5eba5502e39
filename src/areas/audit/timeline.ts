import { sql } from 'kysely'
import type { TimelineObject, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** What a person did, and what others did to them, according to the audit log. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const entries = entriesOf(db, tenantId)
  return [
    entries.select(columns('audit.request')).where('actorId', '=', userId),
    entries
      .select(columns('audit.request-about'))
      .where('objectId', '=', userId)
      .where('actorId', 'is distinct from', userId),
  ]
}

/** Who requested a change of an object; who only looked at it is left out. */
export function objectTimeline(db: Db, { tenantId, id }: TimelineObject): readonly Moments[] {
  return [
    entriesOf(db, tenantId)
      .select(columns('audit.request'))
      .where('objectId', '=', id)
      .where('method', '<>', 'GET'),
  ]
}

function columns(kind: string) {
  return moment(kind, {
    at: 'occurredAt',
    objectId: 'objectId',
    actorId: 'whoeverId',
    detail: sql<string>`concat_ws(' ', method, route, status_code)`,
  })
}

/** If an administrator acted as the person, the administrator is the actor. */
function entriesOf(db: Db, tenantId: string) {
  return db.selectFrom((it) =>
    it
      .selectFrom('audit.entries')
      .selectAll()
      .select(({ fn }) => fn.coalesce('impersonatorId', 'actorId').as('whoeverId'))
      .where('tenantId', '=', tenantId)
      .as('entry'),
  )
}
