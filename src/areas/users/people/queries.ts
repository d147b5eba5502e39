import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { COLUMNS } from '../queries.ts'

/** Locks several people in the order of their ids, so that two who lock each other do not deadlock. */
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
