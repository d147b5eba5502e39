import { type Static, Type } from 'typebox'
import { Body, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { Attachment, AttachmentIds } from '../attachments/schema.ts'
import { ACTIONS } from '../saved-replies/rules.ts'
import { MessageText, Next } from '../tickets/schema.ts'

const Author = OneOf(['customer', 'staff'])
const Words = Type.String({ description: 'Empty: its author has deleted their account' })

export const TicketMessage = Resource('TicketMessage', {
  id: Id,
  ticketId: Id,
  author: Author,
  authorName: Type.String({ description: 'A first name, or the department' }),
  isMine: Type.Boolean(),
  body: Words,
  attachments: Type.Array(Attachment),
  createdAt: Timestamp,
})
export type TicketMessage = Static<typeof TicketMessage>

export const NewMessage = Body({
  body: MessageText,
  attachmentIds: Type.Optional(AttachmentIds),
})

export type NewMessage = Static<typeof NewMessage>

export const AdminTicketMessage = Resource('AdminTicketMessage', {
  id: Id,
  ticketId: Id,
  kind: OneOf(['public', 'note'], '`note`: for staff only'),
  author: Author,
  authorId: Id,
  authorName: Type.String(),
  body: Words,
  attachments: Type.Array(Attachment),
  createdAt: Timestamp,
})
export type AdminTicketMessage = Static<typeof AdminTicketMessage>

export const NewAnswer = Body({
  kind: OneOf(['public', 'note']),
  body: MessageText,
  attachmentIds: Type.Optional(AttachmentIds),
  next: Type.Optional(Next),
  holdUntil: Type.Optional({
    ...Timestamp,
    description: 'With `next: hold`: when the hold ends and the ticket is open again',
  }),
  seenThrough: Type.Optional(
    Nullable({
      ...Type.String({ maxLength: 36 }),
      description:
        'The id of the last public message that the author of an answer has read. With a newer one the answer is refused (409 `ticket_changed`)',
    }),
  ),
  force: Type.Optional(Type.Boolean({ description: 'Answer although there is a newer message' })),
  savedReplyId: Type.Optional({
    ...Id,
    description:
      'The saved reply whose actions are done with the answer; `body` is what is sent, and `next` replaces its status',
  }),
  savedReplyRevision: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 2_147_483_647 },
      description:
        'The revision that the caller has seen. With another one the answer is refused (409 `saved_reply_changed`)',
    }),
  ),
  withoutActions: Type.Optional(
    Type.Array(OneOf(ACTIONS), {
      ...{ maxItems: ACTIONS.length, uniqueItems: true },
      description: 'Actions of the saved reply that are not done',
    }),
  ),
})
export type NewAnswer = Static<typeof NewAnswer>
