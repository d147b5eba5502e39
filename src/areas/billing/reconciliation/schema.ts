import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'
import type { BreakRow } from './queries.ts'

export const BreakSchema = Resource('ReconciliationBreak', {
  id: Id,
  gatewayId: Id,
  kind: Type.String({ description: 'What differs, such as `refunds_differ`' }),
  objectId: Type.String({ description: 'The provider’s id of what it is about' }),
  attemptId: Nullable(Id),
  status: OneOf(['open', 'resolved']),
  details: Type.Record(Type.String(), Type.Unknown()),
  resolution: Nullable(Type.String()),
  resolvedBy: Nullable(Id),
  resolvedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

export const BreakQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(['open', 'resolved'])),
  gatewayId: Type.Optional(Id),
})

export const BreakResolution = Body({ resolution: Line(500) })

export function breakView(row: BreakRow): Static<typeof BreakSchema> {
  const { id, gatewayId, kind, objectId, attemptId, details } = row
  const { resolution, resolvedBy, resolvedAt, createdAt } = row
  const status = resolvedAt === null ? 'open' : 'resolved'
  return {
    ...{ id, gatewayId, kind, objectId, attemptId, status, details },
    ...{ resolution, resolvedBy, resolvedAt, createdAt },
  }
}
