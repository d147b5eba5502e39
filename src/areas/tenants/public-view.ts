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

/** The seller as pages show it to everybody; null while the seller is not complete. */
export async function imprintOf(db: Db, tenantId: string) {
  const tenant = await findTenant(db, tenantId)
  if (!tenant?.sellerReadyAt) return null
  const { name, line1, line2, postcode, city, country, email, vatNumber, registerNumber } =
    completed(enteredIn(tenant.seller))
  const address = { line1, line2, postcode, city, country }
  return { name, address, email, vatNumber, registerNumber }
}

/** The brand of a tenant; the tenant's name is used if the brand has none. */
export async function brandOf(db: Db, tenantId: string): Promise<ShownBrand> {
  const tenant = await findTenant(db, tenantId)
  const logoHash = tenant?.logoSha256?.toString('hex')
  const darkLogoHash = tenant?.darkLogoSha256?.toString('hex')
  const faviconHash = tenant?.faviconSha256?.toString('hex')
  return {
    ...{ name: tenant?.name ?? '', ...(tenant?.brand as Brand) },
    ...(logoHash && { logoHash }),
    ...(darkLogoHash && { darkLogoHash }),
    ...(faviconHash && { faviconHash }),
  }
}

/**
 * The URL of a tenant, for links, without a slash at its end: with its first domain, or
 * the installation's own address for the default tenant. Never a name from a request.
 */
export async function originOf(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  tenantId: string,
): Promise<string> {
  const domain = await findLinkHost(db, tenantId)
  return urlUnder(publicUrl, domain?.host)
}

/** Whether a tenant is the default one, whose staff run the platform. */
export async function isDefaultTenant(db: Db, tenantId: string): Promise<boolean> {
  return (await findTenant(db, tenantId))?.isDefault ?? false
}
