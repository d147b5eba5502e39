import { type Insertable, sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { CommissionRow } from './rules.ts'
import type { CommissionStatus } from './schema.ts'

export type CommissionKey = Pick<CommissionRow, 'tenantId' | 'id'>
type OfInvoice = { tenantId: string; invoiceId: string }

export function insertCommission(tx: Tx, row: Insertable<Tables['affiliation.commissions']>) {
  return tx
    .insertInto('affiliation.commissions')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findCommissionOf(db: Db, { tenantId, invoiceId }: OfInvoice) {
  return db
    .selectFrom('affiliation.commissions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
}

export function findCommission(db: Db, { tenantId, id }: CommissionKey) {
  return db
    .selectFrom('affiliation.commissions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockCommission(tx: Tx, { tenantId, id }: CommissionKey) {
  return tx
    .selectFrom('affiliation.commissions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** When the first commission from a referred person arose; null if there is none yet. */
export async function firstCommissionAt(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Instant | null> {
  const row = await db
    .selectFrom('affiliation.commissions')
    .select('createdAt')
    .where('tenantId', '=', tenantId)
    .where('referralId', '=', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt ?? null
}

export function updateCommission(
  tx: Tx,
  { tenantId, id }: CommissionKey,
  changes: Partial<
    Pick<CommissionRow, 'reversedCents' | 'reviewedAt' | 'reviewedBy' | 'rejectedAt'>
  >,
) {
  return tx
    .updateTable('affiliation.commissions')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Marks commissions that are due, of every tenant, and returns them. Leaves out those that
 * need a review, and those whose invoice is in dispute; concurrent processes get other rows.
 */
export function matureDue(tx: Tx, now: Instant, limit: number) {
  const due = tx
    .selectFrom('affiliation.commissions as commission')
    .innerJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'commission.tenantId')
        .onRef('invoice.id', '=', 'commission.invoiceId'),
    )
    .select(['commission.tenantId', 'commission.id'])
    .where('commission.availableAt', '<=', now)
    .where('commission.maturedAt', 'is', null)
    .whereRef('commission.reversedCents', '<', 'commission.amountCents')
    .where(sql<boolean>`(commission.flags = '{}' or commission.reviewed_at is not null)`)
    .where('invoice.disputed', '=', false)
    .orderBy('commission.availableAt')
    .limit(limit)
    .forUpdate('commission')
    .skipLocked()
  return tx
    .updateTable('affiliation.commissions as commission')
    .from(due.as('due'))
    .set({ maturedAt: now })
    .whereRef('commission.tenantId', '=', 'due.tenantId')
    .whereRef('commission.id', '=', 'due.id')
    .returning(['commission.tenantId', 'commission.affiliateId', 'commission.currency'])
    .returning(sql<Cents>`commission.amount_cents - commission.reversed_cents`.as('amountCents'))
    .execute()
}

/** Reverses everything of an affiliate that has not matured; returns the sums reversed, by currency. */
export async function reversePending(
  tx: Tx,
  { tenantId, id: affiliateId }: { tenantId: string; id: string },
): Promise<{ currency: string; amountCents: Cents }[]> {
  const open = () =>
    sql<boolean>`affiliate_id = ${affiliateId} and matured_at is null and reversed_cents < amount_cents`
  const rows = await tx
    .selectFrom('affiliation.commissions')
    .select(['id', 'currency', sql<Cents>`amount_cents - reversed_cents`.as('amountCents')])
    .where('tenantId', '=', tenantId)
    .where(open())
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx
    .updateTable('affiliation.commissions')
    .set((it) => ({ reversedCents: it.ref('amountCents') }))
    .where('tenantId', '=', tenantId)
    .where(open())
    .execute()
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency].map(([currency, all]) => ({
    currency,
    amountCents: all.reduce((sum, it) => sum + it.amountCents, 0) as Cents,
  }))
}

type Filter = {
  affiliateId?: string | undefined
  status?: CommissionStatus | undefined
  toReview?: boolean | undefined
}

/** Commissions of a tenant with the paying customer, newest first. */
export function listCommissions(
  db: Db,
  tenantId: string,
  { affiliateId, status, toReview }: Filter,
  page: PageQuery,
) {
  let query = withPayer(db, tenantId)
  if (affiliateId) query = query.where('commission.affiliateId', '=', affiliateId)
  if (status === 'reversed') {
    query = query.whereRef('commission.reversedCents', '=', 'commission.amountCents')
  } else if (status) {
    query = query
      .whereRef('commission.reversedCents', '<', 'commission.amountCents')
      .where('commission.maturedAt', status === 'available' ? 'is not' : 'is', null)
  }
  if (toReview !== undefined) {
    const waits = sql<boolean>`(commission.flags <> '{}' and commission.reviewed_at is null)`
    query = query.where(toReview ? waits : sql<boolean>`not ${waits}`)
  }
  return pageOf(query, page, 'commission.id')
}

/** A commission with the paying customer. */
export function findListedCommission(db: Db, { tenantId, id }: CommissionKey) {
  return withPayer(db, tenantId).where('commission.id', '=', id).executeTakeFirst()
}

function withPayer(db: Db, tenantId: string) {
  return db
    .selectFrom('affiliation.commissions as commission')
    .innerJoin('affiliation.referrals as referral', (join) =>
      join
        .onRef('referral.tenantId', '=', 'commission.tenantId')
        .onRef('referral.id', '=', 'commission.referralId'),
    )
    .selectAll('commission')
    .select('referral.userId')
    .where('commission.tenantId', '=', tenantId)
}
