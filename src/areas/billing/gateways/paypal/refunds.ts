import type { RefundInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { RefundSnapshot } from '../snapshots.ts'
import type { PaypalApi } from './client.ts'
import { Refund } from './schema.ts'
import { amountFor, refundMarkFor, refundOf } from './snapshots.ts'

/** Refunds money of a capture; PayPal remembers the key of a refund for 45 days. */
export async function refund(api: PaypalApi, input: RefundInput): Promise<RefundSnapshot> {
  const { paymentId } = input.payment
  if (!paymentId) throw new GatewayError('invalid_request', 'PayPal: a payment without an id.')
  const made = await api.write(
    `/v2/payments/captures/${encodeURIComponent(paymentId)}/refund`,
    Refund,
    {
      idempotencyKey: input.idempotencyKey,
      body: { amount: amountFor(input.amount), custom_id: refundMarkFor(input.ourRefundId) },
    },
  )
  return refundOf(made, paymentId, api.context.now())
}
