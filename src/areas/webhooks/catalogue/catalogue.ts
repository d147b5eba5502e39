import type { Static, TObject, TSchema } from 'typebox'
import { commissionChanged } from '#affiliation'
import {
  creditAdded,
  creditNoteIssued,
  disputed,
  invoiceIssued,
  invoicePaid,
  invoiceVoided,
  paymentFailed,
  refundMade,
} from '#billing'
import { incidentOpened, incidentResolved, incidentUpdated } from '#incidents'
import { articlePublished, articleWithdrawn } from '#knowledge'
import type { Locale } from '#lib/languages.ts'
import type { Instant } from '#lib/time.ts'
import { ordersCanceled, ordersFulfilled, ordersPlaced } from '#orders'
import type { Db } from '#platform/database/index.ts'
import type { EventType } from '#platform/events.ts'
import {
  deliveryFailed,
  serviceActivated,
  serviceEnded,
  serviceFailed,
  serviceReactivated,
  serviceRenewed,
  serviceSuspended,
  serviceUpgraded,
  taskCreated,
} from '#services'
import { ticketAssigned, ticketClosed, ticketOpened, ticketReopened, ticketReplied } from '#support'
import { userDeleted, userRegistered, userSuspended, userUnsuspended } from '#users'
import { voucherRedeemed } from '#vouchers'
import {
  findArticleData,
  findCreditNoteData,
  findDeliveryData,
  findIncidentData,
  findInvoiceData,
  findOrderData,
  findServiceData,
  findTaskData,
  findTicketData,
  findUserData,
} from './queries.ts'
import {
  ArticleData,
  CommissionData,
  CreditData,
  CreditNoteData,
  DeliveryData,
  DisputeData,
  FailedPaymentData,
  IncidentData,
  InvoiceData,
  OrderData,
  PingData,
  RefundData,
  ServiceData,
  TaskData,
  TicketData,
  UserData,
  VoucherData,
} from './schema.ts'

/** The content of a message: its data, the object it is about, and the person it is about. */
export type Told = {
  readonly data: Readonly<Record<string, unknown>>
  readonly objectId: string | null
  readonly userId: string | null
}

/** One public type of message: its name, its content, and the event that causes it. */
export type MessageType = {
  readonly type: string
  readonly description: string
  readonly data: TObject
  readonly event: EventType
  /** Whether an event is sent as this type; each event is sent as one type at most. */
  readonly fits: (facts: never) => boolean
  /** Its content, as things are now. Null if its object is gone. */
  readonly tell: (db: Db, facts: never, now: Instant) => Promise<Told | null>
}

type Named<P extends TSchema, D extends TObject> = {
  type: string
  description: string
  event: EventType<P>
  data: D
  fits?: (facts: Static<P>) => boolean
  tell: (db: Db, facts: Static<P>, now: Instant) => Promise<Told | null> | Told
}

function message<P extends TSchema, D extends TObject>(named: Named<P, D>): MessageType {
  const { tell, fits = () => true, ...rest } = named
  return { ...rest, fits, tell: async (db, facts, now) => tell(db, facts, now) }
}

type OfUser = { tenantId: string; userId: string }

async function user(db: Db, { tenantId, userId }: OfUser): Promise<Told | null> {
  const data = await findUserData(db, { tenantId, id: userId })
  return data ? { data, objectId: userId, userId } : null
}

async function order(db: Db, { tenantId, orderId }: OfUser & { orderId: string }) {
  const data = await findOrderData(db, { tenantId, id: orderId })
  return data ? { data, objectId: orderId, userId: data.userId } : null
}

async function invoice(db: Db, { tenantId, invoiceId }: OfUser & { invoiceId: string }) {
  const data = await findInvoiceData(db, { tenantId, id: invoiceId })
  return data ? { data, objectId: invoiceId, userId: data.userId } : null
}

async function service(db: Db, { tenantId, serviceId }: OfUser & { serviceId: string }) {
  const data = await findServiceData(db, { tenantId, id: serviceId })
  return data ? { data, objectId: serviceId, userId: data.userId } : null
}

async function task(db: Db, { tenantId, id }: { tenantId: string; id: string }) {
  const data = await findTaskData(db, { tenantId, id })
  return data ? { data, objectId: id, userId: data.userId } : null
}

async function ticket(db: Db, { tenantId, ticketId }: { tenantId: string; ticketId: string }) {
  const data = await findTicketData(db, { tenantId, id: ticketId })
  return data ? { data, objectId: ticketId, userId: data.userId } : null
}

type OfArticle = { tenantId: string; articleId: string; language: Locale; versionId: string }

async function article(db: Db, { tenantId, articleId: id, language, versionId }: OfArticle) {
  const data = await findArticleData(db, { tenantId, id, language, versionId })
  return data ? { data, objectId: id, userId: null } : null
}

