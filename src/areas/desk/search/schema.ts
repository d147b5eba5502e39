import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** The groups of hits, in their order when there is no exact match. */
const HIT_KINDS = [
  ...['person', 'company', 'service', 'invoice', 'order', 'payment', 'payment_attempt'],
  ...['refund', 'dispute', 'credit_note', 'imported_payment', 'imported_order', 'coupon', 'ticket'],
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
  | 'imported_payment'
  | 'imported_order'
  | 'coupon'
  | 'ticket'

const Kind = OneOf(HIT_KINDS as readonly HitKind[])

const Hit = Resource('SearchHit', {
  id: Type.String({
    format: 'uuid',
    description: 'Id of the object; for a company, of its account',
  }),
  title: Type.String({ description: 'Its name, number, code or id at the provider' }),
  detail: Nullable(Type.String({ description: 'An address, a product, a gateway' })),
  status: Nullable(Type.String()),
  userId: Nullable(Id),
  customerName: Nullable(Type.String()),
  amountCents: Nullable(Amount),
  currency: Nullable(Currency),
  exact: Type.Boolean({
    description: 'Whether its id, number or address equals `q`',
  }),
  createdAt: Timestamp,
})
export type Hit = Static<typeof Hit>

export const SearchResults = Resource('SearchResults', {
  jump: Nullable(
    Type.Object(
      { kind: Kind, id: Id },
      { description: 'The object whose id, number or address is `q`' },
    ),
  ),
  groups: Type.Array(Type.Object({ kind: Kind, hits: Type.Array(Hit) }), {
    description: 'Groups with an exact match first, each with at most 8 hits',
  }),
})
export type SearchResults = Static<typeof SearchResults>

export const SearchQuery = Type.Object({
  q: Type.Optional({
    ...Line(200),
    description:
      'An id, number, e-mail address, id at a provider or in the system of an import, or word prefixes; ignores accents and case',
  }),
})
