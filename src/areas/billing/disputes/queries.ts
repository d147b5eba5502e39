import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type DisputeRow = Row<'billing.disputes'>

/** The states in which a bank has not decided yet. */
const OPEN_STATES = ['inquiry', 'needs_response', 'under_review'] as const

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

function withPayment(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.disputes as dispute')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'dispute.tenantId')
        .onRef('payment.id', '=', 'dispute.paymentId'),
    )
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'payment.tenantId')
        .onRef('customer.id', '=', 'payment.userId'),
    )
    .selectAll('dispute')
    .select(['payment.userId', 'payment.providerPaymentId'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .select(
      sql<string[]>`array(select part.invoice_id::text from billing.payment_allocations part
        where part.tenant_id = dispute.tenant_id and part.payment_id = dispute.payment_id
        order by part.invoice_id)`.as('invoiceIds'),
    )
    .where('dispute.tenantId', '=', tenantId)
}

/** A dispute, with its customer and invoices. */
export function findDispute(db: Db, tenantId: string, id: string) {
  return withPayment(db, tenantId).where('dispute.id', '=', id).executeTakeFirst()
}

export type ListedDispute = NonNullable<Awaited<ReturnType<typeof findDispute>>>

/** Disputes of a tenant, newest first; optionally of one state or one customer. */
export function listDisputes(
  db: Db,
  tenantId: string,
  { status, userId, ...page }: PageQuery & { status?: DisputeRow['state']; userId?: string },
) {
  let query = withPayment(db, tenantId)
  if (status) query = query.where('dispute.state', '=', status)
  if (userId) query = query.where('payment.userId', '=', userId)
  return pageOf(query, page, 'dispute.id')
}

/** Whether a bank has an open dispute about a payment of this customer. */
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
    .where('dispute.state', 'in', OPEN_STATES)
    .executeTakeFirst()
  return row !== undefined
}

/** Which of these invoices were paid, wholly or in part, with money in an open dispute. */
export async function disputedAmong(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (invoiceIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.disputes as dispute', (join) =>
      join
        .onRef('dispute.tenantId', '=', 'part.tenantId')
        .onRef('dispute.paymentId', '=', 'part.paymentId'),
    )
    .select('part.invoiceId')
    .distinct()
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', '=', sql<string>`any(${[...invoiceIds]}::uuid[])`)
    .where('dispute.state', 'in', OPEN_STATES)
    .execute()
  return new Set(rows.map(({ invoiceId }) => invoiceId))
}
