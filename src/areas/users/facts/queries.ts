import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

/** What another system knew of a person and has no field here, in its order. */
export function listFacts(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.facts')
    .select(['id', 'label', 'text'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('position')
    .execute()
}

/** Undefined when there is no such fact about this person. */
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
