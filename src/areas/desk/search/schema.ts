import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** What can be found, in the order in which groups are shown where nothing is an exact match. */
export const HIT_KINDS = [
  ...['person', 'company', 'service', 'invoice', 'order', 'payment', 'payment_attempt'],
  ...['refund', 'dispute', 'credit_note', 'coupon'],
] as const
export type HitKind =
  | 'person'
  | 'company'
  | 'service'
  | 'invoice'
  | 'order'
  | 'payment'
  | 'payment_attempt'
  | 'refund'
  | 'dispute'
  | 'credit_note'
  | 'coupon'

const Kind = OneOf(HIT_KINDS as readonly HitKind[])

const Hit = Resource('SearchHit', {
  id: Type.String({ format: 'uuid', description: 'Of the object; of a company: its account' }),
  title: Type.String({ description: 'Its name, number, code or id at the provider' }),
  detail: Nullable(Type.String({ description: 'An address, a product, a gateway' })),
  status: Nullable(Type.String()),
  userId: Nullable(Id),
  customerName: Nullable(Type.String()),
  amountCents: Nullable(Amount),
  currency: Nullable(Currency),
  exact: Type.Boolean({
    description: 'Whether it is the id, number or address that was asked for',
  }),
  createdAt: Timestamp,
})
export type Hit = Static<typeof Hit>

export const SearchResults = Resource('SearchResults', {
  jump: Nullable(
    Type.Object(
      { kind: Kind, id: Id },
      { description: 'The object whose id, number or address was asked for' },
    ),
  ),
  groups: Type.Array(Type.Object({ kind: Kind, hits: Type.Array(Hit) }), {
    description: 'Groups with an exact match first, eight hits at most in each',
  }),
})
export type SearchResults = Static<typeof SearchResults>

export const SearchQuery = Type.Object({
  q: Type.Optional({
    ...Line(200),
    description:
      'An id, number, e-mail address or provider’s id, or the beginnings of words; accents and case do not matter',
  }),
})
