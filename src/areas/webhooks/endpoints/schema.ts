import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Text, Timestamp } from '#lib/schema.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'

const MAX_URL = 2000
const MAX_DESCRIPTION = 500
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600

const TYPES = CATALOGUE.map(({ type }) => type)

const Url = Line(MAX_URL)
const Events = Nullable(
  Type.Array(OneOf(TYPES), {
    ...{ minItems: 1, maxItems: TYPES.length, uniqueItems: true },
    title: 'WebhookEvents',
    description: 'The events that are sent to it; null for all, also those of later versions',
  }),
)
const Ordered = Type.Boolean({
  description: 'Whether messages about one object wait for those before them; no by default',
})

export const NewEndpoint = Body({
  url: Url,
  description: Type.Optional(Nullable(Text(MAX_DESCRIPTION))),
  events: Type.Optional(Events),
  ordered: Type.Optional(Ordered),
})
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChange = Body({
  url: Type.Optional(Url),
  description: Type.Optional(Nullable(Text(MAX_DESCRIPTION))),
  events: Type.Optional(Events),
  ordered: Type.Optional(Ordered),
  enabled: Type.Optional(Type.Boolean()),
})
export type EndpointChange = Static<typeof EndpointChange>

export const Rotation = Body({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      description: 'How long the old secret signs along; a day by default, 0 ends it at once',
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

export const Endpoint = Resource('WebhookEndpoint', {
  id: Id,
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Nullable(Type.Array(Type.String())),
  ordered: Type.Boolean(),
  enabled: Type.Boolean(),
  disabledAt: Nullable(Timestamp),
  disabledReason: Nullable(
    OneOf(
      ['by_admin', 'gone', 'failing'],
      'gone: it answered 410; failing: nothing arrived for five days',
    ),
  ),
  failingSince: Nullable(Timestamp),
  secret: Type.String({
    description: 'In clear where it was just made, else its last four characters',
  }),
  previousSecretEndsAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type Endpoint = Static<typeof Endpoint>
