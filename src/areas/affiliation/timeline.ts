import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { amountDetail, type Moments, moment } from '#platform/timeline.ts'

/** A person's earnings as an affiliate, and when they were referred. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const affiliates = db
    .selectFrom('affiliation.affiliates')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const referrals = db
    .selectFrom('affiliation.referrals')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const own = affiliates.select('id')
  const commissions = db
    .selectFrom('affiliation.commissions')
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', own)
  const conversions = db
    .selectFrom('affiliation.conversions')
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', own)
  const detail = amountDetail('amountCents')
  const ofInvoice = { objectId: 'invoiceId', detail }
  return [
    affiliates.select(moment('affiliation.enrolled', { at: 'createdAt' })),
    affiliates.select(moment('affiliation.suspended', { at: 'suspendedAt' })),
    affiliates.select(moment('affiliation.closed', { at: 'closedAt' })),
    referrals.select(moment('affiliation.brought', { at: 'createdAt', objectId: 'affiliateId' })),
    referrals.select(
      moment('affiliation.referral-corrected', { at: 'correctedAt', objectId: 'affiliateId' }),
    ),
    commissions.select(moment('affiliation.commission-earned', { at: 'createdAt', ...ofInvoice })),
    commissions.select(
      moment('affiliation.commission-available', { at: 'maturedAt', ...ofInvoice }),
    ),
    conversions.select(moment('affiliation.commission-converted', { at: 'createdAt', detail })),
  ]
}
