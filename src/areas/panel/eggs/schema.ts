import { type Static, Type } from 'typebox'
import { Body, Id, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'

const MAX_FILE_LENGTH = 900_000

export const EggFile = Body({
  file: Type.String({
    minLength: 1,
    maxLength: MAX_FILE_LENGTH,
    description: 'The text of an exported egg file, as it is',
  }),
})

export const EggQuery = Type.Object({
  ...PageQuery.properties,
  nodeId: Type.Optional(Id),
  archived: Type.Optional(Type.Boolean({ description: 'Show archived eggs too' })),
})
export type EggQuery = Static<typeof EggQuery>

const Variable = Resource('EggVariable', {
  env: Type.String(),
  name: Type.String(),
  description: Type.String(),
  default: Type.String(),
  rules: Type.Array(Type.String()),
  viewable: Type.Boolean(),
  editable: Type.Boolean(),
  sort: Type.Integer(),
})

export const EggView = Resource('Egg', {
  id: Id,
  nodeId: Nullable(Id),
  source: OneOf(['panel', 'file']),
  remoteId: Nullable(Type.Integer()),
  uuid: Nullable(Type.String()),
  name: Type.String(),
  author: Nullable(Type.String()),
  description: Nullable(Type.String()),
  dockerImages: Type.Array(Type.Object({ label: Type.String(), image: Type.String() })),
  startupCommands: Type.Array(Type.Object({ label: Type.String(), command: Type.String() })),
  variables: Type.Array(Variable),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type EggView = Static<typeof EggView>

const Listing = Resource('EggListing', {
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
})

export const EggDetail = Resource('EggDetail', {
  ...EggView.properties,
  changes: Type.Array(
    Type.Object({
      at: Timestamp,
      variables: Type.Array(
        Type.Object({
          env: Type.String(),
          change: OneOf(['added', 'removed', 'changed']),
          fields: Type.Array(Type.String(), { description: 'Its changed fields' }),
        }),
      ),
      images: Listing,
      startup: Listing,
    }),
    { description: 'What syncs and imports changed of late, newest first' },
  ),
})

export const SyncResult = Resource('EggSync', {
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  removed: Type.Integer(),
})
export type SyncResult = Static<typeof SyncResult>
