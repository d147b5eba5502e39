import type { Insertable, Updateable } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'

export type DisputeRow = Row<'billing.disputes'>

export function lockDispute(
  tx: Tx,
  { tenantId, gatewayId }: { tenantId: string; gatewayId: string },
  providerDisputeId: string,
) {
  return tx
    .selectFrom('billing.disputes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('providerDisputeId', '=', providerDisputeId)
    .forUpdate()
    .executeTakeFirst()
}

export function insertDispute(tx: Tx, row: Insertable<Tables['billing.disputes']>) {
  return tx.insertInto('billing.disputes').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateDispute(
  tx: Tx,
  { tenantId, id }: Pick<DisputeRow, 'tenantId' | 'id'>,
  changes: Updateable<Tables['billing.disputes']>,
) {
  return tx
    .updateTable('billing.disputes')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether a bank of this customer is taking, or thinks of taking, money back right now. */
export async function hasOpenDispute(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('billing.disputes as dispute')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'dispute.tenantId')
        .onRef('payment.id', '=', 'dispute.paymentId'),
    )
    .select('dispute.id')
    .where('dispute.tenantId', '=', tenantId)
    .where('payment.userId', '=', userId)
    .where('dispute.state', 'in', ['inquiry', 'needs_response', 'under_review'])
    .executeTakeFirst()
  return row !== undefined
}
