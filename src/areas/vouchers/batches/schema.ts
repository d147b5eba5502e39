import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  PositiveAmount,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

const MAX_CODES = 10_000

export const NewBatch = Body({
  name: { ...Line(100), description: 'For staff: what the codes are for' },
  amountCents: { ...PositiveAmount, description: 'The credit that each code gives' },
  currency: Type.Optional(Currency),
  count: Type.Integer({ minimum: 1, maximum: MAX_CODES, description: 'The number of codes' }),
  expiresAt: Type.Optional(
    Nullable({ ...Timestamp, description: 'From then on the codes are refused; null: never' }),
  ),
})
export type NewBatch = Static<typeof NewBatch>

export const CodesState = OneOf(
  ['pending', 'available', 'deleted'],
  'pending: a job is creating them; available: they can be downloaded; deleted: only hashes are left',
)
export type CodesState = Static<typeof CodesState>

export const Batch = Resource('VoucherBatch', {
  id: Id,
  name: Type.String(),
  amountCents: Amount,
  currency: Currency,
  count: Type.Integer(),
  made: Type.Integer({ description: 'How many of the codes exist so far' }),
  redeemed: Type.Integer({ description: 'How many of them were redeemed' }),
  expiresAt: Nullable(Timestamp),
  createdBy: Id,
  createdAt: Timestamp,
  codes: CodesState,
  codesUntil: Nullable({ ...Timestamp, description: 'When available codes are deleted' }),
  downloadedAt: Nullable({ ...Timestamp, description: 'The first download of the codes' }),
  voidedAt: Nullable(Timestamp),
})
