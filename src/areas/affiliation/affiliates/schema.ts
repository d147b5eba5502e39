import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

export const AffiliateStatus = OneOf(['active', 'suspended', 'closed'])

const Totals = {
  pendingCents: Amount,
  availableCents: Type.Unsafe<Static<typeof Amount>>({
    ...Amount,
    description: 'Below zero where a commission that was converted was reversed',
  }),
  convertedCents: Amount,
  reversedCents: Amount,
  currency: Currency,
}

/** What somebody who brings customers sees of it. */
export const OwnAffiliation = Resource('OwnAffiliation', {
  id: Id,
  code: Type.String(),
  link: Type.String(),
  status: AffiliateStatus,
  referralCount: Type.Integer(),
  ...Totals,
  createdAt: Timestamp,
})

/** An affiliate as administrators see them. */
export const Affiliate = Resource('Affiliate', {
  id: Id,
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  code: Type.String(),
  status: AffiliateStatus,
  suspendedReason: Nullable(Type.String()),
  referralCount: Type.Integer(),
  totals: Type.Array(Type.Object(Totals)),
  createdAt: Timestamp,
  suspendedAt: Nullable(Timestamp),
  closedAt: Nullable(Timestamp),
})
export type Affiliate = Static<typeof Affiliate>
export type AffiliateTotals = Affiliate['totals'][number]

export const AffiliateQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(AffiliateStatus),
  code: Type.Optional(Type.String({ maxLength: 64 })),
})

export const Suspension = Body({ reason: Type.Optional(Line(500)) })
