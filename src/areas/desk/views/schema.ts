import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** The permission that each list with saved views needs: without it, its views are not shown either. */
export const NEEDED = {
  customers: 'users:read',
  ...{ servers: 'services:read', troubled_servers: 'services:read', tasks: 'tasks:read' },
  ...{ tickets: 'tickets:read', incidents: 'incidents:read', orders: 'orders:read' },
  ...{ invoices: 'invoices:read', credit_notes: 'invoices:read', payments: 'invoices:read' },
  ...{ payment_attempts: 'invoices:read', refunds: 'invoices:read', disputes: 'invoices:read' },
  bank_entries: 'invoices:read',
  ...{ coupons: 'store:read', affiliates: 'affiliation:read', commissions: 'affiliation:read' },
  ...{ mails: 'system:read', audit: 'audit:read' },
} as const
type Screen = keyof typeof NEEDED

export const Screen = OneOf(Object.keys(NEEDED) as Screen[], 'The list of the administration')

const Name = Line(60)
const Query = Type.String({
  maxLength: 2000,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description:
    'The query string of the list without the question mark. Stored as it is: the list interprets it',
})
const HiddenColumns = Type.Array(Line(60), { maxItems: 50, uniqueItems: true })
const Shared = Type.Boolean({
  description: 'Whether all staff who may read the list see the view; only its owner changes it',
})

export const NewView = Body({
  screen: Screen,
  name: Name,
  query: Query,
  hiddenColumns: HiddenColumns,
  shared: Type.Optional(Shared),
})
export type NewView = Static<typeof NewView>

export const ViewChange = Body({
  name: Type.Optional(Name),
  query: Type.Optional(Query),
  hiddenColumns: Type.Optional(HiddenColumns),
  shared: Type.Optional(Shared),
})
export type ViewChange = Static<typeof ViewChange>

export const SavedView = Resource('SavedView', {
  id: Id,
  screen: Screen,
  name: Type.String(),
  query: Query,
  hiddenColumns: Type.Array(Type.String()),
  shared: Shared,
  own: Type.Boolean({ description: 'Whether the caller owns it' }),
  owner: Nullable(Type.String({ description: 'The name of its owner' })),
  createdAt: Timestamp,
})
export type SavedView = Static<typeof SavedView>
