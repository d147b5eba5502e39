import { type SqlBool, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import type { Db } from '#platform/database/index.ts'
import { type Hit, hit, MOST_HITS, type Wanted } from './hits.ts'

/** Whether a text can be an id at a provider. */
function isReference(q: string): boolean {
  return /^\S{4,200}$/.test(q)
}

/** The gateways of a shop, deleted ones included: indexes on ids at providers start with the gateway. */
const ofGateways = (tenantId: string) =>
  sql`(select id from billing.gateways where tenant_id = ${tenantId})`

/** Payments by the provider's id or by their own. */
export async function findPayments(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  if (!isReference(q)) return []
  const rows = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'payment.tenantId')
        .onRef('customer.id', '=', 'payment.userId'),
    )
    .select(['payment.id', 'payment.providerPaymentId', 'payment.userId', 'payment.methodBrand'])
    .select(['payment.receivedCents', 'payment.currency', 'payment.createdAt'])
    .select(['customer.name as customerName'])
    .where('payment.tenantId', '=', tenantId)
    .where(({ or, eb, and }) =>
      or([
        ...(isId(q) ? [eb('payment.id', '=', q)] : []),
        and([
          sql<SqlBool>`payment.gateway_id = any(array${ofGateways(tenantId)})`,
          eb('payment.providerPaymentId', '=', q),
        ]),
      ]),
    )
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ providerPaymentId, receivedCents: amountCents, methodBrand, ...row }) =>
    hit({
      ...{ ...row, title: providerPaymentId, detail: methodBrand, amountCents },
      ...{ status: 'paid', exact: true },
    }),
  )
}

/** Payment attempts by the provider's id of the checkout or the payment, or by their own. */
export async function findAttempts(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  if (!isReference(q)) return []
  const rows = await db
    .selectFrom('billing.payment_attempts as attempt')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'attempt.tenantId')
        .onRef('customer.id', '=', 'attempt.userId'),
    )
    .select(['attempt.id', 'attempt.providerPaymentId', 'attempt.checkoutId', 'attempt.userId'])
    .select(['attempt.amountCents', 'attempt.currency', 'attempt.createdAt', 'attempt.state'])
    .select(['attempt.failureCode', 'customer.name as customerName'])
    .where('attempt.tenantId', '=', tenantId)
    .where(({ or, eb, and }) =>
      or([
        ...(isId(q) ? [eb('attempt.id', '=', q)] : []),
        and([
          sql<SqlBool>`attempt.gateway_id = any(array${ofGateways(tenantId)})`,
          or([eb('attempt.providerPaymentId', '=', q), eb('attempt.checkoutId', '=', q)]),
        ]),
      ]),
    )
    .orderBy('attempt.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ providerPaymentId, checkoutId, failureCode, state: status, ...row }) =>
    hit({
      ...{ ...row, title: providerPaymentId ?? checkoutId ?? row.id, detail: failureCode, status },
      exact: true,
    }),
  )
}

/** Refunds by the provider's id or by their own. */
export async function findRefunds(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  if (!isReference(q)) return []
  const rows = await db
    .selectFrom('billing.refunds as refund')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'refund.tenantId')
        .onRef('customer.id', '=', 'refund.userId'),
    )
    .select(['refund.id', 'refund.providerRefundId', 'refund.userId', 'refund.amountCents'])
    .select(['refund.currency', 'refund.createdAt', 'refund.state', 'refund.reason'])
    .select(['customer.name as customerName'])
    .where('refund.tenantId', '=', tenantId)
    .where(({ or, eb, and }) =>
      or([
        ...(isId(q) ? [eb('refund.id', '=', q)] : []),
        and([
          sql<SqlBool>`refund.gateway_id = any(array${ofGateways(tenantId)})`,
          eb('refund.providerRefundId', '=', q),
        ]),
      ]),
    )
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ providerRefundId, state: status, reason: detail, ...row }) =>
    hit({ ...row, title: providerRefundId ?? row.id, detail, status, exact: true }),
  )
}

/** Disputes by the provider's id or by their own. */
export async function findDisputes(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  if (!isReference(q)) return []
  const rows = await db
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
    .select(['dispute.id', 'dispute.providerDisputeId', 'payment.userId', 'dispute.amountCents'])
    .select(['dispute.currency', 'dispute.createdAt', 'dispute.state', 'dispute.reason'])
    .select(['customer.name as customerName'])
    .where('dispute.tenantId', '=', tenantId)
    .where(({ or, eb, and }) =>
      or([
        ...(isId(q) ? [eb('dispute.id', '=', q)] : []),
        and([
          sql<SqlBool>`dispute.gateway_id = any(array${ofGateways(tenantId)})`,
          eb('dispute.providerDisputeId', '=', q),
        ]),
      ]),
    )
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ providerDisputeId: title, state: status, reason: detail, ...row }) =>
    hit({ ...row, title, detail, status, exact: true }),
  )
}
