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

const AffiliateStatus = OneOf(['active', 'suspended', 'closed'])

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

const Clicks = {
  clickCount: Type.Integer({ description: 'Clicks on the link that were recorded' }),
  recentClickCount: Type.Integer({ description: 'Those of the last 30 days, today included' }),
}

/** An affiliate's own account, as they see it. */
export const OwnAffiliation = Resource('OwnAffiliation', {
  id: Id,
  code: Type.String(),
  link: Type.String(),
  status: AffiliateStatus,
  ...Clicks,
  referralCount: Type.Integer({ description: 'Customers whose affiliate this is' }),
  ...Totals,
  createdAt: Timestamp,
})

/** The terms on which a shop lets people refer customers. */
export const AffiliationTerms = Resource('AffiliationTerms', {
  enabled: Type.Boolean({ description: 'Whether people can enrol, and earn commission' }),
  commissionBasisPoints: Type.Integer({
    description: 'The share of the net amount; products may have their own',
  }),
  payments: OneOf(
    ['first', 'recurring'],
    'Whether the first payment of a customer counts, or later ones, too',
  ),
  recurringMonths: Type.Integer({ description: 'For how long later ones count; 0: without end' }),
  holdDays: Type.Integer({ description: 'Days after the payment until a commission is available' }),
  attributionDays: Type.Integer({ description: 'Days for which a click on a link counts' }),
  minimumCents: { ...Amount, description: 'The least that is converted into credit at once' },
  currency: Currency,
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
  ...Clicks,
  referralCount: Type.Integer({ description: 'Customers whose affiliate this is' }),
  orderCount: Type.Integer({ description: 'Paid orders of these customers' }),
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
  code: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only the affiliate with this code' }),
  ),
})

export const Suspension = Body({ reason: Type.Optional(Line(500)) })
