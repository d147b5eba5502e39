import { orderStatusOf } from '#orders'
import type { Db } from '#platform/database/index.ts'
import { serviceStatusOf } from '#services'
import { userStatusOf } from '#users'
import type {
  CreditNoteData,
  DeliveryData,
  InvoiceData,
  OrderData,
  ServiceData,
  TaskData,
  UserData,
} from './schema.ts'

type Key = { tenantId: string; id: string }

/** A person as messages show them; undefined for an unknown one. */
export async function findUserData(db: Db, { tenantId, id }: Key): Promise<UserData | undefined> {
  const row = await db
    .selectFrom('users.users')
    .select(['id', 'country', 'locale', 'emailVerifiedAt', 'createdAt', 'suspendedAt', 'deletedAt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { suspendedAt, deletedAt, ...shown } = row
  return { ...shown, status: userStatusOf({ suspendedAt, deletedAt }) }
}

export async function findOrderData(db: Db, { tenantId, id }: Key): Promise<OrderData | undefined> {
  const row = await db
    .selectFrom('orders.orders')
    .select(['id', 'number', 'userId', 'invoiceId', 'totalCents', 'currency'])
    .select(['createdAt', 'paidAt', 'fulfilledAt', 'canceledAt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, status: orderStatusOf(row) }
}

export async function findInvoiceData(
  db: Db,
  { tenantId, id }: Key,
): Promise<InvoiceData | undefined> {
  const row = await db
    .selectFrom('billing.invoices')
    .select(['id', 'number', 'kind', 'status', 'userId', 'reference', 'currency'])
    .select(['netCents', 'taxCents', 'totalCents', 'paidCents', 'creditedCents', 'refundedCents'])
    .select(['createdAt', 'issuedAt', 'dueAt', 'paidAt', 'voidedAt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { reference, ...shown } = row
  return { ...shown, orderId: row.kind === 'checkout' ? reference : null }
}

export function findCreditNoteData(
  db: Db,
  { tenantId, id }: Key,
): Promise<CreditNoteData | undefined> {
  return db
    .selectFrom('billing.credit_notes')
    .select(['id', 'number', 'invoiceId', 'invoiceNumber', 'userId', 'currency'])
    .select(['netCents', 'taxCents', 'totalCents', 'issuedAt'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findServiceData(
  db: Db,
  { tenantId, id }: Key,
): Promise<ServiceData | undefined> {
  const row = await db
    .selectFrom('services.services')
    .select(['id', 'userId', 'orderId', 'productId', 'planId', 'nodeId', 'currency', 'priceCents'])
    .select(['autoRenew', 'cancelAtPeriodEnd', 'currentPeriodStart', 'currentPeriodEnd'])
    .select(['createdAt', 'paidAt', 'failedAt', 'activatedAt', 'suspendedAt', 'endedAt'])
    .select('endReason')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { paidAt: _, failedAt: __, ...shown } = row
  return { ...shown, status: serviceStatusOf(row) }
}

export async function findTaskData(db: Db, { tenantId, id }: Key): Promise<TaskData | undefined> {
  return db
    .selectFrom('services.tasks as task')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'task.tenantId')
        .onRef('service.id', '=', 'task.serviceId'),
    )
    .select(['task.id', 'task.action', 'task.serviceId', 'service.userId'])
    .select(['task.createdAt', 'task.dueAt'])
    .where('task.tenantId', '=', tenantId)
    .where('task.id', '=', id)
    .executeTakeFirst()
}

export async function findDeliveryData(
  db: Db,
  { tenantId, id }: Key,
): Promise<DeliveryData | undefined> {
  const row = await db
    .selectFrom('services.deliveries as delivery')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'delivery.tenantId')
        .onRef('service.id', '=', 'delivery.serviceId'),
    )
    .select(['delivery.id', 'delivery.action', 'delivery.serviceId', 'service.userId'])
    .select(['delivery.createdAt', 'delivery.failedAt', 'delivery.failureCode as code'])
    .where('delivery.tenantId', '=', tenantId)
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  if (!row?.failedAt || !row.code) return undefined
  return { ...row, failedAt: row.failedAt, code: row.code }
}
