import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { COLUMNS } from '../queries.ts'

export type PeopleQuery = PageQuery & { search?: string }

/** The people of a tenant whose address or name begins with what is searched; not who is deleted. */
export function listPeople(db: Db, tenantId: string, { search, ...page }: PeopleQuery) {
  const start = search && `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const query = db
    .selectFrom('users.users')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .$if(Boolean(start), (it) =>
      it.where(({ or, eb, fn }) =>
        or([eb('email', 'like', start ?? ''), eb(fn('lower', ['name']), 'like', start ?? '')]),
      ),
    )
  return pageOf(query, page)
}

/** Locks several people in the order of their ids, so that two who lock each other do not wait for ever. */
export function lockPeople(tx: Tx, tenantId: string, ids: readonly string[]) {
  return tx
    .selectFrom('users.users')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function updateSuspension(
  tx: Tx,
  { tenantId, userId }: UserKey,
  suspendedAt: Instant | null,
): Promise<void> {
  await tx
    .updateTable('users.users')
    .set({ suspendedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}
