import { type Static, type TSchema, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Id, Line, Named, Nullable, OneOf, Resource, Text, Timestamp } from '#lib/schema.ts'
import { INCIDENT_STATUSES } from './rules.ts'

/** Texts by language: in at least one. */
function byLanguage(text: TSchema) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(LOCALES.map((locale) => [locale, text])),
    additionalProperties: false,
    minProperties: 1,
    description:
      'By language. Readers of other languages get that of the shop, else English, else the first one',
  })
}

export const IncidentKind = Named(
  'IncidentKind',
  OneOf(['incident', 'maintenance'], 'An unplanned failure, or planned work'),
)
export const IncidentImpact = Named('IncidentImpact', OneOf(['none', 'minor', 'major', 'critical']))
export const IncidentStatus = Named(
  'IncidentStatus',
  OneOf(
    INCIDENT_STATUSES,
    'Planned maintenance begins and ends at its times; the status of an incident is that of its latest update',
  ),
)

const Titles = byLanguage(Line(100))
/** What an update says: plain text, as mails and feeds show it, too. */
export const UpdateTexts = byLanguage({ ...Text(5000), minLength: 1 })

const MOST = 50
const ids = (description: string) =>
  Type.Array(Id, { maxItems: MOST, uniqueItems: true, description })
const affects = {
  nodeIds: ids('Services on these panel connections are affected'),
  locationIds: ids('Services in these locations are affected'),
  productIds: ids('Services of these products are affected'),
}
const asked = {
  nodeIds: Type.Optional(affects.nodeIds),
  locationIds: Type.Optional(affects.locationIds),
  productIds: Type.Optional(affects.productIds),
}

export const NewIncident = Body({
  kind: IncidentKind,
  impact: IncidentImpact,
  titles: Titles,
  startsAt: Type.Optional({
    ...Timestamp,
    description: 'Required for maintenance; now if an incident has none',
  }),
  endsAt: Type.Optional({ ...Timestamp, description: 'The planned end; of maintenance only' }),
  ...asked,
})
export type NewIncident = Static<typeof NewIncident>

export const IncidentChange = Body({
  impact: Type.Optional(IncidentImpact),
  titles: Type.Optional(Titles),
  startsAt: Type.Optional(Timestamp),
  endsAt: Type.Optional(Timestamp),
  ...asked,
})
export type IncidentChange = Static<typeof IncidentChange>

export const Incident = Resource('Incident', {
  id: Id,
  kind: IncidentKind,
  impact: IncidentImpact,
  status: IncidentStatus,
  titles: Titles,
  ...affects,
  startsAt: Timestamp,
  endsAt: Nullable(Timestamp),
  createdAt: Timestamp,
  publishedAt: Nullable({ ...Timestamp, description: 'Null: only staff see it' }),
  resolvedAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
})

export const IncidentQuery = {
  kind: Type.Optional(IncidentKind),
  show: Type.Optional(
    OneOf(['draft', 'open', 'over'], 'Only drafts, only those that go on or are planned, or ended'),
  ),
}

export const Audience = Resource('IncidentAudience', {
  customers: Type.Integer({
    description:
      'How many people own a service that is affected now; each chooses how they are notified',
  }),
})
