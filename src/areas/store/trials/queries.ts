import { sql } from 'kysely'
import type { Row, Tx } from '#platform/database/index.ts'

export type TrialRow = Row<'store.trials'>

/** Notes trials; answers for which products this was the customer's first one. */
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

export async function deleteTrials(
  tx: Tx,
  { tenantId, reference }: Pick<TrialRow, 'tenantId' | 'reference'>,
): Promise<void> {
  await tx
    .deleteFrom('store.trials')
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .execute()
}

/** Whether a customer has tried the product of a row that names it. */
export const triedBy = (userId: string) =>
  sql<boolean>`exists (
    select from store.trials
    where tenant_id = product.tenant_id and user_id = ${userId} and product_id = product.id
  )`
