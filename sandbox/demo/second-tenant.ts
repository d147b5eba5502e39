import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { createOwner } from '#rbac'
import { createTenant, findTenantOfHost } from '#tenants'
import { hashPassword } from '#users'
import { SANDBOX_SELLER } from '../seller.ts'
import { type Api, apiAt } from './client.ts'
import { ensureGateway, ensureNode, type Outside, syncEggs } from './fill.ts'
import { type Login, signIn } from './purchase.ts'

export type SecondTenant = { host: string; admin: Login; customer: Login }

/**
 * A second shop in the same installation, with people of its own: what one of the two may never
 * see of the other can be tried out with it. Made before anything asks whose its host is: a service
 * remembers for a while that nobody has a host.
 */
export async function ensureSecondTenant(
  { config, database, clock }: Deps,
  { host, admin }: SecondTenant,
): Promise<void> {
  const db = database.everywhere
  if (await findTenantOfHost(db, host)) return
  const passwordHash = await hashPassword(admin.password)
  const owner = { email: admin.email, passwordHash, name: 'Second administrator' }
  await transact(db, async (tx) => {
    const now = clock.now()
    const shop = { name: 'Second Shop', domains: [host], seller: SANDBOX_SELLER }
    const { id: tenantId } = await createTenant(tx, config, shop, now)
    await createOwner(tx, { tenantId, ...owner }, now)
  })
}

/** Gives the second shop a customer, a way to pay, and something to sell on the same panel. */
export async function fillSecondTenant(
  { url, panel, provider }: Outside & { url: string },
  { host, admin, customer }: SecondTenant,
): Promise<void> {
  const api = apiAt({ url, host })
  await signIn(api, customer)
  const { accessToken } = await api.post('/v1/auth/login', admin)
  const staff = apiAt({ url, host, token: accessToken })
  await ensureGateway(staff, provider)
  await ensureOffer(staff, panel)
}

async function ensureOffer(admin: Api, panel: Outside['panel']): Promise<void> {
  const nodeId = await ensureNode(admin, panel)
  const eggId = (await syncEggs(admin, nodeId)).get(EGG)
  const { data } = await admin.get('/v1/admin/products')
  if (data.length > 0) return
  const limits = { memoryMb: 512, diskMb: 2048, cpuPercent: 50 }
  const product = await admin.post('/v1/admin/products', {
    ...{ slug: 'teamspeak', name: 'TeamSpeak 3' },
    provisioning: { eggId, nodeIds: [nodeId], limits },
  })
  await admin.post('/v1/admin/plans', {
    ...{ productId: product.id, name: 'Monthly', interval: 'month', priceCents: 199 },
  })
  await admin.post(`/v1/admin/products/${product.id}/publish`)
}

const EGG = 'Teamspeak3 Server'
