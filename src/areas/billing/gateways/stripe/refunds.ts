import type Stripe from 'stripe'
import type { RefundInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { ProviderRef, RefundSnapshot } from '../snapshots.ts'
import { amountFor } from './amounts.ts'
import { everyOf, idOf, metadataOf, type StripeApi } from './client.ts'
import { refundOf } from './snapshots.ts'

/**
 * Sends money back, once per refund of ours: Stripe forgets keys after a day, so existing refunds
 * are read first. Throws `already_done` if all of it was refunded in another way.
 */
export async function refund(api: StripeApi, input: RefundInput): Promise<RefundSnapshot> {
  const paymentId = await paymentIdOf(api, input.payment)
  const refunds = await refundsOf(api, paymentId)
  const ours = refunds.find(({ ourRefundId }) => ourRefundId === input.ourRefundId)
  if (ours) return ours
  const observedAt = api.context.now()
  return refundOf(await create(api, paymentId, input), observedAt)
}

/** All refunds of a payment, also those made in Stripe's dashboard, newest first. */
export async function fetchRefunds(
  api: StripeApi,
  payment: ProviderRef,
): Promise<readonly RefundSnapshot[]> {
  return refundsOf(api, await paymentIdOf(api, payment))
}

function create(api: StripeApi, paymentId: string, input: RefundInput): Promise<Stripe.Refund> {
  const { amount } = amountFor(input.amount)
  return api.write('refund', (sdk) =>
    sdk.refunds.create(
      {
        payment_intent: paymentId,
        amount,
        ...(input.reason && { reason: input.reason }),
        metadata: { ...metadataOf(input.correlation), refund_id: input.ourRefundId },
      },
      { idempotencyKey: input.idempotencyKey },
    ),
  )
}

async function refundsOf(api: StripeApi, paymentId: string): Promise<RefundSnapshot[]> {
  const observedAt = api.context.now()
  const refunds = api.list('refund', (sdk, page) =>
    sdk.refunds.list({ ...page, payment_intent: paymentId }),
  )
  return (await everyOf(refunds)).map((found) => refundOf(found, observedAt))
}

async function paymentIdOf(api: StripeApi, { paymentId, checkoutId }: ProviderRef) {
  if (paymentId) return paymentId
  if (!checkoutId) throw new GatewayError('invalid_request', 'Stripe: a payment without an id.')
  const session = await api.read('checkout.session', (sdk) =>
    sdk.checkout.sessions.retrieve(checkoutId),
  )
  const found = idOf(session.payment_intent)
  if (!found) throw new GatewayError('wrong_state', 'Stripe: nothing was paid in this session.')
  return found
}
