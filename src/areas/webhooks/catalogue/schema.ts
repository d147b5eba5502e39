import { type Static, type TObject, Type } from 'typebox'
import { INVOICE_KINDS, INVOICE_STATUSES } from '#billing'
import { IncidentImpact, IncidentKind, IncidentStatus } from '#incidents'
import { ArticleAudience } from '#knowledge'
import {
  Amount,
  Country,
  Currency,
  Id,
  Locale,
  Named,
  Nullable,
  OneOf,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { OrderStatus } from '#orders'
import { DELIVERY_FAILURE_CODES, ServiceStatus, TASK_ACTIONS } from '#services'
import { TicketPriority, TicketStatus } from '#support'
import { UserStatus } from '#users'

/**
 * The data of messages. It identifies people by their id and nothing more: names and addresses can
 * be requested with it. Existing fields do not change; new ones may be added.
 */
export const VERSION = 1
const EventTime = Named('EventTime', { ...Timestamp, description: 'When it happened' })

export const UserData = Resource('UserEventData', {
  id: Id,
  status: UserStatus,
  country: Nullable(Country),
  locale: Locale,
  emailVerifiedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

export const OrderData = Resource('OrderEventData', {
  id: Id,
  number: Type.String(),
  status: OrderStatus,
  userId: Id,
  invoiceId: Id,
  totalCents: Amount,
  currency: Currency,
  createdAt: Timestamp,
  paidAt: Nullable(Timestamp),
  fulfilledAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
})

export const InvoiceData = Resource('InvoiceEventData', {
  id: Id,
  number: Nullable(Type.String({ description: 'Null while it is pro forma, and of a free trial' })),
  kind: OneOf(INVOICE_KINDS),
  status: OneOf(INVOICE_STATUSES),
  userId: Id,
  orderId: Nullable(Id),
  currency: Currency,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  paidCents: Amount,
  creditedCents: Amount,
  refundedCents: Amount,
  createdAt: Timestamp,
  issuedAt: Nullable(Timestamp),
  dueAt: Nullable(Timestamp),
  paidAt: Nullable(Timestamp),
  voidedAt: Nullable(Timestamp),
})

export const CreditNoteData = Type.Object({
  id: Id,
  number: Type.String(),
  invoiceId: Id,
  invoiceNumber: Type.String(),
  userId: Id,
  currency: Currency,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  issuedAt: Timestamp,
})

export const FailedPaymentData = Type.Object({
  id: { ...Id, description: 'The try to be paid' },
  userId: Id,
  invoiceIds: Type.Array(Id),
  purpose: OneOf(['checkout', 'renewal', 'setup', 'credit']),
  code: Type.String(),
})

export const DisputeData = Type.Object({
  id: Id,
  userId: Id,
  paymentId: Id,
  invoiceIds: Type.Array(Id),
  state: Type.String({
    description: 'inquiry, needs_response, under_review, won, lost or closed_without_loss',
  }),
})

export const RefundData = Type.Object({
  id: Id,
  userId: Id,
  invoiceId: Nullable(Id),
  creditNoteId: Nullable(Id),
  to: OneOf(['payment', 'credit']),
  amountCents: Amount,
  currency: Currency,
})

export const CreditData = Type.Object({
  userId: Id,
  amountCents: Amount,
  currency: Currency,
  reason: Type.String({ description: 'A word such as `goodwill`, `refund` or `overpaid`' }),
})

export const VoucherData = Type.Object({
  id: Id,
  batchId: Id,
  userId: Id,
  amountCents: Amount,
  currency: Currency,
})

export const ServiceData = Resource('ServiceEventData', {
  id: Id,
  status: ServiceStatus,
  userId: Id,
  orderId: Nullable(Id),
  productId: Id,
  planId: Id,
  nodeId: Nullable(Id),
  currency: Currency,
  priceCents: Amount,
  autoRenew: Type.Boolean(),
  cancelAtPeriodEnd: Type.Boolean(),
  currentPeriodStart: Nullable(Timestamp),
  currentPeriodEnd: Nullable(Timestamp),
  createdAt: Timestamp,
  activatedAt: Nullable(Timestamp),
  suspendedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  endReason: Nullable(Type.String()),
})

export const TaskData = Resource('TaskEventData', {
  id: Id,
  action: OneOf(TASK_ACTIONS),
  serviceId: Id,
  userId: Id,
  createdAt: Timestamp,
  dueAt: Timestamp,
})

export const DeliveryData = Resource('DeliveryEventData', {
  id: Id,
  action: OneOf(TASK_ACTIONS),
  code: OneOf(DELIVERY_FAILURE_CODES),
  serviceId: Id,
  userId: Id,
  createdAt: Timestamp,
  failedAt: Timestamp,
})

export const TicketData = Resource('TicketEventData', {
  id: Id,
  number: Type.String(),
  status: TicketStatus,
  priority: TicketPriority,
  departmentId: Id,
  assigneeId: Nullable(Id),
  userId: Id,
  serviceId: Nullable(Id),
  invoiceId: Nullable(Id),
  createdAt: Timestamp,
  lastMessageAt: Timestamp,
  closedAt: Nullable(Timestamp),
})

export const ArticleData = Resource('ArticleEventData', {
  id: Id,
  language: Locale,
  slug: Type.String(),
  version: Type.Integer(),
  categoryId: Id,
  audience: ArticleAudience,
  publishedAt: Timestamp,
})

const ByLanguage = Type.Unsafe<Record<string, string>>({
  ...{ type: 'object', additionalProperties: { type: 'string' } },
  description: 'By language',
})

export const IncidentData = Resource('IncidentEventData', {
  id: Id,
  kind: IncidentKind,
  impact: IncidentImpact,
  status: IncidentStatus,
  titles: ByLanguage,
  texts: Nullable({ ...ByLanguage, description: 'The words of the newest update, by language' }),
  nodeIds: Type.Array(Id),
  locationIds: Type.Array(Id),
  productIds: Type.Array(Id),
  startsAt: Timestamp,
  endsAt: Nullable(Timestamp),
  resolvedAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
})

export const CommissionData = Resource('CommissionEventData', {
  affiliateId: Id,
  amountCents: Amount,
  currency: Currency,
})

export const PingData = Type.Object({ endpointId: Id })

/** The body of a message of one type. */
export function messageOf(type: string, data: TObject) {
  return Type.Object({
    type: Type.Literal(type),
    version: Type.Literal(VERSION),
    timestamp: EventTime,
    data,
  })
}

export type UserData = Static<typeof UserData>
export type OrderData = Static<typeof OrderData>
export type InvoiceData = Static<typeof InvoiceData>
export type CreditNoteData = Static<typeof CreditNoteData>
export type DeliveryData = Static<typeof DeliveryData>
export type ArticleData = Static<typeof ArticleData>
export type IncidentData = Static<typeof IncidentData>
export type TicketData = Static<typeof TicketData>
export type TaskData = Static<typeof TaskData>
export type ServiceData = Static<typeof ServiceData>
