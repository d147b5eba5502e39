import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

/** Facts about a person from another system that have no field in ours, in their order there. */
export function listFacts(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.facts')
    .select(['id', 'label', 'text'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('position')
    .execute()
}

/** Undefined if there is no such fact about this person. */
export function deleteFact(tx: Tx, { tenantId, userId, id }: UserKey & { id: string }) {
  return tx
    .deleteFrom('users.facts')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteFacts(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.facts')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
