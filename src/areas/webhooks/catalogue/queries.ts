import { incidentStatusOf } from '#incidents'
import type { Locale } from '#lib/languages.ts'
import type { Instant } from '#lib/time.ts'
import { orderStatusOf } from '#orders'
import type { Db } from '#platform/database/index.ts'
import { serviceStatusOf } from '#services'
import { ticketStatusOf } from '#support'
import { userStatusOf } from '#users'
import type {
  ArticleData,
  CreditNoteData,
  DeliveryData,
  IncidentData,
  InvoiceData,
  OrderData,
  ServiceData,
  TaskData,
  TicketData,
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

export async function findTicketData(
  db: Db,
  { tenantId, id }: Key,
): Promise<TicketData | undefined> {
  const row = await db
    .selectFrom('support.tickets as ticket')
    .innerJoin('support.participants as requester', (join) =>
      join
        .onRef('requester.tenantId', '=', 'ticket.tenantId')
        .onRef('requester.ticketId', '=', 'ticket.id')
        .on('requester.role', '=', 'requester'),
    )
    .select(['ticket.id', 'ticket.number', 'ticket.priority', 'ticket.departmentId'])
    .select(['ticket.assigneeId', 'requester.userId', 'ticket.serviceId', 'ticket.invoiceId'])
    .select(['ticket.createdAt', 'ticket.lastMessageAt', 'ticket.closedAt'])
    .select(['ticket.onHoldAt', 'ticket.waitingSince'])
    .where('ticket.tenantId', '=', tenantId)
    .where('ticket.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { onHoldAt, waitingSince, ...data } = row
  return { ...data, status: ticketStatusOf({ ...data, onHoldAt, waitingSince }) }
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

/** An incident or maintenance as it is now, with its newest update; undefined for an unknown one. */
export async function findIncidentData(
  db: Db,
  { tenantId, id, now }: Key & { now: Instant },
): Promise<IncidentData | undefined> {
  const row = await db
    .selectFrom('incidents.incidents as incident')
    .select(['id', 'kind', 'impact', 'titles', 'nodeIds', 'locationIds', 'productIds'])
    .select(['state', 'startsAt', 'endsAt', 'publishedAt', 'resolvedAt', 'canceledAt'])
    .select((it) =>
      it
        .selectFrom('incidents.updates as update')
        .select('update.texts')
        .whereRef('update.tenantId', '=', 'incident.tenantId')
        .whereRef('update.incidentId', '=', 'incident.id')
        .orderBy('update.id', 'desc')
        .limit(1)
        .as('texts'),
    )
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { state: _, publishedAt: __, ...shown } = row
  return { ...shown, status: incidentStatusOf(row, now) }
}

type ArticleKey = Key & { readonly language: Locale; readonly versionId: string }

/** A version of a help article, and where its article stands now. */
export function findArticleData(
  db: Db,
  { tenantId, id, language, versionId }: ArticleKey,
): Promise<ArticleData | undefined> {
  return db
    .selectFrom('knowledge.articles as article')
    .innerJoin('knowledge.texts as text', (join) =>
      join
        .onRef('text.tenantId', '=', 'article.tenantId')
        .onRef('text.articleId', '=', 'article.id'),
    )
    .innerJoin('knowledge.versions as version', (join) =>
      join
        .onRef('version.tenantId', '=', 'text.tenantId')
        .onRef('version.articleId', '=', 'text.articleId')
        .onRef('version.locale', '=', 'text.locale'),
    )
    .select(['article.id', 'article.categoryId', 'article.audience', 'text.slug'])
    .select(['version.locale as language', 'version.number as version', 'version.publishedAt'])
    .where('article.tenantId', '=', tenantId)
    .where('article.id', '=', id)
    .where('version.locale', '=', language)
    .where('version.id', '=', versionId)
    .executeTakeFirst()
}
