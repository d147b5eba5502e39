import { Type } from 'typebox'
import { Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

export const ServerReport = Resource('ServerReport', {
  state: Nullable(OneOf(['offline', 'starting', 'running', 'stopping'])),
  stateAt: Nullable(Timestamp),
  startedAt: Nullable(Timestamp),
  crashedAt: Nullable(Timestamp),
  installStartedAt: Nullable(Timestamp),
  installEndedAt: Nullable(Timestamp),
  installSuccessful: Nullable(Type.Boolean()),
  interruptedAt: Nullable(Timestamp),
})

export const ActivityEntry = Resource('ServerActivity', {
  id: Id,
  event: Type.String(),
  panelUser: Nullable(Type.String({ description: "By the panel's id; null for the machine" })),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  happenedAt: Timestamp,
})
