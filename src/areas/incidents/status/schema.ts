import { type Static, Type } from 'typebox'
import { Id, Locale, Named, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { IncidentImpact, IncidentKind, IncidentStatus } from '../incidents/schema.ts'

const AffectedPart = Resource('AffectedPart', { id: Id, name: Type.String() })

const StatusUpdate = Resource('StatusUpdate', {
  id: Id,
  status: IncidentStatus,
  language: Locale,
  text: Type.String({ description: 'Plain text; an empty line separates paragraphs' }),
  createdAt: Timestamp,
})

const entry = {
  id: Id,
  kind: IncidentKind,
  impact: IncidentImpact,
  status: IncidentStatus,
  language: Locale,
  title: Type.String(),
  locations: Type.Array(AffectedPart, { description: 'Locations that are affected' }),
  products: Type.Array(AffectedPart, { description: 'Products that are affected' }),
  gameServers: Type.Boolean({
    description: 'Whether game servers are affected that no location or product names',
  }),
  startsAt: Timestamp,
  endsAt: Nullable({ ...Timestamp, description: 'The planned end of maintenance' }),
  endedAt: Nullable({ ...Timestamp, description: 'When it was resolved, completed or canceled' }),
  updatedAt: { ...Timestamp, description: 'When something was last said of it' },
}

export const StatusEntry = Resource('StatusEntry', {
  ...entry,
  newest: StatusUpdate,
})
export type StatusEntry = Static<typeof StatusEntry>

export const StatusIncident = Resource('StatusIncident', {
  ...entry,
  updates: Type.Array(StatusUpdate, { description: 'The last 100, newest first' }),
})

export const OwnIncident = Resource('OwnIncident', {
  ...entry,
  newest: StatusUpdate,
  serviceIds: Type.Array(Id, {
    description: 'Services of the caller, own and shared, that it affects; at most 100',
  }),
})

export const ShopStatus = Resource('ShopStatus', {
  state: Named(
    'ShopState',
    OneOf(
      ['operational', 'maintenance', 'minor', 'major', 'critical'],
      'The highest impact of the incidents that go on; without one, whether maintenance goes on',
    ),
  ),
  ongoing: Type.Array(StatusEntry, { description: 'What goes on now; the last begun first' }),
  planned: Type.Array(StatusEntry, { description: 'Planned maintenance; the next one first' }),
})
