import type { Db, Row, Tx } from '#platform/database/index.ts'

export type LogoRow = Row<'tenants.logos'>

/** Stores a logo. The same bytes are stored once. */
export async function insertLogo(tx: Tx, logo: LogoRow): Promise<void> {
  await tx
    .insertInto('tenants.logos')
    .values(logo)
    .onConflict((it) => it.doNothing())
    .execute()
}

/** A logo or icon that a tenant shows or has shown. */
export function findLogo(db: Db, { tenantId, sha256 }: Pick<LogoRow, 'tenantId' | 'sha256'>) {
  return db
    .selectFrom('tenants.logos')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
}

/** The pictures that a tenant shows, by the columns that name them. */
export type ShownPictures = Partial<
  Pick<Row<'tenants.tenants'>, 'logoSha256' | 'darkLogoSha256' | 'faviconSha256'>
>

export function updatePictures(tx: Tx, tenantId: string, pictures: ShownPictures) {
  return tx
    .updateTable('tenants.tenants')
    .set(pictures)
    .where('id', '=', tenantId)
    .returningAll()
    .executeTakeFirst()
}
