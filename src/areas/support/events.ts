import { Type } from 'typebox'
import { Id, Nullable, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const By = OneOf(['customer', 'staff'])
/** The customer of a ticket, and the person who acted on it. `actorId` is null if nobody did. */
const ticket = { tenantId: Id, ticketId: Id, userId: Id, actorId: Nullable(Id) }

export const ticketOpened = event('support.ticket-opened', Type.Object({ ...ticket, by: By }))
/** A public message was written; the first one of a ticket is part of its opening. */
export const ticketReplied = event(
  'support.ticket-replied',
  Type.Object({ ...ticket, messageId: Id, by: By }),
)
export const ticketAssigned = event(
  'support.ticket-assigned',
  Type.Object({ ...ticket, assigneeId: Nullable(Id) }),
)
/** `withReply`: the same request wrote a message, of which its readers are notified. */
export const ticketClosed = event(
  'support.ticket-closed',
  Type.Object({ ...ticket, by: OneOf(['customer', 'staff', 'auto']), withReply: Type.Boolean() }),
)
export const ticketReopened = event(
  'support.ticket-reopened',
  Type.Object({ ...ticket, by: By, withReply: Type.Boolean() }),
)
