import { Type } from 'typebox'
import { Id, OneOf, Timestamp } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

const Attempt = Type.Object({ tenantId: Id, attemptId: Id })
const Gateway = Type.Object({ tenantId: Id, gatewayId: Id })
const Method = Type.Object({ tenantId: Id, methodId: Id })
const Refund = Type.Object({ tenantId: Id, refundId: Id })

/** Asks a gateway what became of a payment attempt. */
export const checkAttempt = work('billing.check-attempt', Attempt)

/** Looks for the invoices that the entries of a bank statement pay. */
export const matchEntries = work(
  'billing.match-bank-entries',
  Type.Object({ tenantId: Id, statementId: Id }),
)

/** Deletes a customer at the gateways after the account was erased. */
export const forgetCustomer = work('billing.forget-customer', Type.Object({ tenantId: Id, id: Id }))

/** Makes the PDF of an invoice, a pro forma or a credit note. */
export const makeDocument = work(
  'billing.make-document',
  Type.Object({
    tenantId: Id,
    kind: OneOf(['invoice', 'pro_forma', 'credit_note']),
    sourceId: Id,
  }),
)

/** Registers our webhook address with a gateway. */
export const registerWebhook = work('billing.register-webhook', Gateway)

/** Books what a gateway's webhook announced. */
export const readEvent = work('billing.read-event', Type.Object({ tenantId: Id, eventId: Id }))

/** Asks a gateway for what changed since it was last asked. */
export const readChanges = work('billing.read-changes', Gateway)

/** Voids a pro forma that was not paid in time. */
export const voidUnpaid = work('billing.void-unpaid', Type.Object({ tenantId: Id, invoiceId: Id }))

/** Removes a saved payment method at its gateway. */
export const detachMethod = work('billing.detach-method', Method)

/** Makes a saved payment method the gateway's default for its customer. */
export const setDefaultMethod = work('billing.set-default-method', Method)

/** Compares a gateway's own list of movements with the ledger. */
export const compareBooks = work('billing.compare-books', Gateway)

/** Asks a gateway what became of a refund. */
export const checkRefund = work('billing.check-refund', Refund)

/** Orders a refund at its gateway. */
export const sendRefund = work('billing.send-refund', Refund)

/** Deletes documents of erased people whose retention period is over. */
export const forgetDocuments = work(
  'billing.forget-documents',
  Type.Object({ tenantId: Id, anonymizedAt: Timestamp }),
)
