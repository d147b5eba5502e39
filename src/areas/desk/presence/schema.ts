import { type Static, Type } from 'typebox'
import { Body, Id, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** The permission that each kind of object needs: presence is only for staff who may read the object. */
export const NEEDED = {
  ...{ ticket: 'tickets:read', user: 'users:read', service: 'services:read' },
  ...{ order: 'orders:read', invoice: 'invoices:read' },
} as const
export type Kind = keyof typeof NEEDED

const Kind = OneOf(Object.keys(NEEDED) as Kind[], 'The kind of the object')

export const OpenObject = Type.Object({
  kind: Kind,
  id: Type.String({ format: 'uuid', description: 'The object that is open' }),
})
export type OpenObject = Static<typeof OpenObject>

export const Heartbeat = Body({
  ...OpenObject.properties,
  writing: Type.Optional(
    Type.Boolean({ description: 'Whether the caller is writing a reply; false by default' }),
  ),
})
export type Heartbeat = Static<typeof Heartbeat>

export const Presence = Resource('Presence', {
  others: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      writing: Type.Boolean({ description: 'Whether this person is writing a reply' }),
    }),
    { description: 'Other staff who have the object open now, by name; at most 20' },
  ),
  expiresAt: Timestamp,
})
export type Presence = Static<typeof Presence>
