import { sql } from 'kysely'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { GatewayKey } from '../gateways/queries.ts'
import type { PaymentRow } from '../payments/queries.ts'

export type BreakRow = Row<'billing.breaks'>

type NewBreak = Omit<BreakRow, 'details' | 'resolvedAt' | 'resolvedBy' | 'resolution'> & {
  details: Record<string, unknown>
}

/**
 * Records that the provider's books and ours differ; undefined if exactly this difference is known.
 * A resolved break is opened again if it differs in another way.
 */
export function insertBreak(tx: Tx, { details, ...row }: NewBreak) {
  return tx
    .insertInto('billing.breaks')
    .values({ ...row, details: json(details) })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'gatewayId', 'kind', 'objectId'])
        .doUpdateSet({
          details: (eb) => eb.ref('excluded.details'),
          ...{ resolvedAt: null, resolvedBy: null, resolution: null },
        })
        .whereRef('billing.breaks.details', 'is distinct from', 'excluded.details'),
    )
    .returning('id')
    .executeTakeFirst()
}

export function findBreak(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('billing.breaks')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Breaks, newest first: open ones, resolved ones, or all. */
export function listBreaks(
  db: Db,
  tenantId: string,
  { status, gatewayId, ...page }: PageQuery & { status?: string; gatewayId?: string },
) {
  let query = db.selectFrom('billing.breaks').selectAll().where('tenantId', '=', tenantId)
  if (status === 'open') query = query.where('resolvedAt', 'is', null)
  if (status === 'resolved') query = query.where('resolvedAt', 'is not', null)
  if (gatewayId) query = query.where('gatewayId', '=', gatewayId)
  return pageOf(query, page)
}

/** Records who resolved a break, and how; undefined if it is already resolved. */
export function resolveBreak(
  tx: Tx,
  { tenantId, id }: Pick<BreakRow, 'tenantId' | 'id'>,
  values: { resolvedAt: Instant; resolvedBy: string; resolution: string },
) {
  return tx
    .updateTable('billing.breaks')
    .set(values)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('resolvedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Gateways whose books were not compared since a time, each with its reconciliation state. */
export function listUncompared(db: Db, before: Instant) {
  return db
    .selectFrom('billing.gateways')
    .select(['tenantId', 'id', 'driver'])
    .where('archivedAt', 'is', null)
    .where('enabled', '=', true)
    .where((it) => it(it.fn.coalesce('comparedAt', 'createdAt'), '<=', before))
    .orderBy('id')
    .execute()
}

/** What is booked of a payment; `moved` is when anything of it was last written. */
export type Booked = {
  receivedCents: Cents
  currency: string
  refundedCents: Cents
  disputedCents: Cents
  moved: Instant
}

/** What our books contain about a payment of a provider; undefined if it is not booked. */
export async function findBooked(
  db: Db,
  { tenantId, gatewayId }: GatewayKey,
  providerPaymentId: string,
): Promise<Booked | undefined> {
  const row = await db
    .selectFrom('billing.payments as payment')
    .select(['payment.receivedCents', 'payment.currency', 'payment.createdAt'])
    .select((it) => [
      it
        .selectFrom('billing.refunds as refund')
        .select(sql<Cents>`coalesce(sum(refund.amount_cents), 0)::bigint`.as('sum'))
        .whereRef('refund.tenantId', '=', 'payment.tenantId')
        .whereRef('refund.paymentId', '=', 'payment.id')
        .where('refund.state', 'not in', ['failed', 'canceled'])
        .as('refundedCents'),
      it
        .selectFrom('billing.refunds as refund')
        .select(
          sql<Instant | null>`max(greatest(refund.created_at, refund.sent_at, refund.ended_at))`.as(
            'at',
          ),
        )
        .whereRef('refund.tenantId', '=', 'payment.tenantId')
        .whereRef('refund.paymentId', '=', 'payment.id')
        .as('refundMoved'),
      it
        .selectFrom('billing.disputes as dispute')
        .select(sql<Cents>`coalesce(sum(held_cents + lost_cents), 0)::bigint`.as('sum'))
        .whereRef('dispute.tenantId', '=', 'payment.tenantId')
        .whereRef('dispute.paymentId', '=', 'payment.id')
        .as('disputedCents'),
    ])
    .where('payment.tenantId', '=', tenantId)
    .where('payment.gatewayId', '=', gatewayId)
    .where('payment.providerPaymentId', '=', providerPaymentId)
    .executeTakeFirst()
  if (!row) return undefined
  const { receivedCents, currency, createdAt, refundMoved } = row
  return {
    ...{ receivedCents, currency },
    refundedCents: cents(row.refundedCents ?? 0),
    disputedCents: cents(row.disputedCents ?? 0),
    moved: refundMoved !== null && refundMoved > createdAt ? refundMoved : createdAt,
  }
}

/** Payments that a provider reported in a period, by its clock; without those booked by people. */
export function listBookedBetween(
  db: Db,
  { tenantId, gatewayId }: GatewayKey,
  { from, to, after }: { from: Instant; to: Instant; after: string | null },
  limit: number,
): Promise<Pick<PaymentRow, 'id' | 'providerPaymentId' | 'receivedCents' | 'currency'>[]> {
  let query = db
    .selectFrom('billing.payments')
    .select(['id', 'providerPaymentId', 'receivedCents', 'currency'])
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('attemptId', 'is not', null)
    .where('paidAt', '>=', from)
    .where('paidAt', '<', to)
  if (after) query = query.where('id', '>', after)
  return query.orderBy('id').limit(limit).execute()
}
