import { type Static, Type } from 'typebox'
import { Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'

export const Notification = Resource('Notification', {
  id: Id,
  kind: Type.String(),
  title: Type.String(),
  body: Type.String(),
  link: Nullable(Type.String()),
  data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  createdAt: Timestamp,
  readAt: Nullable(Timestamp),
})
export type Notification = Static<typeof Notification>
