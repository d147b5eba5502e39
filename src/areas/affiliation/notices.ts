import { notify } from '#notifications'
import { onEvent } from '#platform/events.ts'
import { findAffiliate } from './affiliates/queries.ts'
import { commissionChanged } from './events.ts'

const KINDS = {
  earned: 'commission_earned',
  available: 'commission_available',
  reversed: 'commission_reversed',
  restored: 'commission_restored',
} as const

/** Notifies affiliates of what they earned; never names the customer, for privacy. */
export const tellOfCommission = onEvent(
  commissionChanged,
  'affiliation.tell-of-commission',
  async ({ db, now, transact }, { tenantId, affiliateId, change, amountCents, currency }) => {
    const affiliate = await findAffiliate(db, { tenantId, id: affiliateId })
    if (!affiliate || affiliate.closedAt) return
    const data = { amountCents, currency }
    const notice = { tenantId, userId: affiliate.userId, data, link: '/invite-friends' }
    await transact((tx) => notify(tx, { ...notice, kind: KINDS[change] }, now))
  },
)
