import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/index.ts'
import { findLinkHost, findTenant } from './queries.ts'
import { type Brand, type SellerTerms, type ShownBrand, termsIn } from './schema.ts'
import { completed, enteredIn } from './seller/rules.ts'
import { urlUnder } from './tenants/rules.ts'

/** The terms a tenant sells on: currency, prices, country. Its name and address: `issuerOf`. */
export async function sellerOf(db: Db, tenantId: string): Promise<SellerTerms> {
  return termsIn(enteredIn((await findTenant(db, tenantId))?.seller ?? {}))
}

/** Who sells, as a page tells everybody; null while the seller is not complete. */
export async function imprintOf(db: Db, tenantId: string) {
  const tenant = await findTenant(db, tenantId)
  if (!tenant?.sellerReadyAt) return null
  const { name, line1, line2, postcode, city, country, email, vatNumber, registerNumber } =
    completed(enteredIn(tenant.seller))
  const address = { line1, line2, postcode, city, country }
  return { name, address, email, vatNumber, registerNumber }
}

/** How a tenant shows itself; its name stands in where the brand has none. */
export async function brandOf(db: Db, tenantId: string): Promise<ShownBrand> {
  const tenant = await findTenant(db, tenantId)
  const logoHash = tenant?.logoSha256?.toString('hex')
  return { name: tenant?.name ?? '', ...(tenant?.brand as Brand), ...(logoHash && { logoHash }) }
}

/**
 * Where a tenant's people reach it, for links, without a slash at its end: its first domain, and
 * the installation's own address for the default tenant. Never a name that a request came with.
 */
export async function originOf(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  tenantId: string,
): Promise<string> {
  const domain = await findLinkHost(db, tenantId)
  return urlUnder(publicUrl, domain?.host)
}

/** Whether a tenant is the one whose people run the platform. */
export async function isDefaultTenant(db: Db, tenantId: string): Promise<boolean> {
  return (await findTenant(db, tenantId))?.isDefault ?? false
}
