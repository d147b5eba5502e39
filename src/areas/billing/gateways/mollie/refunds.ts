import type { RefundInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { ProviderRef, RefundSnapshot } from '../snapshots.ts'
import { type MollieApi, metadataOf } from './client.ts'
import { idIn, readPayment } from './payments.ts'
import { Refund } from './schema.ts'
import { amountFor, moneyOf, refundOf } from './snapshots.ts'

/**
 * Sends money back, once per refund of ours: Mollie forgets keys after an hour, so existing refunds
 * are read first. Throws `already_done` if the money was refunded in another way.
 */
export async function refund(api: MollieApi, input: RefundInput): Promise<RefundSnapshot> {
  const id = idIn(input.payment)
  const earlier = await fetchRefunds(api, input.payment)
  const ours = earlier.find(({ ourRefundId }) => ourRefundId === input.ourRefundId)
  if (ours) return ours
  try {
    const made = await api.write('POST', `payments/${encodeURIComponent(id)}/refunds`, Refund, {
      idempotencyKey: input.idempotencyKey,
      body: {
        amount: amountFor(input.amount),
        metadata: { ...metadataOf(input.correlation), refund_id: input.ourRefundId },
      },
    })
    return refundOf(made, api.context.now())
  } catch (error) {
    throw await refusalOf(api, id, input, error)
  }
}

/** We ask for more than is left only if there was a refund or chargeback that we do not know of. */
async function refusalOf(
  api: MollieApi,
  id: string,
  { amount }: RefundInput,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof GatewayError) || error.kind !== 'amount_not_allowed') return error
  const { amountRemaining, amountChargedBack } = await readPayment(api, id)
  const left = amountRemaining ? moneyOf(amountRemaining).amountCents : 0
  if (left >= amount.amountCents) return error
  if (amountChargedBack && moneyOf(amountChargedBack).amountCents > 0) {
    return new GatewayError('wrong_state', 'Mollie: the payment was charged back.')
  }
  return new GatewayError('already_done', 'Mollie: the payment was refunded already.')
}

/** All refunds of a payment, also those made in Mollie's dashboard. */
export async function fetchRefunds(
  api: MollieApi,
  payment: ProviderRef,
): Promise<readonly RefundSnapshot[]> {
  const observedAt = api.context.now()
  const { _embedded: parts } = await readPayment(api, idIn(payment))
  return (parts?.refunds ?? []).map((it) => refundOf(it, observedAt))
}
