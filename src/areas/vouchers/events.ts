import { Type } from 'typebox'
import { Amount, Currency, Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A customer has turned a voucher into credit. */
export const voucherRedeemed = event(
  'vouchers.voucher-redeemed',
  Type.Object({
    tenantId: Id,
    voucherId: Id,
    batchId: Id,
    userId: Id,
    amountCents: Amount,
    currency: Currency,
  }),
)
