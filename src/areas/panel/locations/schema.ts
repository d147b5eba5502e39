import { type Static, Type } from 'typebox'
import { Body, Country, Id, Line, Nullable, OneOf, Resource, Slug, Timestamp } from '#lib/schema.ts'

const Position = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })

const Place = Body(
  {
    nodeId: Id,
    remoteId: Type.String({
      ...{ minLength: 1, maxLength: 100 },
      description: 'A location of that panel; a tag on Pelican',
    }),
  },
  'LocationPlace',
)

const Places = Type.Array(Place, {
  maxItems: 100,
  uniqueItems: true,
})

const optional = {
  slug: Type.Optional(Slug),
  city: Type.Optional(Nullable(Line(100))),
  position: Type.Optional(Position),
  hidden: Type.Optional(Type.Boolean()),
  places: Type.Optional(Places),
}

export const NewLocation = Body({ name: Line(100), country: Country, ...optional })
export type NewLocation = Static<typeof NewLocation>

export const LocationChange = Body({
  name: Type.Optional(Line(100)),
  country: Type.Optional(Country),
  ...optional,
})
export type LocationChange = Static<typeof LocationChange>

export const Location = Resource('Location', {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  country: Country,
  city: Nullable(Type.String()),
  position: Type.Integer(),
  hidden: Type.Boolean({ description: 'Buyers cannot choose it' }),
  places: Places,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type Location = Static<typeof Location>

/**
 * How much room a location has for one build: for five servers or more, for fewer, for none, or unknown because
 * a panel does not answer; then it is sold all the same. Only staff see counts.
 */
export const RoomWord = {
  ...OneOf(['available', 'few', 'full', 'unknown']),
  title: 'Room',
}
export type RoomWord = Static<typeof RoomWord>

/** A location as buyers and customers see it. */
export const ShownLocation = Resource('ShownLocation', {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  country: Country,
  city: Nullable(Type.String()),
})
export type ShownLocation = Static<typeof ShownLocation>
