import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { insertDomain, insertTenant } from './queries.ts'
import { SellerDefaults } from './schema.ts'

type NewTenant = { name: string; host: string }

/** Makes a further tenant, whose shop is reached under a host name of its own. */
export async function addTenant(
  tx: Tx,
  { name, host }: NewTenant,
  now: Instant,
): Promise<{ id: string }> {
  const id = newId()
  const seller = { ...SellerDefaults, name }
  await insertTenant(tx, { id, name, isDefault: false, seller, createdAt: now })
  await insertDomain(tx, { host: host.toLowerCase(), tenantId: id })
  return { id }
}
