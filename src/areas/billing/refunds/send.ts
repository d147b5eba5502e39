import type { JobContext } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { job } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { type Connection, connect, correlationFor, keyFor } from '../gateways/connection.ts'
import { GatewayError } from '../gateways/error.ts'
import { findGateway, type GatewayKey } from '../gateways/queries.ts'
import type { RefundSnapshot } from '../gateways/snapshots.ts'
import { findPayment, type PaymentRow } from '../payments/queries.ts'
import { sendRefund } from '../work.ts'
import { applyRefund, failRefund } from './apply.ts'
import { findRefund, type RefundRow, updateRefund } from './queries.ts'

/** Errors after which the same call is tried again with the same key. */
const AGAIN = new Set<GatewayError['kind']>([
  ...(['unavailable', 'rate_limited', 'unknown_outcome', 'in_progress', 'credentials'] as const),
])

/** Tells the provider to send money back. Our row's id is the key, so it is sent once. */
export const sendRefundJob = job(sendRefund, async (context, { tenantId, refundId }) => {
  const refund = await findRefund(context.db, tenantId, refundId)
  if (refund?.state !== 'pending' || refund.providerRefundId !== null) return
  if (refund.paymentId === null || refund.gatewayId === null) return
  const payment = await findPayment(context.db, tenantId, refund.paymentId)
  const row = await findGateway(context.db, { tenantId, gatewayId: refund.gatewayId })
  if (!payment || !row) return
  const connection = await connect(context, row, context.signal)
  try {
    await send(context, connection, { refund, payment })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    await notSent(context, connection, { refund, payment }, error)
  }
})

type Sending = { refund: RefundRow; payment: PaymentRow }

async function send(
  context: JobContext,
  connection: Connection,
  { refund, payment }: Sending,
): Promise<void> {
  const { driver, context: gateway } = connection
  if (refund.sentAt !== null && driver.capabilities.refund !== 'manual') {
    // An earlier attempt may have reached the provider, which may have forgotten the key.
    const earlier = (await refundsAt(connection, payment)).find(
      ({ ourRefundId }) => ourRefundId === refund.id,
    )
    if (earlier) return apply(context, connection, earlier)
  }
  await context.transact((tx) => updateRefund(tx, refund, { sentAt: context.now }))
  const { id: ourRefundId, amountCents, currency, invoiceId } = refund
  const attemptId = payment.attemptId ?? payment.id
  const snapshot = await driver.refund(gateway, {
    idempotencyKey: keyFor(connection, 'refund', refund.id),
    ourRefundId,
    payment: { paymentId: payment.providerPaymentId },
    amount: { amountCents, currency },
    reason: 'requested_by_customer',
    correlation: correlationFor(connection, { attemptId, invoiceId: invoiceId ?? undefined }),
  })
  await apply(context, connection, snapshot)
  if (driver.capabilities.refund === 'manual') await askPerson(context, refund)
}

function refundsAt({ driver, context }: Connection, { providerPaymentId }: PaymentRow) {
  return driver.fetchRefunds(context, { paymentId: providerPaymentId })
}

function keyOf({ row }: Connection): GatewayKey {
  return { tenantId: row.tenantId, gatewayId: row.id }
}

async function apply(
  context: JobContext,
  connection: Connection,
  snapshot: RefundSnapshot,
): Promise<void> {
  const gateway = keyOf(connection)
  await context.transact((tx) => applyRefund(tx, gateway, snapshot, context.now))
}

async function askPerson(context: JobContext, refund: RefundRow): Promise<void> {
  const { tenantId, id: refundId, userId, amountCents, currency } = refund
  const data = { refundId, userId, amountCents, currency }
  await context.transact((tx) =>
    emit(tx, adminAttention, { tenantId, kind: 'refund_by_hand', data }),
  )
}

async function notSent(
  context: JobContext,
  connection: Connection,
  { refund, payment }: Sending,
  error: GatewayError,
): Promise<void> {
  if (AGAIN.has(error.kind)) {
    if (context.lastTry) await tellStuck(context, refund, error)
    throw error
  }
  if (error.kind === 'already_done') return takeOver(context, connection, { refund, payment })
  await fail(context, refund, error.providerCode ?? error.kind)
}

/**
 * The money was refunded in another way. A refund of the same amount is taken as ours; without one
 * ours has failed, and the others are taken over.
 */
async function takeOver(
  context: JobContext,
  connection: Connection,
  { refund, payment }: Sending,
): Promise<void> {
  const all = await refundsAt(connection, payment)
  const same = all.filter(({ amount }) => amount.amountCents === refund.amountCents)
  for (const snapshot of same) await apply(context, connection, snapshot)
  await fail(context, refund, 'already_refunded')
  for (const snapshot of all) await apply(context, connection, snapshot)
}

/** Fails a refund that no provider knows of; one that was matched meanwhile stays as it is. */
async function fail(context: JobContext, { tenantId, id }: RefundRow, code: string): Promise<void> {
  await context.transact(async (tx) => {
    const refund = await findRefund(tx, tenantId, id)
    if (refund?.state !== 'pending' || refund.providerRefundId !== null) return
    await failRefund(tx, refund, { state: 'failed', code }, context.now)
  })
}

async function tellStuck(
  context: JobContext,
  { tenantId, id: refundId, amountCents, currency }: RefundRow,
  { message }: GatewayError,
): Promise<void> {
  const data = { refundId, amountCents, currency, message }
  await context.transact((tx) =>
    emit(tx, adminAttention, { tenantId, kind: 'refund_not_sent', data }),
  )
}
