import { notify, notifyAdmins } from '#notifications'
import { onEvent } from '#platform/events.ts'
import { findAttempt, invoiceIdsOf } from './attempts/queries.ts'
import { failureOf } from './attempts/rules.ts'
import { adminAttention, creditAdded, invoicePaid, paymentFailed, refundMade } from './events.ts'
import { findInvoice } from './invoices/queries.ts'

const INVOICES = '/invoices'

/** Tells the customer that an invoice is paid. */
export const tellOfPaidInvoice = onEvent(
  invoicePaid,
  'billing.tell-of-paid-invoice',
  async ({ db, now, transact }, { tenantId, userId, invoiceId }) => {
    const invoice = await findInvoice(db, { tenantId, invoiceId })
    if (!invoice?.number || invoice.totalCents === 0) return
    const { number, totalCents: amountCents, currency } = invoice
    const data = { number, amountCents, currency }
    const link = `${INVOICES}/${invoiceId}`
    const notice = { tenantId, userId, kind: 'invoice_paid' as const, data, link }
    await transact((tx) => notify(tx, notice, now))
  },
)

/** Tells the customer that a payment failed, or that the bank wants their confirmation. */
export const tellOfFailedPayment = onEvent(
  paymentFailed,
  'billing.tell-of-failed-payment',
  async ({ db, now, transact }, { tenantId, userId, attemptId, retry }) => {
    const attempt = await findAttempt(db, { tenantId, attemptId })
    if (!attempt || attempt.purpose === 'setup') return
    const [invoiceId] = await invoiceIdsOf(db, attempt)
    const invoice = invoiceId ? await findInvoice(db, { tenantId, invoiceId }) : undefined
    // No notice if the invoice has been settled meanwhile in another way.
    if (invoice?.status !== 'open') return
    const { amountCents, currency } = attempt
    const about = { number: invoice.number, amountCents, currency }
    const to = { tenantId, userId, link: `${INVOICES}/${invoice.id}` }
    const why = failureOf(attempt.failureKey ?? 'declined')
    await transact((tx) =>
      retry === 'customer_action'
        ? notify(tx, { ...to, kind: 'payment_action_required', data: about }, now)
        : notify(tx, { ...to, kind: 'payment_failed', data: { ...about, why } }, now),
    )
  },
)

/** Tells the customer about a refund. */
export const tellOfRefund = onEvent(
  refundMade,
  'billing.tell-of-refund',
  async ({ db, now, transact }, { tenantId, userId, invoiceId, to, amountCents, currency }) => {
    const invoice = invoiceId ? await findInvoice(db, { tenantId, invoiceId }) : undefined
    if (!invoice?.number) return
    const data = { number: invoice.number, amountCents, currency, toCredit: to === 'credit' }
    const link = `${INVOICES}/${invoice.id}`
    const notice = { tenantId, userId, kind: 'refund_made' as const, data, link }
    await transact((tx) => notify(tx, notice, now))
  },
)

/** Tells the customer about new credit; a refund to credit has a notice of its own. */
export const tellOfCredit = onEvent(
  creditAdded,
  'billing.tell-of-credit',
  async ({ now, transact }, { tenantId, userId, amountCents, currency, why }) => {
    if (why === 'refund') return
    const data = { amountCents, currency, why }
    const notice = { tenantId, userId, kind: 'credit_added' as const, data }
    await transact((tx) => notify(tx, { ...notice, link: '/payment' }, now))
  },
)

/** Tells the administrators about a problem that only a person can solve. */
export const tellOfAttention = onEvent(
  adminAttention,
  'billing.tell-of-attention',
  async ({ now, transact }, { tenantId, kind, data }) => {
    await transact((tx) => notifyAdmins(tx, { tenantId, topic: kind, facts: data }, now))
  },
)
