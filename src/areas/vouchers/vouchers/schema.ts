import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  ListQuery,
  Nullable,
  OneOf,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

export const VoucherState = OneOf(
  ['active', 'redeemed', 'expired', 'void'],
  'active: can be redeemed; void: staff made it invalid',
)
export type VoucherState = Static<typeof VoucherState>

export const Voucher = Resource('Voucher', {
  id: Id,
  batchId: Id,
  last4: Type.String({ description: 'The last four characters of the code' }),
  state: VoucherState,
  amountCents: Amount,
  currency: Currency,
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
  redeemedAt: Nullable(Timestamp),
  redeemedBy: Nullable({ ...Id, description: 'The customer whose credit it became' }),
  voidedAt: Nullable(Timestamp),
})

export const VoucherQuery = Type.Object({
  ...ListQuery.properties,
  batchId: Type.Optional(Id),
  redeemedBy: Type.Optional({ ...Id, description: 'The customer who redeemed it' }),
  state: Type.Optional(VoucherState),
})
export type VoucherQuery = Static<typeof VoucherQuery>

export const Reopening = Body({
  expiresAt: Nullable({ ...Timestamp, description: 'The new end; null: it no longer expires' }),
})
