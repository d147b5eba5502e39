import { newId } from '#lib/id.ts'
import type { Area } from '#platform/area.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { findDefaultTenant, findTenant, findTenantOfHost, insertTenant } from './queries.ts'
import { type Brand, type Seller, SellerDefaults } from './schema.ts'

export { addTenant } from './actions.ts'
export { findDefaultTenant, findTenantOfHost, listTenantIds } from './queries.ts'
export { Brand, Seller } from './schema.ts'
export {
  openSetting,
  SecretSetting,
  type Settings,
  sealSetting,
  settings,
  settingsOf,
} from './settings.ts'

const REMEMBERED_MS = 5000
const MAX_REMEMBERED = 1000

/** The tenant of a host name: the one whose domain it is, else the default tenant. */
function tenantOf({ database }: Deps) {
  const known = new Map<string, { tenant: Promise<{ id: string } | null>; untilMs: number }>()
  async function find(host: string): Promise<{ id: string } | null> {
    const db = database.everywhere
    const tenant = (await findTenantOfHost(db, host)) ?? (await findDefaultTenant(db))
    return tenant && !tenant.closedAt ? tenant : null
  }
  return (name: string) => {
    const host = name.toLowerCase()
    const nowMs = performance.now()
    const entry = known.get(host)
    if (entry && entry.untilMs > nowMs) return entry.tenant
    const tenant = find(host)
    // Host names come from the outside: remembering all of them would fill the memory.
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(host, { tenant, untilMs: nowMs + REMEMBERED_MS })
    tenant.catch(() => known.delete(host))
    return tenant
  }
}

/** Makes the default tenant of a new installation. */
async function prepare({ database, clock }: Deps): Promise<void> {
  const db = database.everywhere
  if (await findDefaultTenant(db)) return
  const tenant = { id: newId(), name: 'Moorage', isDefault: true, seller: SellerDefaults }
  await transact(db, (tx) => insertTenant(tx, { ...tenant, createdAt: clock.now() }))
}

/** What is sold under whose name: the seller of a tenant, with defaults for what is not set. */
export async function sellerOf(db: Db, tenantId: string): Promise<Seller> {
  const tenant = await findTenant(db, tenantId)
  return { ...SellerDefaults, name: tenant?.name ?? SellerDefaults.name, ...tenant?.seller }
}

/** How a tenant shows itself; its name stands in where the brand has none. */
export async function brandOf(db: Db, tenantId: string): Promise<Brand & { name: string }> {
  const tenant = await findTenant(db, tenantId)
  return { name: tenant?.name ?? '', ...(tenant?.brand as Brand) }
}

/** Whether a tenant is the one whose people run the platform. */
export async function isDefaultTenant(db: Db, tenantId: string): Promise<boolean> {
  return (await findTenant(db, tenantId))?.isDefault ?? false
}

export const tenants: Area = { name: 'tenants', tenantOf, prepare }
