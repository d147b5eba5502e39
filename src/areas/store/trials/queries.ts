import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type TrialRow = Row<'store.trials'>
type MarkRow = Row<'store.trial_marks'>
type TrialKeyRow = Row<'store.trial_keys'>

/** Inserts trials; returns the products of which this is the customer's first one. */
export async function insertTrials(
  tx: Tx,
  { productIds, ...trial }: Omit<TrialRow, 'productId'> & { productIds: readonly string[] },
): Promise<string[]> {
  const { tenantId, userId, reference, createdAt } = trial
  const columns = { tenantId, userId, reference, createdAt }
  const rows = await tx
    .insertInto('store.trials')
    .values([...productIds].sort().map((productId) => ({ ...columns, productId })))
    .onConflict((it) => it.doNothing())
    .returning('productId')
    .execute()
  return rows.map(({ productId }) => productId)
}

/** Deletes the trials of an order, and the marks that were set for it. */
export async function deleteTrials(
  tx: Tx,
  { tenantId, reference }: Pick<TrialRow, 'tenantId' | 'reference'>,
): Promise<void> {
  for (const table of ['store.trials', 'store.trial_marks'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenantId', '=', tenantId)
      .where('reference', '=', reference)
      .execute()
  }
}

/** The products a customer tried under their present account. */
export function listOwnTrials(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('store.trials')
    .select(['tenantId', 'productId', 'reference'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('productId')
    .execute()
}

/** Sets marks; an existing one stays as it is. Waits for a transaction that sets the same mark. */
export async function insertMarks(
  tx: Tx,
  row: Omit<MarkRow, 'mark'>,
  marks: readonly string[],
): Promise<void> {
  await tx
    .insertInto('store.trial_marks')
    .values(marks.map((mark) => ({ ...row, mark })))
    .onConflict((it) => it.doNothing())
    .execute()
}

/** The orders whose trials of a product set any of these marks. */
export async function listReferencesOfMarks(
  db: Db,
  { tenantId, productId }: Pick<MarkRow, 'tenantId' | 'productId'>,
  marks: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('store.trial_marks')
    .select('reference')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .where('mark', '=', sql<string>`any(${[...marks]}::text[])`)
    .execute()
  return rows.map(({ reference }) => reference)
}

/** Deletes marks whose time is over, of every tenant; returns how many. */
export async function deleteMarksDue(tx: Tx, now: Instant, limit: number): Promise<number> {
  const due = tx
    .selectFrom('store.trial_marks')
    .select(['tenantId', 'productId', 'mark'])
    .where('forgetAt', '<=', now)
    .limit(limit)
  const { numDeletedRows } = await tx
    .deleteFrom('store.trial_marks as old')
    .using(due.as('due'))
    .whereRef('old.tenantId', '=', 'due.tenantId')
    .whereRef('old.productId', '=', 'due.productId')
    .whereRef('old.mark', '=', 'due.mark')
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function findTrialKey(db: Db, tenantId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('store.trial_keys')
    .select('sealedKey')
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row?.sealedKey
}

export async function insertTrialKey(tx: Tx, row: TrialKeyRow): Promise<void> {
  await tx
    .insertInto('store.trial_keys')
    .values(row)
    .onConflict((it) => it.doNothing())
    .execute()
}

/** Whether a customer has tried the product of a row that names it. */
export const triedBy = (userId: string) =>
  sql<boolean>`exists (
    select from store.trials
    where tenant_id = product.tenant_id and user_id = ${userId} and product_id = product.id
  )`
