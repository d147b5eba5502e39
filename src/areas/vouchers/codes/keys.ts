import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'

const KEY_BYTES = 32

type Shop = { readonly tenantId: string }

/** The column with the sealed keys of shops. */
export const sealedKeys = sealedColumn('vouchers.keys', 'sealedKey', ['tenantId'], boundTo)

/** The column with the sealed codes of batches that can still be downloaded. */
export const sealedCodes = sealedColumn(
  'vouchers.vouchers',
  'sealedCode',
  ['tenantId', 'id'],
  codeBoundTo,
)

/** The row in which the sealed code of a voucher opens. */
export function codeBoundTo({ tenantId, id }: { tenantId: string; id: string }): string {
  return `vouchers.vouchers ${tenantId} ${id}`
}

/** The key that hashes the codes of a shop; null for a shop without vouchers. */
export async function findKey(db: Db, secrets: Secrets, { tenantId }: Shop) {
  const row = await db
    .selectFrom('vouchers.keys')
    .select('sealedKey')
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row ? Buffer.from(secrets.open(row.sealedKey, boundTo({ tenantId })), 'base64') : null
}

/** Creates the key of a shop with its first batch. */
export async function ensureKey(tx: Tx, secrets: Secrets, { tenantId }: Shop): Promise<void> {
  const key = randomBytes(KEY_BYTES).toString('base64')
  await tx
    .insertInto('vouchers.keys')
    .values({ tenantId, sealedKey: secrets.seal(key, boundTo({ tenantId })) })
    .onConflict((it) => it.doNothing())
    .execute()
}

function boundTo({ tenantId }: Shop): string {
  return `vouchers.keys ${tenantId}`
}