type OfIncident = { tenantId: string; incidentId: string }

async function incident(db: Db, { tenantId, incidentId: id }: OfIncident, now: Instant) {
  const data = await findIncidentData(db, { tenantId, id, now })
  return data ? { data, objectId: id, userId: null } : null
}

async function delivery(db: Db, { tenantId, id }: { tenantId: string; id: string }) {
  const data = await findDeliveryData(db, { tenantId, id })
  return data ? { data, objectId: data.serviceId, userId: data.userId } : null
}

const ofUser = { data: UserData, tell: user }
const ofOrder = { data: OrderData, tell: order }
const ofInvoice = { data: InvoiceData, tell: invoice }
const ofTicket = { data: TicketData, tell: ticket }
const ofArticle = { data: ArticleData, tell: article }
const ofIncident = { data: IncidentData, tell: incident }
const ofService = { data: ServiceData, tell: service }

const users: readonly MessageType[] = [
  message({
    ...{ type: 'user.registered', description: 'An account was created' },
    ...{ event: userRegistered, ...ofUser },
  }),
  message({
    ...{ type: 'user.suspended', description: 'An account was suspended' },
    ...{ event: userSuspended, ...ofUser },
  }),
  message({
    ...{ type: 'user.unsuspended', description: 'An account is no longer suspended' },
    ...{ event: userUnsuspended, ...ofUser },
  }),
  message({
    ...{ type: 'user.deleted', description: 'An account was deleted, and its data made anonymous' },
    ...{ event: userDeleted, ...ofUser },
  }),
]

const orders: readonly MessageType[] = [
  message({
    ...{ type: 'order.placed', description: 'A customer ordered' },
    ...{ event: ordersPlaced, ...ofOrder },
  }),
  message({
    ...{ type: 'order.fulfilled', description: 'All services of an order are active' },
    ...{ event: ordersFulfilled, ...ofOrder },
  }),
  message({
    ...{ type: 'order.canceled', description: 'An order was not paid, or could not be served' },
    ...{ event: ordersCanceled, ...ofOrder },
  }),
]

const invoices: readonly MessageType[] = [
  message({
    ...{ type: 'invoice.issued', description: 'An invoice got its number' },
    ...{ event: invoiceIssued, ...ofInvoice },
  }),
  message({
    ...{ type: 'invoice.paid', description: 'Everything due on an invoice has come in' },
    ...{ event: invoicePaid, ...ofInvoice },
  }),
  message({
    ...{ type: 'invoice.voided', description: 'An invoice will not be paid' },
    ...{ event: invoiceVoided, ...ofInvoice },
  }),
  message({
    ...{ type: 'credit_note.issued', description: 'A credit note got its number' },
    ...{ event: creditNoteIssued, data: CreditNoteData },
    async tell(db, { tenantId, creditNoteId: id, userId }) {
      const data = await findCreditNoteData(db, { tenantId, id })
      return data ? { data, objectId: id, userId } : null
    },
  }),
]

const payments: readonly MessageType[] = [
  message({
    ...{ type: 'payment.failed', description: 'A try to be paid ended without money' },
    ...{ event: paymentFailed, data: FailedPaymentData },
    tell(_db, { attemptId: id, userId, invoiceIds, purpose, code }) {
      return { data: { id, userId, invoiceIds, purpose, code }, objectId: id, userId }
    },
  }),
  message({
    ...{ type: 'payment.disputed', description: 'A dispute was opened, or its state changed' },
    ...{ event: disputed, data: DisputeData },
    tell(_db, { disputeId: id, userId, paymentId, invoiceIds, state }) {
      return { data: { id, userId, paymentId, invoiceIds, state }, objectId: id, userId }
    },
  }),
  message({
    ...{ type: 'refund.made', description: 'Money of an invoice goes back' },
    ...{ event: refundMade, data: RefundData },
    tell(_db, { refundId: id, userId, invoiceId, creditNoteId, to, amountCents, currency }) {
      const data = { id, userId, invoiceId, creditNoteId, to, amountCents, currency }
      return { data, objectId: id, userId }
    },
  }),
  message({
    ...{ type: 'credit.added', description: 'A customer has more credit than before' },
    ...{ event: creditAdded, data: CreditData },
    tell(_db, { userId, amountCents, currency, why: reason }) {
      return { data: { userId, amountCents, currency, reason }, objectId: userId, userId }
    },
  }),
  message({
    ...{ type: 'voucher.redeemed', description: 'A customer has turned a voucher into credit' },
    ...{ event: voucherRedeemed, data: VoucherData },
    tell(_db, { voucherId: id, batchId, userId, amountCents, currency }) {
      return { data: { id, batchId, userId, amountCents, currency }, objectId: id, userId }
    },
  }),
]

