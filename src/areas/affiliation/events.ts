import { Type } from 'typebox'
import { Amount, Currency, Id, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/**
 * What an affiliate has earned has changed: commission arose, can be used, was taken back, or came
 * back. Of several that can be used at once it is told as one.
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
