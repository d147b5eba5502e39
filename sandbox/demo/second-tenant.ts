import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { createOwner } from '#rbac'
import { createTenant, findTenantOfHost } from '#tenants'
import { hashPassword } from '#users'
import { SANDBOX_SELLER } from '../seller.ts'
import { apiAt } from './client.ts'
import { type Login, signIn } from './purchase.ts'

export type SecondTenant = { host: string; admin: Login; customer: Login }

/**
 * A second shop in the same installation, with people of its own: what one of the two may never
 * see of the other can be tried out with it.
 */
export async function ensureSecondTenant(
  { config, database, clock }: Deps,
  url: string,
  { host, admin, customer }: SecondTenant,
): Promise<void> {
  const db = database.everywhere
  if (!(await findTenantOfHost(db, host))) {
    const passwordHash = await hashPassword(admin.password)
    const owner = { email: admin.email, passwordHash, name: 'Second administrator' }
    await transact(db, async (tx) => {
      const now = clock.now()
      const shop = { name: 'Second Shop', domains: [host], seller: SANDBOX_SELLER }
      const { id: tenantId } = await createTenant(tx, config, shop, now)
      await createOwner(tx, { tenantId, ...owner }, now)
    })
  }
  const api = apiAt({ url, host })
  await signIn(api, customer)
  const { accessToken } = await api.post('/v1/auth/login', admin)
  await ensureOffer(apiAt({ url, host, token: accessToken }))
}

async function ensureOffer(admin: ReturnType<typeof apiAt>): Promise<void> {
  const { data } = await admin.get('/v1/admin/products')
  if (data.length > 0) return
  const product = await admin.post('/v1/admin/products', { slug: 'mumble', name: 'Mumble' })
  await admin.post('/v1/admin/plans', {
    ...{ productId: product.id, name: 'Monthly', interval: 'month', priceCents: 199 },
  })
}
