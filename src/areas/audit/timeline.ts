import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** What a person did, and what others did to them, as the log of requests has it. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const columns = (kind: string) =>
    moment(kind, {
      at: 'occurredAt',
      objectId: 'objectId',
      actorId: 'whoeverId',
      detail: sql<string>`concat_ws(' ', method, route, status_code)`,
    })
  // Who acts as the person is somebody else.
  const entries = db.selectFrom((it) =>
    it
      .selectFrom('audit.entries')
      .selectAll()
      .select(({ fn }) => fn.coalesce('impersonatorId', 'actorId').as('whoeverId'))
      .where('tenantId', '=', tenantId)
      .as('entry'),
  )
  return [
    entries.select(columns('audit.request')).where('actorId', '=', userId),
    entries
      .select(columns('audit.request-about'))
      .where('objectId', '=', userId)
      .where('actorId', 'is distinct from', userId),
  ]
}
