import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type ListQuery, listOf } from '#platform/page.ts'
import type { BatchRow } from './rules.ts'

export type BatchKey = Pick<BatchRow, 'tenantId' | 'id'>

export function findBatch(db: Db, { tenantId, id }: BatchKey) {
  return db
    .selectFrom('vouchers.batches')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockBatch(tx: Tx, { tenantId, id }: BatchKey) {
  return tx
    .selectFrom('vouchers.batches')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function listBatches(db: Db, tenantId: string, page: ListQuery) {
  const query = db.selectFrom('vouchers.batches').selectAll().where('tenantId', '=', tenantId)
  return listOf(db, query, page)
}

/** Whether a shop has ever had vouchers. */
export async function hasBatches(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('vouchers.batches')
    .select('id')
    .where('tenantId', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How many vouchers of each of these batches were redeemed; a batch without any is left out. */
export async function countRedeemed(
  db: Db,
  tenantId: string,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (batchIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('vouchers.vouchers')
    .select(['batchId', sql<number>`count(*)::integer`.as('count')])
    .where('tenantId', '=', tenantId)
    .where('batchId', 'in', batchIds)
    .where('redeemedAt', 'is not', null)
    .groupBy('batchId')
    .execute()
  return new Map(rows.map(({ batchId, count }) => [batchId, count]))
}

export function insertBatch(
  tx: Tx,
  batch: Omit<BatchRow, 'made' | 'readyAt' | 'downloadedAt' | 'codesDeletedAt' | 'voidedAt'>,
) {
  return tx.insertInto('vouchers.batches').values(batch).returningAll().executeTakeFirstOrThrow()
}

export function updateBatch(
  tx: Tx,
  { tenantId, id }: BatchKey,
  change: Partial<
    Pick<BatchRow, 'made' | 'readyAt' | 'downloadedAt' | 'codesDeletedAt' | 'voidedAt'>
  >,
) {
  return tx
    .updateTable('vouchers.batches')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes the vouchers of a batch void that were not redeemed. */
export async function voidVouchersOf(tx: Tx, { tenantId, id }: BatchKey, now: Instant) {
  await tx
    .updateTable('vouchers.vouchers')
    .set({ voidedAt: now, sealedCode: null })
    .where('tenantId', '=', tenantId)
    .where('batchId', '=', id)
    .where('redeemedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .execute()
}

/** The sealed codes of the vouchers of a batch that can still be redeemed, in the order of their creation. */
export function listSealedCodes(tx: Tx, { tenantId, id }: BatchKey, now: Instant) {
  return tx
    .selectFrom('vouchers.vouchers')
    .select(['tenantId', 'id', 'sealedCode', 'amountCents', 'currency', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .where('batchId', '=', id)
    .where('sealedCode', 'is not', null)
    .where('redeemedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', now)]))
    .orderBy('id')
    .execute()
}

export async function deleteSealedCodes(tx: Tx, { tenantId, id }: BatchKey): Promise<void> {
  await tx
    .updateTable('vouchers.vouchers')
    .set({ sealedCode: null })
    .where('tenantId', '=', tenantId)
    .where('batchId', '=', id)
    .where('sealedCode', 'is not', null)
    .execute()
}

/** Batches of all shops whose codes are to be deleted: downloaded before one instant, or ready before another. */
export function listEndedCodes(
  db: Db,
  { downloadedBefore, readyBefore }: { downloadedBefore: Instant; readyBefore: Instant },
  limit: number,
) {
  return db
    .selectFrom('vouchers.batches')
    .select(['tenantId', 'id'])
    .where('codesDeletedAt', 'is', null)
    .where((is) =>
      is.or([is('downloadedAt', '<=', downloadedBefore), is('readyAt', '<=', readyBefore)]),
    )
    .limit(limit)
    .execute()
}
