import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import { newSecret } from '#platform/webhooks/secret.ts'
import { releaseWaiting } from '../deliveries/queries.ts'
import { deliver } from '../work.ts'
import { type EndpointKey, insertEndpoint, lockEndpoint, updateEndpoint } from './queries.ts'
import { endpointView, keptSecret, overlapOf, switched } from './rules.ts'
import type { Endpoint, EndpointChange, NewEndpoint, Rotation } from './schema.ts'

/** Adds an endpoint whose address was checked; its secret is shown in the clear only this once. */
export async function createEndpoint(
  tx: Tx,
  { tenantId, secrets }: { tenantId: string; secrets: Secrets },
  { url, description = null, events: types = null, ordered = false }: NewEndpoint,
  now: Instant,
): Promise<Endpoint> {
  const key = { tenantId, id: newId() }
  const clear = newSecret()
  const kept = keptSecret(secrets, key, clear)
  const row = { ...key, url, description, types, ordered, ...kept, createdAt: now }
  return endpointView(await insertEndpoint(tx, row), now, clear)
}

/**
 * Changes an endpoint whose new address, if any, was checked. Deliveries that waited while it was off
 * are sent when it is switched on again. Throws 404 for an unknown one.
 */
export async function changeEndpoint(
  tx: Tx,
  key: EndpointKey,
  { enabled, events, ...change }: EndpointChange,
  now: Instant,
): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, key)
  if (!endpoint) throw notFound('Webhook endpoint')
  const row = await updateEndpoint(tx, key, {
    ...change,
    ...(events !== undefined && { types: events }),
    ...switched(endpoint, enabled, now),
  })
  if (endpoint.ordered && !row.ordered) await releaseWaiting(tx, key, now)
  await enqueue(tx, deliver, { tenantId: key.tenantId }, { key: key.tenantId })
  return endpointView(row, now)
}

/**
 * Gives an endpoint a new secret, shown in the clear only this once. The old one also signs for a
 * day, or for the requested time. Throws 404 for an unknown endpoint.
 */
export async function rotateSecret(
  tx: Tx,
  { secrets, ...key }: EndpointKey & { secrets: Secrets },
  { overlapSeconds }: Rotation,
  now: Instant,
): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, key)
  if (!endpoint) throw notFound('Webhook endpoint')
  const clear = newSecret()
  const change = {
    ...overlapOf(endpoint, overlapSeconds, now),
    ...keptSecret(secrets, key, clear),
  }
  return endpointView(await updateEndpoint(tx, key, change), now, clear)
}

/** Removes an endpoint, and later its messages in batches. Throws 404 for an unknown one. */
export async function removeEndpoint(tx: Tx, key: EndpointKey, now: Instant) {
  if (!(await lockEndpoint(tx, key))) throw notFound('Webhook endpoint')
  await updateEndpoint(tx, key, { deletedAt: now })
  return { id: key.id, deleted: true }
}
