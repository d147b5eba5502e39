import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { failRefund } from './apply.ts'
import { findByProviderRefund, lockRefund, type RefundRow, updateRefund } from './queries.ts'

type Confirmation = {
  readonly tenantId: string
  readonly refundId: string
  readonly outcome: 'sent' | 'impossible'
  /** The bank's id of the transfer. */
  readonly reference?: string | undefined
}

/**
 * Ends a refund that a person sends: it has left the account, or it cannot be sent and becomes the
 * customer's credit (R3.7). Throws 404, 409 for a refund that has ended or that a provider sends,
 * and 409 for a reference of another refund.
 */
export async function confirmRefund(
  tx: Tx,
  { tenantId, refundId, outcome, reference }: Confirmation,
  isByHand: (refund: RefundRow) => Promise<boolean>,
  now: Instant,
): Promise<RefundRow> {
  const refund = await lockRefund(tx, tenantId, refundId)
  if (!refund) throw notFound('Refund')
  if (!(await isByHand(refund))) {
    throw conflict('The payment provider sends this refund.', 'refund_not_by_hand')
  }
  if (refund.state !== 'pending') {
    throw conflict(`This refund is ${refund.state} already.`, `refund_${refund.state}`)
  }
  if (outcome === 'sent') {
    const providerRefundId = reference ?? refund.providerRefundId ?? `manual:${refund.id}`
    await assertUnused(tx, refund, providerRefundId)
    return updateRefund(tx, refund, { state: 'succeeded', providerRefundId, endedAt: now })
  }
  await failRefund(tx, refund, { state: 'failed', code: 'impossible' }, now)
  const ended = await lockRefund(tx, tenantId, refundId)
  if (!ended) throw notFound('Refund')
  return ended
}

/** One transfer is one refund: a reference that was entered for two is a mistake. */
async function assertUnused(tx: Tx, refund: RefundRow, providerRefundId: string): Promise<void> {
  const { tenantId, id, gatewayId } = refund
  if (gatewayId === null) return
  const other = await findByProviderRefund(tx, { tenantId, gatewayId }, providerRefundId)
  if (!other || other.id === id) return
  throw conflict('Another refund has this reference.', 'reference_used')
}
