import { HOUR_MS, later } from '#lib/time.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { connect, driverOf } from '../gateways/connection.ts'
import { findGateway } from '../gateways/queries.ts'
import { findPayment } from '../payments/queries.ts'
import { checkRefund } from '../work.ts'
import { applyRefund } from './apply.ts'
import { findRefund, listWaiting } from './queries.ts'

const BATCH = 500

/** Asks for the state of an unfinished refund: some providers do not report a failure. */
export const checkRefundJob = job(
  checkRefund,
  async (context, { tenantId, refundId }) => {
    const { db, now, transact, signal } = context
    const refund = await findRefund(db, tenantId, refundId)
    if (refund?.state !== 'pending' || !refund.paymentId || !refund.gatewayId) return
    const payment = await findPayment(db, tenantId, refund.paymentId)
    const row = await findGateway(db, { tenantId, gatewayId: refund.gatewayId })
    if (!payment || !row) return
    const { driver, context: gateway } = await connect(context, row, signal)
    const paymentId = payment.providerPaymentId
    const all = await driver.fetchRefunds(gateway, { paymentId })
    const own = all.find((it) => it.refundId === refund.providerRefundId)
    if (!own) return
    await transact((tx) => applyRefund(tx, { tenantId, gatewayId: row.id }, own, now))
  },
  // The next check comes within the hour.
  { retries: 0 },
)

/** Finds refunds that are pending for an hour or longer; those a person sends are left out. */
export const findPendingRefunds = schedule(
  'billing.find-pending-refunds',
  HOUR_MS,
  async ({ db, now, config, transact }) => {
    const waiting = await listWaiting(db, later(now, -HOUR_MS), BATCH)
    await transact(async (tx) => {
      for (const { tenantId, id: refundId, driver } of waiting) {
        if (driverOf(config, driver)?.capabilities.refund !== 'full-and-partial') continue
        await enqueue(tx, checkRefund, { tenantId, refundId }, { key: refundId })
      }
    })
  },
)
