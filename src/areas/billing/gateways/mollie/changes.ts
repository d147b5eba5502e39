import { type Instant, instant, millis } from '#lib/time.ts'
import { sameBytes } from '#platform/secrets.ts'
import type { EventEnvelope, GatewayContext, ListedPayment, RawWebhook } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Observation } from '../snapshots.ts'
import { type MollieApi, ownMetadata } from './client.ts'
import { readPayment, snapshotOf } from './payments.ts'
import { Chargeback, Payment, Refund } from './schema.ts'
import { disputeOf, refundOf } from './snapshots.ts'

/**
 * Mollie does not sign messages and sends only the id of the payment to read. The address it calls
 * contains a token for the attempt, so nobody else can make us ask; reading a payment twice does no
 * harm.
 */
export function receiveWebhook(
  context: GatewayContext,
  { body, query, receivedAt }: RawWebhook,
): readonly EventEnvelope[] {
  const { attempt = '', token = '' } = query
  const tokens = context.tokenFor(attempt)
  if (!tokens.some((known) => sameBytes(Buffer.from(known), Buffer.from(token)))) {
    throw new GatewayError('webhook_rejected', 'Mollie: the address was not made here.')
  }
  const id = new URLSearchParams(Buffer.from(body).toString('utf8')).get('id')
  if (!id || !/^tr_\w{1,60}$/.test(id)) return []
  const eventKey = `${id}:${millis(receivedAt)}`
  return [{ eventKey, type: 'payment', objectId: id, payload: { id } }]
}

/** What a payment means now: it is read again, whatever the message was. */
export async function observe(
  api: MollieApi,
  { objectId }: EventEnvelope,
): Promise<readonly Observation[]> {
  if (!objectId) return [{ type: 'ignored', why: 'irrelevant_type' }]
  try {
    return await observations(api, await readPayment(api, objectId))
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'not_found') {
      return [{ type: 'ignored', why: 'not_ours' }]
    }
    throw error
  }
}

async function observations(api: MollieApi, payment: Payment): Promise<readonly Observation[]> {
  const { installationId, gatewayId, mode } = api.context
  const own = ownMetadata(payment.metadata)
  if (own.installation_id !== installationId) return [{ type: 'ignored', why: 'not_ours' }]
  if (own.gateway_id !== gatewayId) return [{ type: 'ignored', why: 'other_gateway' }]
  if (payment.mode !== mode) return [{ type: 'ignored', why: 'other_mode' }]
  const observedAt = api.context.now()
  const { refunds = [], chargebacks = [] } = payment._embedded ?? {}
  return [
    { type: 'payment', payment: await snapshotOf(api, payment, observedAt) },
    ...refunds.map((it) => ({ type: 'refund' as const, refund: refundOf(it, observedAt) })),
    ...chargebacks.map((it) => ({ type: 'dispute' as const, dispute: disputeOf(it, observedAt) })),
  ]
}

/**
 * Mollie has no log of events, but lists of what was created: payments, refunds and chargebacks.
 * The key of an event includes the state, so that a changed object is a new event.
 */
export async function* listChanges(api: MollieApi, since: Instant): AsyncGenerator<EventEnvelope> {
  for await (const { id, status } of madeSince(api, 'payments', Payment, since)) {
    if (status !== 'open') yield change('payment', `${id}:${status}`, id)
  }
  for await (const { id, status, paymentId } of madeSince(api, 'refunds', Refund, since)) {
    yield change('refund', `${id}:${status}`, paymentId)
  }
  const chargebacks = madeSince(api, 'chargebacks', Chargeback, since)
  for await (const { id, reversedAt, paymentId } of chargebacks) {
    yield change('chargeback', `${id}:${reversedAt ? 'reversed' : 'made'}`, paymentId)
  }
}

function change(type: string, eventKey: string, objectId: string): EventEnvelope {
  return { eventKey, type, objectId, payload: { id: objectId } }
}

type Listed = typeof Payment | typeof Refund | typeof Chargeback
type Item<S extends Listed> = S extends typeof Payment
  ? Payment
  : S extends typeof Refund
    ? Refund
    : Chargeback

async function* madeSince<S extends Listed>(
  api: MollieApi,
  name: string,
  schema: S,
  since: Instant,
): AsyncGenerator<Item<S>> {
  for await (const item of api.list(name, name, schema)) {
    const { createdAt } = item as Item<S>
    if (instant(createdAt) < since) return
    yield item as Item<S>
  }
}

/** Paid payments that were created since a time, each with its refunds and chargebacks. */
export async function* listPayments(api: MollieApi, since: Instant): AsyncGenerator<ListedPayment> {
  for await (const payment of madeSince(api, 'payments', Payment, since)) {
    if (payment.status !== 'paid') continue
    const moved = payment.amountRefunded ?? payment.amountChargedBack
    const told = await observations(api, moved ? await readPayment(api, payment.id) : payment)
    if (told[0]?.type === 'payment') yield { told }
  }
}
