import { Type } from 'typebox'
import { Id, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'

const Source = OneOf(
  ['code', 'visit', 'imported'],
  'A code typed at registration, a click on a link, or known from another system',
)

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
  refusal: Nullable(OneOf(['same_email', 'same_payment_method', 'same_vat_number'])),
  refusedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

export const ReferralQuery = Type.Object({
  ...PageQuery.properties,
  affiliateId: Type.Optional(Id),
  userId: Type.Optional(Id),
})
