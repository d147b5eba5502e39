import type { Db, Row, Tx } from '#platform/database/index.ts'

export type LogoRow = Row<'tenants.logos'>

/** Keeps a logo. The same bytes are the same logo. */
export async function insertLogo(tx: Tx, logo: LogoRow): Promise<void> {
  await tx
    .insertInto('tenants.logos')
    .values(logo)
    .onConflict((it) => it.doNothing())
    .execute()
}

/** A logo that a tenant shows or has shown. */
export function findLogo(db: Db, { tenantId, sha256 }: Pick<LogoRow, 'tenantId' | 'sha256'>) {
  return db
    .selectFrom('tenants.logos')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
}

export function updateLogo(tx: Tx, tenantId: string, logoSha256: Buffer | null) {
  return tx
    .updateTable('tenants.tenants')
    .set({ logoSha256 })
    .where('id', '=', tenantId)
    .returningAll()
    .executeTakeFirst()
}
