import type Stripe from 'stripe'
import type { ChargeSavedInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { PaymentSnapshot } from '../snapshots.ts'
import { amountFor } from './amounts.ts'
import { idOf, metadataOf, type StripeApi, wasReplayed } from './client.ts'
import { declineOf } from './declines.ts'
import { disputesOf, PAYMENT_PARTS } from './payments.ts'
import { paymentOf } from './snapshots.ts'

type Intent = Stripe.PaymentIntent

/** Charges a saved method without the customer. */
export async function chargeSaved(
  api: StripeApi,
  input: ChargeSavedInput,
): Promise<PaymentSnapshot> {
  let observedAt = api.context.now()
  let intent = await charge(api, input)
  if (wasReplayed(intent)) {
    observedAt = api.context.now()
    const { id } = intent
    intent = await api.read('payment_intent', (sdk) =>
      sdk.paymentIntents.retrieve(id, { expand: PAYMENT_PARTS }),
    )
  }
  assertCharged(intent)
  return paymentOf(intent, { disputes: await disputesOf(api, intent), observedAt })
}

async function charge(api: StripeApi, input: ChargeSavedInput): Promise<Intent> {
  const { customerId, methodId, correlation, description, idempotencyKey } = input
  try {
    return await api.write('payment_intent', (sdk) =>
      sdk.paymentIntents.create(
        {
          ...amountFor(input.amount),
          customer: customerId,
          payment_method: methodId,
          off_session: true,
          confirm: true,
          description,
          metadata: metadataOf(correlation),
          expand: PAYMENT_PARTS,
        },
        { idempotencyKey },
      ),
    )
  } catch (error) {
    if (await isMethodGone(api, error, input)) {
      throw new GatewayError('method_gone', 'Stripe: the saved method is no longer the customer’s.')
    }
    throw error
  }
}

/** Stripe has no error code for a method that was removed, so the method is read. */
async function isMethodGone(
  api: StripeApi,
  error: unknown,
  { customerId, methodId }: ChargeSavedInput,
): Promise<boolean> {
  if (!(error instanceof GatewayError)) return false
  if (!['not_found', 'invalid_request', 'wrong_state'].includes(error.kind)) return false
  try {
    const method = await api.read('payment_method', (sdk) => sdk.paymentMethods.retrieve(methodId))
    return idOf(method.customer) !== customerId
  } catch (failure) {
    if (failure instanceof GatewayError) return failure.kind === 'not_found'
    throw failure
  }
}

function assertCharged(intent: Intent): void {
  const { status, last_payment_error: failure } = intent
  if (status === 'succeeded' || status === 'processing') return
  const customerId = idOf(intent.customer)
  const ref = { paymentId: intent.id, ...(customerId && { customerId }) }
  if (status === 'requires_action') {
    const decline = declineOf({ code: 'authentication_required' })
    throw new GatewayError('authentication_required', 'Stripe: the bank wants the customer.', {
      ref,
      decline,
    })
  }
  if (status === 'requires_payment_method') {
    throw new GatewayError('declined', 'Stripe: the bank declined.', {
      ref,
      decline: declineOf(failure ?? {}),
    })
  }
  throw new GatewayError('wrong_state', `Stripe: the payment is ${status}.`, { ref })
}
