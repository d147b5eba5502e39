import { Type } from 'typebox'
import { Body, Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { Snowflake } from '../snowflake.ts'

export const MessagesQuery = Type.Object({
  after: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'The last entry of the previous page; acknowledged ones are not listed again',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
})

const Message = Resource('BotNotification', {
  id: Id,
  discordId: Snowflake,
  kind: Type.String(),
  title: Type.String({ description: 'Plain text, with names as people typed them' }),
  body: Type.String({ description: 'Plain text, with names as people typed them' }),
  link: Nullable(Type.String({ description: 'An address to look it up at' })),
  createdAt: Timestamp,
})

export const Messages = Resource('BotNotifications', {
  data: Type.Array(Message),
  nextCursor: Nullable(Type.String()),
})

export const Delivered = Body({
  ids: Type.Array(Id, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'What was passed on, or cannot be: it does not come again',
  }),
})

export const Acknowledged = Resource('AcknowledgedNotifications', {
  acknowledged: Type.Integer({ description: 'How many of them were new' }),
})
