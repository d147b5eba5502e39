import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { type Instant, later } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import { contextOf, type Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import { enqueue } from '#platform/jobs.ts'
import { traceparent } from '#platform/tracing/index.ts'
import type { Outcome } from '#platform/webhooks/sending.ts'
import { PING } from '../catalogue/catalogue.ts'
import { lockEndpoint, markReached, updateEndpoint } from '../endpoints/queries.ts'
import type { EndpointRow } from '../endpoints/rules.ts'
import { insertMessage } from '../messages/queries.ts'
import { bodyOf } from '../messages/rules.ts'
import { deliver } from '../work.ts'
import {
  type Claimed,
  type DeliveryKey,
  findDelivery,
  hurry,
  insertAttempt,
  markDelivered,
  markFailed,
  releaseNext,
  replayEnded,
} from './queries.ts'
import { assertEnabled, beganAt, disablingReason, LEASE_MS, nextTry, pauseEnd } from './rules.ts'
import type { BulkReplay } from './schema.ts'

/** How many deliveries one request starts again. */
const REPLAYED_AT_ONCE = 10_000

/**
 * Records the result of an attempt: in the log, and in the delivery, which has arrived, is tried
 * again, or is given up. If order is required, the next message about the object is sent once this
 * one has ended. `random`, from 0 to 1, spreads the times of the next attempts.
 */
export async function recordAttempt(
  tx: Tx,
  claimed: Claimed,
  outcome: Outcome,
  { now, random }: { now: Instant; random: number },
): Promise<void> {
  const { tenantId, endpointId } = claimed
  const key = { tenantId, id: endpointId }
  const isTest = claimed.type === PING.type
  // The endpoint is locked before its deliveries, as everywhere.
  const locked = outcome.ok && !claimed.orderingKey ? null : await lockEndpoint(tx, key)
  if (!isTest) await noteHealth(tx, key, locked, outcome, now)
  await logAttempt(tx, claimed, outcome, now)
  if (outcome.ok) {
    await markDelivered(tx, claimed, { statusCode: outcome.statusCode, deliveredAt: now })
    if (claimed.orderingKey) await releaseNext(tx, claimed, now)
    return
  }
  const { statusCode, error, retryAfterMs } = outcome
  // A user waits for the result of a test, and starts another one if they want to.
  const nextAt = isTest ? null : nextTry(claimed.tries, now, { retryAfterMs, random })
  await markFailed(tx, claimed, { statusCode, error, nextAt })
  if (!nextAt && claimed.orderingKey) await releaseNext(tx, claimed, now)
}

async function logAttempt(
  tx: Tx,
  { tenantId, id: deliveryId }: Claimed,
  outcome: Outcome,
  now: Instant,
): Promise<void> {
  const { statusCode, error, responseBody, durationMs } = outcome
  await insertAttempt(tx, {
    ...{ tenantId, deliveryId, id: newId(), startedAt: beganAt(now, outcome) },
    ...{ statusCode, error, responseBody, durationMs },
  })
}

type EndpointKey = Pick<EndpointRow, 'tenantId' | 'id'>

/** Records since when an endpoint fails, and switches it off if that has lasted too long. */
async function noteHealth(
  tx: Tx,
  key: EndpointKey,
  endpoint: EndpointRow | null | undefined,
  outcome: Outcome,
  now: Instant,
): Promise<void> {
  if (outcome.ok) return markReached(tx, key)
  if (!endpoint) return
  const reason = disablingReason(endpoint, outcome, now)
  const pausedUntil = pauseEnd(outcome, now)
  if (endpoint.failingSince && !reason && !pausedUntil) return
  await updateEndpoint(tx, key, {
    failingSince: endpoint.failingSince ?? now,
    ...(pausedUntil && { pausedUntil }),
    ...(reason && { disabledAt: now, disabledReason: reason }),
  })
  if (!reason) return
  const { tenantId, id } = key
  const facts = { host: new URL(endpoint.url).host, reason }
  const link = `/admin/integrations/${id}`
  await notifyAdmins(tx, { tenantId, topic: 'endpoint_disabled', facts, link }, now)
}

/** Writes a ping to an endpoint, already claimed for the caller, which sends it. Throws 404. */
export async function writePing(tx: Tx, key: EndpointKey, now: Instant): Promise<Claimed> {
  const endpoint = await lockEndpoint(tx, key)
  if (!endpoint) throw notFound('Webhook endpoint')
  const { tenantId, id: endpointId } = key
  const { type } = PING
  const [id, messageId] = [newId(), newId()]
  const body = bodyOf(type, { endpointId }, now)
  const about = { objectId: null, userId: null }
  await insertMessage(tx, { tenantId, id: messageId, type, ...about, body, createdAt: now })
  const begun = { attempts: 1, tries: 1 }
  const delivery = { tenantId, id, endpointId, messageId, type, orderingKey: null, ...begun }
  // If this process dies now, the ping is sent as any other message is.
  const taken = { status: 'pending' as const, nextAt: now, leaseUntil: later(now, LEASE_MS) }
  await insertRows(tx, 'webhooks.deliveries', [{ ...delivery, ...taken, createdAt: now }])
  const { url, sealedSecret, sealedPreviousSecret, previousSecretEndsAt } = endpoint
  const { requestId, purchaseId } = contextOf(tx)
  return {
    ...{ ...delivery, body, requestId, purchaseId, trace: traceparent() },
    ...{ url, sealedSecret, sealedPreviousSecret, previousSecretEndsAt },
  }
}

/**
 * Sends a delivery again, or at once if it waits for its next attempt. Throws 404, and 409 while its
 * endpoint is off.
 */
export async function replay(tx: Tx, key: DeliveryKey, now: Instant): Promise<void> {
  const { tenantId, id } = key
  const delivery = await findDelivery(tx, key)
  if (!delivery) throw notFound('Webhook delivery')
  const { endpointId } = delivery
  const endpoint = await lockEndpoint(tx, { tenantId, id: endpointId })
  if (!endpoint) throw notFound('Webhook delivery')
  assertEnabled(endpoint)
  await replayEnded(tx, { tenantId, endpointId, id, limit: 1 }, now)
  await hurry(tx, key, now)
  await enqueue(tx, deliver, { tenantId }, { key: tenantId })
}

/**
 * Sends again what an endpoint has missed, the oldest 10 000 per call. Returns how many. Throws 404,
 * and 409 while it is off.
 */
export async function replayMissed(
  tx: Tx,
  key: EndpointKey,
  wanted: BulkReplay,
  now: Instant,
): Promise<number> {
  const endpoint = await lockEndpoint(tx, key)
  if (!endpoint) throw notFound('Webhook endpoint')
  assertEnabled(endpoint)
  const { tenantId, id: endpointId } = key
  const again = { tenantId, endpointId, ...wanted, limit: REPLAYED_AT_ONCE }
  const replayed = await replayEnded(tx, again, now)
  await enqueue(tx, deliver, { tenantId }, { key: tenantId })
  return replayed
}
