import { findInvoice, invoicePaid, invoiceVoided } from '#billing'
import { onEvent } from '#platform/events.ts'
import { serviceActivated, serviceEnded } from '#services'
import { cancelOrder, fulfillOrder, returnUndelivered, settleOrder } from './actions.ts'
import { surveyOrder } from './servers.ts'

export const orderPaid = onEvent(
  invoicePaid,
  'orders.invoice-paid',
  async (context, { tenantId, kind, reference, invoiceId }) => {
    if (kind !== 'checkout' || !reference) return
    const { db, transact, now } = context
    const key = { tenantId, id: reference }
    const invoice = await findInvoice(db, { tenantId, invoiceId })
    const paidAt = invoice?.paidAt ?? now
    const room = await surveyOrder(context, db, key, now)
    await transact((tx) => settleOrder(tx, key, { paidAt, room }, now))
  },
  { concurrency: 4 },
)

export const orderVoided = onEvent(
  invoiceVoided,
  'orders.invoice-voided',
  async ({ transact, now }, { tenantId, kind, reference, invoiceId }) => {
    if (kind !== 'checkout' || !reference) return
    await transact((tx) => cancelOrder(tx, { tenantId, id: reference, invoiceId }, now))
  },
)

export const orderServed = onEvent(
  serviceActivated,
  'orders.service-activated',
  async ({ transact, now }, { tenantId, orderId }) => {
    if (orderId) await transact((tx) => fulfillOrder(tx, { tenantId, id: orderId }, now))
  },
)

export const orderNotServed = onEvent(
  serviceEnded,
  'orders.service-ended',
  async ({ transact, now }, { tenantId, orderId }) => {
    if (orderId) await transact((tx) => returnUndelivered(tx, { tenantId, id: orderId }, now))
  },
)
