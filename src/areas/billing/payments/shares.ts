import { sql } from 'kysely'
import { accounts } from '#ledger'
import type { Cents } from '#lib/money.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import { allocationsOf } from './queries.ts'

/** How much of an invoice customer credit paid, and got back in refunds; the rest was money. */
export type CreditShare = { readonly paidCents: Cents; readonly refundedCents: Cents }

/** How much of an invoice customer credit paid, and got back in refunds, in cents. */
export async function creditShareOf(
  db: Db,
  { tenantId, id, userId }: Pick<InvoiceRow, 'tenantId' | 'id' | 'userId'>,
): Promise<CreditShare> {
  const paid = await db
    .selectFrom('ledger.transactions as transaction')
    .innerJoin('ledger.postings as posting', (join) =>
      join
        .onRef('posting.tenantId', '=', 'transaction.tenantId')
        .onRef('posting.transactionId', '=', 'transaction.id'),
    )
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'posting.tenantId')
        .onRef('account.id', '=', 'posting.accountId'),
    )
    .select(sql<Cents>`coalesce(-sum(posting.amount_cents), 0)::bigint`.as('sum'))
    .where('transaction.tenantId', '=', tenantId)
    .where('transaction.eventId', '=', id)
    .where('transaction.kind', '=', 'credit_applied')
    .where('account.code', '=', accounts.receivable(userId).code)
    .executeTakeFirstOrThrow()
  const refunded = await db
    .selectFrom('billing.refunds')
    .select(sql<Cents>`coalesce(sum(amount_cents), 0)::bigint`.as('sum'))
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', id)
    .where('paymentId', 'is', null)
    .executeTakeFirstOrThrow()
  return { paidCents: paid.sum, refundedCents: refunded.sum }
}

/** The invoices a refund gave money back for: several if a provider refunded a joint payment. */
export async function invoicesOfRefund(
  db: Db,
  { tenantId, refundId }: { tenantId: string; refundId: string },
): Promise<string[]> {
  const refund = await db
    .selectFrom('billing.refunds')
    .select(['invoiceId', 'paymentId'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', refundId)
    .executeTakeFirst()
  if (refund?.invoiceId) return [refund.invoiceId]
  if (!refund?.paymentId) return []
  const parts = await allocationsOf(db, tenantId, refund.paymentId)
  return parts.map(({ invoiceId }) => invoiceId)
}

/** Whether two people have paid with, or saved, the same card or account. */
export async function shareMeansOfPayment(
  db: Db,
  { tenantId, userId, otherId }: UserKey & { otherId: string },
): Promise<boolean> {
  const shared = await db
    .selectFrom(knownFingerprints(db, { tenantId, userId }).as('own'))
    .innerJoin(
      knownFingerprints(db, { tenantId, userId: otherId }).as('other'),
      'other.fingerprint',
      'own.fingerprint',
    )
    .select('own.fingerprint')
    .limit(1)
    .executeTakeFirst()
  return shared !== undefined
}

/** The fingerprints of the cards and accounts that a person has paid with or saved. */
export async function listFingerprints(db: Db, user: UserKey): Promise<string[]> {
  const rows = await knownFingerprints(db, user).execute()
  return rows.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint]))
}

function knownFingerprints(db: Db, { tenantId, userId }: UserKey) {
  const of = (table: 'billing.payments' | 'billing.payment_methods') =>
    db
      .selectFrom(table)
      .select('fingerprint')
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .where('fingerprint', 'is not', null)
  return of('billing.payments').union(of('billing.payment_methods'))
}

/**
 * The paid invoices of a customer, oldest first, without purchases of credit, which are no sales.
 */
export async function listPaidSales(db: Db, { tenantId, userId }: UserKey): Promise<string[]> {
  const rows = await db
    .selectFrom('billing.invoices')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('status', '=', 'paid')
    .where('kind', '<>', 'top_up')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
