import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { ensureOwnerRole, insertUserRole } from './queries.ts'

/** Makes a person an owner of their tenant, who may do everything. Callers refresh what is remembered. */
export async function grantOwner(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  const roleId = await ensureOwnerRole(tx, { tenantId, id: newId() }, now)
  await insertUserRole(tx, { tenantId, userId, roleId, createdAt: now })
}

/** Gives a person a role. Whoever calls has checked that it may be given. */
export async function grantRole(
  tx: Tx,
  { tenantId, userId }: UserKey,
  roleId: string,
  now: Instant,
): Promise<void> {
  await insertUserRole(tx, { tenantId, userId, roleId, createdAt: now })
}
