import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import { sourceIdOf } from '#lib/source-id.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type ImportedRefundRow = Row<'billing.imported_refunds'>
export type ImportedPaymentKey = { readonly tenantId: string; readonly id: string }

type Filters = PageQuery & { userId?: string; q?: string }

/** No row of another system has it. */
const NO_SOURCE = -1

/** Refunds of a payment in cents: those of the previous system, and those recorded here. */
const REFUNDED = sql<Cents>`(coalesce((
    select sum(refund.out_cents) from billing.imported_payments as refund
    where refund.tenant_id = payment.tenant_id and refund.user_id = payment.user_id
      and refund.refund_of = payment.id), 0)
  + coalesce((
    select sum(noted.amount_cents) from billing.imported_refunds as noted
    where noted.tenant_id = payment.tenant_id and noted.payment_id = payment.id), 0))::bigint`

function payments(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.imported_payments as payment')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'payment.tenantId')
        .onRef('customer.id', '=', 'payment.userId'),
    )
    .leftJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'payment.tenantId')
        .onRef('invoice.id', '=', 'payment.invoiceId'),
    )
    .select(['payment.id', 'payment.userId', 'payment.importId', 'payment.system'])
    .select(['payment.sourceId', 'payment.invoiceId', 'payment.gateway', 'payment.reference'])
    .select(['payment.description', 'payment.inCents', 'payment.outCents', 'payment.feeCents'])
    .select(['payment.currency', 'payment.refundOf', 'payment.happenedAt'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .select(['invoice.number as invoiceNumber', REFUNDED.as('refundedCents')])
    .where('payment.tenantId', '=', tenantId)
}

/** Payments of another system, newest first, optionally of one person. */
export async function listImportedPayments(
  db: Db,
  tenantId: string,
  { userId, invoiceId, q, ...page }: Filters & { invoiceId?: string },
) {
  let query = payments(db, tenantId)
  if (userId) query = query.where('payment.userId', '=', userId)
  if (invoiceId) query = query.where('payment.invoiceId', '=', invoiceId)
  if (q !== undefined) {
    const sourceId = sourceIdOf(q)
    // The index of references leaves out those that are empty.
    query = query.where(({ or, and, eb }) =>
      or([
        and([eb('payment.reference', '<>', ''), eb('payment.reference', '=', q)]),
        ...(sourceId === null ? [] : [eb('payment.sourceId', '=', sourceId)]),
      ]),
    )
  }
  return pageOf(query, page, 'payment.id')
}

export function findImportedPayment(db: Db, { tenantId, id }: ImportedPaymentKey) {
  return payments(db, tenantId).where('payment.id', '=', id).executeTakeFirst()
}

export async function lockImportedPayment(tx: Tx, key: ImportedPaymentKey) {
  await tx
    .selectFrom('billing.imported_payments')
    .select('id')
    .where('tenantId', '=', key.tenantId)
    .where('id', '=', key.id)
    .forUpdate()
    .execute()
  // Only a statement after the lock sees a refund that was recorded in the meantime.
  return findImportedPayment(tx, key)
}

/** The refunds that were recorded for some payments, oldest first. */
export function listImportedRefunds(
  db: Db,
  tenantId: string,
  paymentIds: readonly string[],
): Promise<ImportedRefundRow[]> {
  return db
    .selectFrom('billing.imported_refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('paymentId', '=', sql<string>`any(${[...paymentIds]}::uuid[])`)
    .orderBy('id')
    .execute()
}

export function insertImportedRefund(tx: Tx, row: ImportedRefundRow): Promise<ImportedRefundRow> {
  return tx
    .insertInto('billing.imported_refunds')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The history of credit in another system, newest first, optionally of one person. */
export function listImportedCredit(db: Db, tenantId: string, { userId, q, ...page }: Filters) {
  let query = db
    .selectFrom('billing.imported_credit as entry')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'entry.tenantId')
        .onRef('customer.id', '=', 'entry.userId'),
    )
    .select(['entry.id', 'entry.userId', 'entry.importId', 'entry.system', 'entry.sourceId'])
    .select(['entry.amountCents', 'entry.currency', 'entry.description', 'entry.happenedAt'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .where('entry.tenantId', '=', tenantId)
  if (userId) query = query.where('entry.userId', '=', userId)
  if (q !== undefined) query = query.where('entry.sourceId', '=', sourceIdOf(q) ?? NO_SOURCE)
  return pageOf(query, page, 'entry.id')
}
