import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'

const Source = OneOf(
  ['code', 'visit', 'imported', 'staff'],
  'A code typed at registration, a click on a link, known from another system, or set by staff',
)

const Refusal = OneOf(['same_email', 'same_payment_method', 'same_vat_number'])

/** A person an affiliate referred, as the affiliate sees them. */
export const OwnReferral = Resource('OwnReferral', {
  id: Id,
  name: Type.String({ description: 'The first letter' }),
  source: Source,
  createdAt: Timestamp,
})

export const Referral = Resource('Referral', {
  id: Id,
  affiliateId: Id,
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  source: Source,
  sharedOrigin: Type.Boolean({
    description: 'Registered from an address the affiliate was at within a day',
  }),
  refusal: Nullable(Refusal),
  refusedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

export const ReferralQuery = Type.Object({
  ...PageQuery.properties,
  affiliateId: Type.Optional(Id),
  userId: Type.Optional(Id),
})

/** The affiliate of a customer, also if there is none. */
export const CustomerReferral = Resource('CustomerReferral', {
  affiliateId: Nullable(Id),
  name: Nullable(Type.String({ description: 'Of the affiliate' })),
  code: Nullable(Type.String()),
  source: Nullable(Source),
  refusal: Nullable(Refusal),
  refusedAt: Nullable(Timestamp),
  since: Nullable(Timestamp),
  correctedAt: Nullable(Timestamp),
  reason: Nullable(Type.String({ description: 'Of the last correction' })),
})
export type CustomerReferral = Static<typeof CustomerReferral>

export const Correction = Body({
  affiliateId: { ...Nullable(Id), description: 'Null if no affiliate referred the customer' },
  reason: Line(500),
})
