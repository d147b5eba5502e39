import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type CountedPage, listOf } from '#platform/page.ts'
import type { VoucherRow } from './rules.ts'
import type { VoucherQuery } from './schema.ts'

export type VoucherKey = Pick<VoucherRow, 'tenantId' | 'id'>

export function findVoucher(db: Db, { tenantId, id }: VoucherKey) {
  return db
    .selectFrom('vouchers.vouchers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockVoucher(tx: Tx, { tenantId, id }: VoucherKey) {
  return tx
    .selectFrom('vouchers.vouchers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function lockVoucherOfCode(
  tx: Tx,
  { tenantId, codeHash }: Pick<VoucherRow, 'tenantId' | 'codeHash'>,
) {
  return tx
    .selectFrom('vouchers.vouchers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('codeHash', '=', codeHash)
    .forUpdate()
    .executeTakeFirst()
}

/** The vouchers of a shop. Each state has an index of its own. */
export function listVouchers(
  db: Db,
  tenantId: string,
  { batchId, redeemedBy, state, ...page }: VoucherQuery,
  now: Instant,
): Promise<CountedPage<VoucherRow>> {
  let query = db.selectFrom('vouchers.vouchers').selectAll().where('tenantId', '=', tenantId)
  if (batchId) query = query.where('batchId', '=', batchId)
  if (redeemedBy) query = query.where('redeemedBy', '=', redeemedBy)
  if (state === 'redeemed') query = query.where('redeemedAt', 'is not', null)
  if (state === 'void') query = query.where('voidedAt', 'is not', null)
  if (state === 'active' || state === 'expired') {
    query = query.where('redeemedAt', 'is', null).where('voidedAt', 'is', null)
  }
  if (state === 'expired') query = query.where('expiresAt', '<=', now)
  if (state === 'active') {
    query = query.where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', now)]))
  }
  return listOf(db, query, page)
}

/** Inserts vouchers and returns how many, without those whose code exists already. */
export async function insertVouchers(
  tx: Tx,
  vouchers: readonly Omit<VoucherRow, 'redeemedAt' | 'redeemedBy' | 'voidedAt'>[],
): Promise<number> {
  const inserted = await tx
    .insertInto('vouchers.vouchers')
    .values(vouchers)
    .onConflict((it) => it.doNothing())
    .returning('id')
    .execute()
  return inserted.length
}

export function updateVoucher(
  tx: Tx,
  { tenantId, id }: VoucherKey,
  change: Partial<
    Pick<VoucherRow, 'redeemedAt' | 'redeemedBy' | 'voidedAt' | 'expiresAt' | 'sealedCode'>
  >,
) {
  return tx
    .updateTable('vouchers.vouchers')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** How much a customer has redeemed in a currency since an instant. */
export async function sumRedeemed(
  tx: Tx,
  { tenantId, userId, currency }: UserKey & { currency: string },
  since: Instant,
): Promise<Cents> {
  const { sum } = await tx
    .selectFrom('vouchers.vouchers')
    .select(({ fn, val }) => fn.coalesce(fn.sum<Cents>('amountCents'), val(0)).as('sum'))
    .where('tenantId', '=', tenantId)
    .where('redeemedBy', '=', userId)
    .where('currency', '=', currency)
    .where('redeemedAt', '>', since)
    .executeTakeFirstOrThrow()
  return sum as Cents
}
