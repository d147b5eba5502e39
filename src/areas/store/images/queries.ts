import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Pictured } from './rules.ts'

type ImageRow = Row<'store.images'>
export type ImageKey = Pick<ImageRow, 'tenantId' | 'id'>

export function findImage(db: Db, { tenantId, id }: ImageKey) {
  return db
    .selectFrom('store.images')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertImage(tx: Tx, image: ImageRow): Promise<void> {
  await tx.insertInto('store.images').values(image).execute()
}

export async function deleteImage(tx: Tx, { tenantId, id }: ImageKey): Promise<void> {
  await tx
    .deleteFrom('store.images')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** The tables whose rows may have a picture. */
export type Owner = 'store.products' | 'store.categories'

/**
 * The picture that a product or category shows, locked; undefined if the owner is unknown or archived.
 */
export function lockPictured(tx: Tx, owner: Owner, { tenantId, id }: ImageKey) {
  return tx
    .selectFrom(owner)
    .select(['imageId', 'imageWidth', 'imageHeight', 'imageAlt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function updatePictured(
  tx: Tx,
  owner: Owner,
  { tenantId, id }: ImageKey,
  shown: Pictured,
): Promise<void> {
  await tx
    .updateTable(owner)
    .set(shown)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
