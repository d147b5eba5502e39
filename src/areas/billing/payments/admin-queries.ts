import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Db } from '#platform/database/index.ts'
import { type ListQuery, listOf } from '#platform/page.ts'
import type { AttemptRow } from '../attempts/queries.ts'

export type PaymentFilters = {
  userId?: string
  gatewayId?: string
  invoiceId?: string
  providerPaymentId?: string
}

function payments(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.payments as payment')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'payment.tenantId')
        .onRef('customer.id', '=', 'payment.userId'),
    )
    .leftJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'payment.tenantId')
        .onRef('gateway.id', '=', 'payment.gatewayId'),
    )
    .select(['payment.id', 'payment.userId', 'payment.gatewayId', 'payment.attemptId'])
    .select(['payment.providerPaymentId', 'payment.receivedCents', 'payment.feeCents'])
    .select(['payment.creditCents', 'payment.currency', 'payment.methodKind'])
    .select(['payment.methodBrand', 'payment.methodLast4', 'payment.methodCountry'])
    .select(['payment.paidAt', 'payment.createdAt', 'gateway.name as gatewayName'])
    .select(['gateway.driver', 'customer.name as customerName', 'customer.email as customerEmail'])
    .select(
      sql<Cents>`(select coalesce(sum(refund.amount_cents), 0)::bigint from billing.refunds as refund
        where refund.tenant_id = payment.tenant_id and refund.payment_id = payment.id
          and refund.state not in ('failed', 'canceled'))`.as('refundedCents'),
    )
    .select(
      sql<boolean>`exists (select from billing.disputes as dispute
        where dispute.tenant_id = payment.tenant_id and dispute.payment_id = payment.id
          and dispute.ended_at is null)`.as('disputed'),
    )
    .where('payment.tenantId', '=', tenantId)
}

export type ListedPayment = Awaited<ReturnType<typeof findPayment>>

/** A payment of a tenant for staff, without its invoices. */
export function findPayment(db: Db, tenantId: string, id: string) {
  return payments(db, tenantId).where('payment.id', '=', id).executeTakeFirst()
}

/** Payments of a tenant, optionally of one customer, gateway or invoice. */
export function listPayments(
  db: Db,
  tenantId: string,
  { userId, gatewayId, invoiceId, providerPaymentId, ...page }: ListQuery & PaymentFilters,
) {
  let query = payments(db, tenantId)
  if (userId) query = query.where('payment.userId', '=', userId)
  if (gatewayId) query = query.where('payment.gatewayId', '=', gatewayId)
  if (providerPaymentId) {
    query = query
      .where(
        sql<boolean>`payment.gateway_id = any(array(
          select id from billing.gateways where tenant_id = ${tenantId}))`,
      )
      .where('payment.providerPaymentId', '=', providerPaymentId)
  }
  if (invoiceId) {
    query = query.where('payment.id', 'in', (it) =>
      it
        .selectFrom('billing.payment_allocations as part')
        .select('part.paymentId')
        .where('part.tenantId', '=', tenantId)
        .where('part.invoiceId', '=', invoiceId),
    )
  }
  return listOf(db, query, page, 'payment.id')
}

/** The invoices that payments were allocated to. */
export function listAllocations(db: Db, tenantId: string, paymentIds: readonly string[]) {
  return db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'part.tenantId')
        .onRef('invoice.id', '=', 'part.invoiceId'),
    )
    .select(['part.paymentId', 'part.invoiceId', 'part.amountCents'])
    .select('invoice.number as invoiceNumber')
    .where('part.tenantId', '=', tenantId)
    .where('part.paymentId', '=', sql<string>`any(${[...paymentIds]}::uuid[])`)
    .orderBy('part.invoiceId')
    .execute()
}

export type AttemptFilters = {
  userId?: string
  gatewayId?: string
  invoiceId?: string
  status?: AttemptRow['state']
}

function attempts(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.payment_attempts as attempt')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'attempt.tenantId')
        .onRef('customer.id', '=', 'attempt.userId'),
    )
    .leftJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'attempt.tenantId')
        .onRef('gateway.id', '=', 'attempt.gatewayId'),
    )
    .select(['attempt.id', 'attempt.userId', 'attempt.gatewayId', 'attempt.purpose'])
    .select(['attempt.state as status', 'attempt.amountCents', 'attempt.currency'])
    .select(['attempt.checkoutId', 'attempt.providerPaymentId', 'attempt.failureCode'])
    .select(['attempt.failureKey', 'attempt.failureRetry', 'attempt.createdAt'])
    .select(['attempt.endedAt', 'gateway.name as gatewayName', 'gateway.driver'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .select(
      sql<string[]>`coalesce((select json_agg(part.invoice_id order by part.invoice_id)
        from billing.attempt_invoices as part
        where part.tenant_id = attempt.tenant_id and part.attempt_id = attempt.id), '[]')`.as(
        'invoiceIds',
      ),
    )
    .where('attempt.tenantId', '=', tenantId)
}

export function findAttemptOfStaff(db: Db, tenantId: string, id: string) {
  return attempts(db, tenantId).where('attempt.id', '=', id).executeTakeFirst()
}

/** Payment attempts of a tenant, optionally of one customer, gateway or invoice, or in one state. */
export function listAttempts(
  db: Db,
  tenantId: string,
  { userId, gatewayId, invoiceId, status, ...page }: ListQuery & AttemptFilters,
) {
  let query = attempts(db, tenantId)
  if (userId) query = query.where('attempt.userId', '=', userId)
  if (gatewayId) query = query.where('attempt.gatewayId', '=', gatewayId)
  if (status) query = query.where('attempt.state', '=', status)
  if (invoiceId) query = query.where(forInvoices(tenantId, [invoiceId]))
  return listOf(db, query, page, 'attempt.id')
}

const MOST_ATTEMPTS = 100

/** The payment attempts for some invoices, newest first. */
export function listAttemptsFor(db: Db, tenantId: string, invoiceIds: readonly string[]) {
  return attempts(db, tenantId)
    .where(forInvoices(tenantId, invoiceIds))
    .orderBy('attempt.id', 'desc')
    .limit(MOST_ATTEMPTS)
    .execute()
}

function forInvoices(tenantId: string, invoiceIds: readonly string[]) {
  return sql<boolean>`attempt.id in (select part.attempt_id from billing.attempt_invoices as part
    where part.tenant_id = ${tenantId} and part.invoice_id = any(${[...invoiceIds]}::uuid[]))`
}
