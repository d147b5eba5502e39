import type { Area } from '#platform/area.ts'
import { deleteEndedCodesJob, makeCodesJob } from './batches/jobs.ts'
import { hasBatches } from './batches/queries.ts'
import { batchRoutes } from './batches/routes.ts'
import { sealedCodes, sealedKeys } from './codes/keys.ts'
import { faults } from './faults.ts'
import { erase, personalData } from './personal-data.ts'
import { forgetAttempts } from './redemption/jobs.ts'
import { redemptionRoutes } from './redemption/routes.ts'
import { voucherSettings } from './settings.ts'
import { adminVoucherRoutes } from './vouchers/routes.ts'

export { voucherRedeemed } from './events.ts'

export const vouchers: Area = {
  name: 'vouchers',
  routes: [redemptionRoutes, batchRoutes, adminVoucherRoutes],
  jobs: [makeCodesJob, deleteEndedCodesJob, forgetAttempts],
  settings: [voucherSettings],
  sealed: [sealedKeys, sealedCodes],
  permissions: [
    { key: 'vouchers:read', description: 'See vouchers, without their codes' },
    {
      key: 'vouchers:write',
      description: 'Create vouchers, download their codes, make vouchers invalid and reopen them',
    },
  ],
  meta: async (db, tenantId) => ({ vouchers: await hasBatches(db, tenantId) }),
  faults,
  personalData,
  purposes: ['vouchers.redemptions'],
  erase,
}
