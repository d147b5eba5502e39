import type { Area } from '#platform/area.ts'
import { settingsOf } from '#tenants'
import { adminAffiliateRoutes } from './affiliates/admin-routes.ts'
import { affiliateExportRoutes } from './affiliates/export-routes.ts'
import { affiliateRoutes } from './affiliates/routes.ts'
import { earnCommission, followDispute, followRefund, matureWhenDue } from './commissions/jobs.ts'
import { commissionRoutes } from './commissions/routes.ts'
import { conversionRoutes } from './conversions/routes.ts'
import { assertSettled, erase } from './erasure/actions.ts'
import { faults } from './faults.ts'
import { importedRoutes } from './imported/routes.ts'
import { objectsAmong } from './named.ts'
import { tellOfCommission } from './notices.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { personalData } from './personal-data.ts'
import { rateRoutes } from './rates/routes.ts'
import { attributeRegistration, catchUpJob } from './referrals/jobs.ts'
import { referralRoutes } from './referrals/routes.ts'
import { affiliationSettings } from './settings.ts'
import { timeline } from './timeline.ts'
import { forgetVisits } from './visits/jobs.ts'
import { visitRoutes } from './visits/routes.ts'

export { isAffiliate } from './affiliates/queries.ts'
export { commissionChanged } from './events.ts'
export {
  type ImportedAffiliation,
  importAffiliation,
  removeImportedAffiliation,
} from './imported/actions.ts'
export {
  affiliatesOfImport,
  type ImportedAffiliate,
  type ImportedCommission,
  type ImportedReferral,
  sumImportedAffiliation,
} from './imported/queries.ts'

export {
  type ChangedBalance,
  lockImportedAffiliates,
  restoreImportedAffiliation,
  updateImportedAffiliation,
} from './imported/updates.ts'

export const affiliation: Area = {
  name: 'affiliation',
  objectsAmong,
  routes: [
    ...[affiliateRoutes, visitRoutes, referralRoutes, commissionRoutes, conversionRoutes],
    ...[adminAffiliateRoutes, affiliateExportRoutes, rateRoutes, importedRoutes, payoutRoutes],
  ],
  jobs: [
    ...[attributeRegistration, catchUpJob, forgetVisits],
    ...[earnCommission, followRefund, followDispute, matureWhenDue, tellOfCommission],
  ],
  settings: [affiliationSettings],
  meta: async (db, tenantId) => {
    const { enabled, askConsent } = await settingsOf(db, tenantId, affiliationSettings)
    return { affiliation: enabled, affiliationConsent: enabled && askConsent }
  },
  permissions: [
    { key: 'affiliation:read', description: 'See affiliates, their referrals and commissions' },
    {
      key: 'affiliation:write',
      description:
        'Suspend affiliates, decide on flagged commissions, correct referrals, set the commission of products',
    },
  ],
  personalData,
  purposes: ['affiliation.commissions'],
  timeline,
  timelineNeeds: ['affiliation:read'],
  assertSettled,
  erase,
  faults,
}
