import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUser } from '#users'
import type { MethodSnapshot } from '../gateways/snapshots.ts'
import {
  findDefaultMethod,
  findMethodAtGateway,
  type MethodRow,
  markDefault,
  markMethodGone,
  upsertMethod,
} from './queries.ts'

type Owner = { tenantId: string; gatewayId: string; userId: string }

/**
 * Stores a provider's report about a saved method: the first one becomes the customer's default, a
 * removed one is never charged again.
 */
export async function storeMethod(
  tx: Tx,
  { tenantId, gatewayId, userId }: Owner,
  method: MethodSnapshot,
  now: Instant,
): Promise<MethodRow | null> {
  if (method.state === 'gone') {
    await methodGone(tx, { tenantId, gatewayId }, method.methodId, now)
    return null
  }
  if (!method.reusableOffSession) return null
  const user = await findUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) return null
  const shown = {
    kind: method.kind,
    brand: method.brand ?? null,
    last4: method.last4 ?? null,
    expMonth: method.expMonth ?? null,
    expYear: method.expYear ?? null,
    fingerprint: method.fingerprint ?? null,
    label: method.label ?? null,
  }
  const place = { tenantId, id: newId(), gatewayId, userId, createdAt: now }
  const row = { ...place, providerMethodId: method.methodId, ...shown }
  const kept = await upsertMethod(tx, row, shown)
  if (!(await findDefaultMethod(tx, { tenantId, userId }))) {
    await markDefault(tx, { tenantId, userId }, kept.id)
  }
  return kept
}

/** Handles that a method was removed, at the provider or by us. */
export async function methodGone(
  tx: Tx,
  place: { tenantId: string; gatewayId: string },
  providerMethodId: string,
  now: Instant,
): Promise<void> {
  const row = await findMethodAtGateway(tx, place, providerMethodId)
  if (row) await markMethodGone(tx, row, now)
}
