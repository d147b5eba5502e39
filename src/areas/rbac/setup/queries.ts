import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'

export async function upsertSetup(
  tx: Tx,
  row: { tenantId: string; tokenHash: Buffer; createdAt: Instant },
): Promise<void> {
  const { tokenHash, createdAt } = row
  await tx
    .insertInto('rbac.setups')
    .values(row)
    .onConflict((it) => it.column('tenantId').doUpdateSet({ tokenHash, createdAt }))
    .execute()
}

export function findSetup(db: Db, tenantId: string) {
  return db
    .selectFrom('rbac.setups')
    .select(['tokenHash', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
}

export async function deleteSetup(tx: Tx, tenantId: string): Promise<void> {
  await tx.deleteFrom('rbac.setups').where('tenantId', '=', tenantId).execute()
}
