import { Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf } from '#lib/schema.ts'
import { CREDIT_REASONS, MONEY_TOPICS } from '#notifications'
import { event } from '#platform/events.ts'
import { INVOICE_KINDS } from './invoices/schema.ts'

const Customer = { tenantId: Id, userId: Id }

const Invoice = Type.Object({
  ...Customer,
  invoiceId: Id,
  kind: OneOf(INVOICE_KINDS),
  reference: Nullable(Id),
})

/** An invoice has got its number: its content does not change any more. */
export const invoiceIssued = event('billing.invoice-issued', Invoice)

/** Everything due on an invoice is paid: emitted once per settlement. */
export const invoicePaid = event('billing.invoice-paid', Invoice)

/** An invoice will not be paid: what was made or reserved for it is to be released. */
export const invoiceVoided = event('billing.invoice-voided', Invoice)

/** Part or all of an invoice is credited by a document of its own. */
export const creditNoteIssued = event(
  'billing.credit-note-issued',
  Type.Object({ ...Customer, creditNoteId: Id, invoiceId: Id }),
)

/** An attempt to pay has ended without money. `retry` says what may help. */
export const paymentFailed = event(
  'billing.payment-failed',
  Type.Object({
    ...Customer,
    attemptId: Id,
    invoiceIds: Type.Array(Id),
    purpose: OneOf(['checkout', 'renewal', 'setup', 'credit']),
    code: Type.String(),
    retry: Nullable(Type.String()),
  }),
)

/** Money of an invoice is refunded, to the means of payment or to the customer's credit. */
export const refundMade = event(
  'billing.refund-made',
  Type.Object({
    ...Customer,
    refundId: Id,
    invoiceId: Nullable(Id),
    creditNoteId: Nullable(Id),
    to: OneOf(['payment', 'credit']),
    amountCents: Amount,
    currency: Currency,
  }),
)

/** A customer has more credit than before; a refund to credit is reported as a refund instead. */
export const creditAdded = event(
  'billing.credit-added',
  Type.Object({
    ...Customer,
    amountCents: Amount,
    currency: Currency,
    why: OneOf(['refund', ...CREDIT_REASONS]),
  }),
)

/** A customer's bank took a payment back, or may do so; emitted at each change of state. */
export const disputed = event(
  'billing.disputed',
  Type.Object({
    ...Customer,
    disputeId: Id,
    paymentId: Id,
    invoiceIds: Type.Array(Id),
    state: Type.String(),
  }),
)

/** Something that only a person can put right. */
export const adminAttention = event(
  'billing.admin-attention',
  Type.Object({
    tenantId: Id,
    kind: OneOf(MONEY_TOPICS),
    data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
  }),
)
