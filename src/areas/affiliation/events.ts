import { Type } from 'typebox'
import { Amount, Currency, Id, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/**
 * An affiliate's commission has changed: some was earned, became available, was reversed, or restored.
 * Several commissions that become available at once are reported as one.
 */
export const commissionChanged = event(
  'affiliation.commission-changed',
  Type.Object({
    tenantId: Id,
    affiliateId: Id,
    change: OneOf(['earned', 'available', 'reversed', 'restored']),
    amountCents: Amount,
    currency: Currency,
  }),
)