const services: readonly MessageType[] = [
  message({
    ...{ type: 'service.activated', description: 'A service is delivered and can be used' },
    ...{ event: serviceActivated, ...ofService },
  }),
  message({
    ...{ type: 'service.failed', description: 'A service could not be delivered' },
    ...{ event: serviceFailed, ...ofService },
  }),
  message({
    ...{ type: 'service.renewed', description: 'The next period of a service began, and is paid' },
    ...{ event: serviceRenewed, ...ofService },
  }),
  message({
    ...{ type: 'service.upgraded', description: 'A service is on another product or plan' },
    ...{ event: serviceUpgraded, ...ofService },
  }),
  message({
    ...{ type: 'service.suspended', description: 'The server of a service is suspended' },
    ...{ event: serviceSuspended, ...ofService },
  }),
  message({
    ...{ type: 'service.unsuspended', description: 'The server of a service is back' },
    ...{ event: serviceReactivated, ...ofService },
  }),
  message({
    ...{ type: 'service.ended', description: 'A service has ended' },
    ...{ event: serviceEnded, ...ofService },
  }),
  message({
    ...{
      type: 'service.delivery_failed',
      description: 'A delivery was refused by the system that delivers the product',
    },
    ...{ event: deliveryFailed, data: DeliveryData, tell: delivery },
  }),
  message({
    ...{ type: 'task.created', description: 'Staff have something to do for a service' },
    ...{ event: taskCreated, data: TaskData, tell: task },
  }),
]

const tickets: readonly MessageType[] = [
  message({
    ...{ type: 'ticket.opened', description: 'A ticket was opened, by a customer or by staff' },
    ...{ event: ticketOpened, ...ofTicket },
  }),
  message({
    ...{ type: 'ticket.customer_replied', description: 'A customer wrote on a ticket' },
    ...{ event: ticketReplied, ...ofTicket },
    fits: (facts) => facts.by === 'customer',
  }),
  message({
    ...{ type: 'ticket.answered', description: 'Staff wrote to the customer of a ticket' },
    ...{ event: ticketReplied, ...ofTicket },
    fits: (facts) => facts.by === 'staff',
  }),
  message({
    ...{ type: 'ticket.assigned', description: 'A ticket was assigned to other staff, or to none' },
    ...{ event: ticketAssigned, ...ofTicket },
  }),
  message({
    ...{ type: 'ticket.closed', description: 'A ticket was closed' },
    ...{ event: ticketClosed, ...ofTicket },
  }),
  message({
    ...{ type: 'ticket.reopened', description: 'A closed ticket was opened again' },
    ...{ event: ticketReopened, ...ofTicket },
  }),
]

const articles: readonly MessageType[] = [
  message({
    ...{ type: 'article.published', description: 'Readers see a new version of a help article' },
    ...{ event: articlePublished, ...ofArticle },
  }),
  message({
    ...{ type: 'article.withdrawn', description: 'Readers no longer see a help article' },
    ...{ event: articleWithdrawn, ...ofArticle },
  }),
]

const incidents: readonly MessageType[] = [
  message({
    ...{ type: 'incident.opened', description: 'An incident or planned maintenance was published' },
    ...{ event: incidentOpened, ...ofIncident },
  }),
  message({
    ...{
      type: 'incident.updated',
      description: 'Staff wrote an update of an incident or maintenance, or canceled maintenance',
    },
    ...{ event: incidentUpdated, ...ofIncident },
  }),
  message({
    ...{ type: 'incident.resolved', description: 'An incident or maintenance is over' },
    ...{ event: incidentResolved, ...ofIncident },
  }),
]

const COMMISSIONS = {
  earned: 'Commission arose',
  available: 'Commission can be used',
  reversed: 'Commission was taken back',
  restored: 'A reversed commission was restored',
} as const

const commissions: readonly MessageType[] = Object.entries(COMMISSIONS).map(([change, what]) =>
  message({
    ...{ type: `commission.${change}`, description: what },
    ...{ event: commissionChanged, data: CommissionData },
    fits: (facts) => facts.change === change,
    tell(_db, { affiliateId, amountCents, currency }) {
      return { data: { affiliateId, amountCents, currency }, objectId: affiliateId, userId: null }
    },
  }),
)

/** Every type of message except the ping. */
export const CATALOGUE: readonly MessageType[] = [
  ...[...users, ...orders, ...invoices, ...payments, ...services, ...tickets, ...articles],
  ...incidents,
  ...commissions,
]

/** The message that a test of an endpoint sends. */
export const PING = {
  type: 'endpoint.ping',
  description: 'Staff sent a test to this endpoint',
  data: PingData,
} as const

/** The type that an event is sent as; undefined for an event that is not sent. */
export function typeOf(event: string, facts: unknown): MessageType | undefined {
  return CATALOGUE.find((it) => it.event.name === event && it.fits(facts as never))
}
