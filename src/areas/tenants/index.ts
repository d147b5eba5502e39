import { newId } from '#lib/id.ts'
import type { Area } from '#platform/area.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { frontPageRoutes } from './front/routes.ts'
import { hostsOf } from './hosts.ts'
import { legalRoutes } from './legal/routes.ts'
import { logoAdminRoutes, logoRoutes } from './logos/routes.ts'
import { findDefaultTenant, insertTenant } from './queries.ts'
import { settingsRoutes } from './settings/routes.ts'
import { shopRoutes } from './shop/routes.ts'
import { tenantRoutes } from './tenants/routes.ts'

export type { ShownFrontPage } from './front/schema.ts'
export { type AcceptedTerms, acceptedTerms } from './legal/acceptance.ts'
export { findLegalText, findLegalVersions } from './legal/queries.ts'
export { LEGAL_KINDS, type LegalKind } from './legal/schema.ts'
export { type BrandLink, brandLinksOf } from './links.ts'
export { findLogo } from './logos/queries.ts'
export { lookOf } from './look.ts'
export { brandOf, imprintOf, isDefaultTenant, originOf, sellerOf } from './public-view.ts'
export {
  findDefaultTenant,
  findTenant,
  findTenantOfHost,
  listTenantIds,
  lockOffer,
} from './queries.ts'
export {
  Brand,
  brandPicturesOf,
  logoUrlOf,
  type Seller,
  type SellerTerms,
  type ShownBrand,
} from './schema.ts'
export { assertSells, issuerOf, missingOf, shopNotReady } from './seller/ready.ts'
export { resealSettings } from './settings/resealing.ts'
export {
  openSetting,
  SecretSetting,
  type Settings,
  sealSetting,
  settings,
  settingsOf,
} from './settings.ts'
export { assertPlatform } from './tenants/access.ts'
export { createTenant } from './tenants/actions.ts'
export { NewTenant, TenantFields } from './tenants/schema.ts'

/** Creates the default tenant of a new installation. */
async function prepare({ database, clock }: Deps): Promise<void> {
  const db = database.everywhere
  if (await findDefaultTenant(db)) return
  const tenant = { id: newId(), name: 'Moorage', isDefault: true, seller: {}, sellerReadyAt: null }
  await transact(db, (tx) => insertTenant(tx, { ...tenant, brand: {}, createdAt: clock.now() }))
}

export const tenants: Area = {
  name: 'tenants',
  routes: [
    tenantRoutes,
    settingsRoutes,
    logoRoutes,
    logoAdminRoutes,
    shopRoutes,
    legalRoutes,
    frontPageRoutes,
  ],
  permissions: [
    { key: 'shop:read', description: 'See the brand, seller and domains of the shop' },
    { key: 'shop:write', description: 'Change the brand, seller and logos, and propose domains' },
    { key: 'settings:read', description: 'See the settings' },
    { key: 'settings:write', description: 'Change the settings' },
    { key: 'tenants:read', description: 'See the tenants of the platform' },
    { key: 'tenants:write', description: 'Add, change, suspend and close tenants of the platform' },
  ],
  tenantOf:
    ({ database }) =>
    (host) =>
      hostsOf(database).tenantOf(host),
  prepare,
}
