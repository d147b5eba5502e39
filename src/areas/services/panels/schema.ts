import { type Static, Type } from 'typebox'
import { Id, Nullable, Page, PageQuery, Resource } from '#lib/schema.ts'

const Space = Type.Object(
  { totalMb: Nullable(Type.Integer()), freeMb: Nullable(Type.Integer()) },
  {
    title: 'PanelSpace',
    description: 'MiB, with overallocation; null: no limit. Negative when overfull.',
  },
)
const Fits = Nullable(
  Type.Integer({ description: 'Servers of `smallest` that still fit; null without one' }),
)
const room = { memory: Space, disk: Space, freePorts: Type.Integer(), fits: Fits }

export const PanelRoom = Resource('PanelRoom', {
  smallest: Nullable(Type.Object({ productId: Id, name: Type.String() })),
  machines: Type.Array(
    Type.Object({
      ...{ id: Type.Integer(), name: Type.String(), fqdn: Type.String() },
      locationIds: Type.Array(Type.String()),
      ...{ public: Type.Boolean(), maintenance: Type.Boolean() },
      ...room,
    }),
  ),
  locations: Type.Array(
    Type.Object({
      ...{ id: Type.String(), name: Type.String() },
      machines: Type.Integer({ description: 'Public ones that are not in maintenance' }),
      ...room,
    }),
  ),
})

export const PanelServers = Page(
  Resource('PanelServer', {
    id: Type.Integer(),
    name: Type.String(),
    externalId: Nullable(Type.String()),
    status: Type.String(),
    machineId: Type.Integer(),
    memoryMb: Type.Integer(),
    diskMb: Type.Integer(),
    serviceId: Nullable(Id),
    adoptable: Type.Boolean({
      description: 'No service of any shop has it, and it is installed',
    }),
  }),
)

export const ServersQuery = Type.Object({
  cursor: PageQuery.properties.cursor,
  unowned: Type.Optional(Type.Boolean({ description: 'Only servers that no service has' })),
})
export type ServersQuery = Static<typeof ServersQuery>
