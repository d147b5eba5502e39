import type { Db, Row, Tx } from '#platform/database/index.ts'

export type SigningKeyRow = Row<'oidc.signing_keys'>

/** All keys of a tenant, newest first. */
export function listSigningKeys(db: Db, tenantId: string): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('oidc.signing_keys')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('generation', 'desc')
    .execute()
}

/** The tenants that have keys: the others have never signed anyone in. */
export async function listTenantsWithKeys(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('oidc.signing_keys')
    .select('tenantId')
    .distinct()
    .orderBy('tenantId')
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

/** Adds a key, unless another process has just added one of the same generation. */
export async function insertSigningKey(tx: Tx, row: SigningKeyRow): Promise<void> {
  await tx
    .insertInto('oidc.signing_keys')
    .values(row)
    .onConflict((it) => it.doNothing())
    .execute()
}

export async function deleteSigningKeys(
  tx: Tx,
  tenantId: string,
  generations: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('oidc.signing_keys')
    .where('tenantId', '=', tenantId)
    .where('generation', 'in', generations)
    .execute()
}
