import { type Day, HOUR_MS, type Instant, later } from '#lib/time.ts'
import { type Kind, listOftenTold, type Notice, notifyAll } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { onEvent } from '#platform/events.ts'
import { countAttachmentsOf } from './attachments/queries.ts'
import { findDepartment } from './departments/queries.ts'
import {
  ticketAssigned,
  ticketClosed,
  ticketOpened,
  ticketReopened,
  ticketReplied,
} from './events.ts'
import { findMessageAt } from './messages/queries.ts'
import { listParticipants } from './participants/queries.ts'
import { listAssignable } from './tickets/actions.ts'
import { findTicket } from './tickets/queries.ts'
import type { TicketRow } from './tickets/rules.ts'

type CustomerKind = Extract<Kind, 'ticket_opened' | 'ticket_answered' | 'ticket_closed'>
type StaffKind = Extract<Kind, 'ticket_new' | 'ticket_assigned' | 'ticket_customer_replied'>

/**
 * The most notices of one kind that are mailed to a member of staff within an hour; further ones are shown in the
 * product only.
 */
const MAILS_AN_HOUR = 10

/** Notifies the customer of a ticket that staff opened, and the department's staff of one that a customer opened. */
export const tellOfOpening = onEvent(
  ticketOpened,
  'support.tell-of-opening',
  async ({ transact, now }, { tenantId, ticketId, by, actorId }) => {
    await transact(async (tx) => {
      const ticket = await findTicket(tx, { tenantId, id: ticketId })
      if (!ticket) return
      if (by === 'staff') await tellParticipants(tx, ticket, 'ticket_opened', { actorId }, now)
      else await tellStaff(tx, ticket, 'ticket_new', { actorId }, now)
    })
  },
)

/** Notifies all participants of a message, and staff of a customer's message. */
export const tellOfReply = onEvent(
  ticketReplied,
  'support.tell-of-reply',
  async ({ transact, now }, { tenantId, ticketId, messageId, by, actorId }) => {
    await transact(async (tx) => {
      const ticket = await findTicket(tx, { tenantId, id: ticketId })
      const message = ticket && (await findMessageAt(tx, { tenantId, id: messageId }))
      if (!ticket || !message) return
      const files = await countAttachmentsOf(tx, tenantId, messageId)
      const cause = { actorId, writtenAt: message.createdAt, files }
      await tellParticipants(tx, ticket, 'ticket_answered', cause, now)
      if (by === 'customer') await tellStaff(tx, ticket, 'ticket_customer_replied', cause, now)
    })
  },
)

/** Notifies a member of staff to whom another person has assigned a ticket. */
export const tellOfAssignment = onEvent(
  ticketAssigned,
  'support.tell-of-assignment',
  async ({ transact, now }, { tenantId, ticketId, assigneeId, actorId }) => {
    if (!assigneeId || assigneeId === actorId) return
    await transact(async (tx) => {
      const ticket = await findTicket(tx, { tenantId, id: ticketId })
      if (ticket?.assigneeId !== assigneeId) return
      const { number } = ticket
      const told = { kind: 'ticket_assigned', userIds: [assigneeId], data: { number } } as const
      await tellAll(tx, ticket, told, now)
    })
  },
)

/** Notifies the customer of a ticket that staff closed without a message. */
export const tellOfClosing = onEvent(
  ticketClosed,
  'support.tell-of-closing',
  async ({ transact, now }, { tenantId, ticketId, by, withReply, actorId }) => {
    if (by === 'customer' || withReply) return
    await transact(async (tx) => {
      const ticket = await findTicket(tx, { tenantId, id: ticketId })
      if (ticket?.closedAt) await tellParticipants(tx, ticket, 'ticket_closed', { actorId }, now)
    })
  },
)

/** Reminds the people who take part in an answered ticket that it will be closed, and on which day. */
export async function tellOfComingClosing(
  tx: Tx,
  ticket: TicketRow,
  closesOn: Day,
  now: Instant,
): Promise<void> {
  const userIds = await listReaders(tx, ticket, { actorId: null })
  const data = { number: ticket.number, closesOn }
  await tellAll(tx, ticket, { kind: 'ticket_closing', userIds, link: linkOf(ticket), data }, now)
}

/** Notifies staff of a ticket that its customer reopened without a message. */
export const tellOfReopening = onEvent(
  ticketReopened,
  'support.tell-of-reopening',
  async ({ transact, now }, { tenantId, ticketId, by, withReply, actorId }) => {
    if (by === 'staff' || withReply) return
    await transact(async (tx) => {
      const ticket = await findTicket(tx, { tenantId, id: ticketId })
      if (ticket && !ticket.closedAt) {
        await tellStaff(tx, ticket, 'ticket_customer_replied', { actorId }, now)
      }
    })
  },
)

type Cause = {
  /** The person who did it is not notified of it. */
  readonly actorId: string | null
  /** Participants who were added after this time cannot read the message. */
  readonly writtenAt?: Instant
  /** How many files the message has: they are named and sent nowhere but on the ticket. */
  readonly files?: number
}

async function tellParticipants(
  tx: Tx,
  ticket: TicketRow,
  kind: CustomerKind,
  cause: Cause,
  now: Instant,
): Promise<void> {
  const userIds = await listReaders(tx, ticket, cause)
  const data = factsOf(ticket, cause)
  await tellAll(tx, ticket, { kind, userIds, link: linkOf(ticket), data }, now)
}

/** The number of a ticket, and how many files the message has that the notice is about. */
function factsOf({ number }: TicketRow, { files = 0 }: Cause) {
  return { number, ...(files > 0 && { files }) }
}

/** The page of a ticket for those who take part in it. */
function linkOf({ id }: TicketRow): string {
  return `/tickets/${id}`
}

/** The people who take part in a ticket, may read what was written, and have not muted it. */
async function listReaders(
  tx: Tx,
  ticket: TicketRow,
  { actorId, writtenAt }: Cause,
): Promise<string[]> {
  const people = await listParticipants(tx, ticket)
  const readers = people.filter(({ userId, role, mutedAt, createdAt }) => {
    const mayRead = role === 'requester' || !writtenAt || createdAt <= writtenAt
    return userId !== actorId && mutedAt === null && mayRead
  })
  return readers.map(({ userId }) => userId)
}

/** Notifies the assignee of a ticket; without one, all staff who work on tickets of its department. */
async function tellStaff(
  tx: Tx,
  ticket: TicketRow,
  kind: StaffKind,
  cause: Cause,
  now: Instant,
): Promise<void> {
  const { tenantId, departmentId } = ticket
  const department = await findDepartment(tx, { tenantId, id: departmentId })
  if (!department) return
  const staff = (await listAssignable(tx, department)).map(({ id }) => id)
  const hasAssignee = ticket.assigneeId !== null && staff.includes(ticket.assigneeId)
  const userIds = staff.filter(
    (id) => id !== cause.actorId && (!hasAssignee || id === ticket.assigneeId),
  )
  await tellAll(tx, ticket, { kind, userIds, data: factsOf(ticket, cause) }, now)
}

type TicketKind = CustomerKind | StaffKind | 'ticket_closing'
type Told<K extends TicketKind> = {
  kind: K
  userIds: readonly string[]
  data: Notice<K>['data']
  link?: string
}

async function tellAll<K extends TicketKind>(
  tx: Tx,
  { tenantId, id }: TicketRow,
  { kind, userIds, data, link = `/admin/tickets/${id}` }: Told<K>,
  now: Instant,
): Promise<void> {
  const recent = { kind, since: later(now, -HOUR_MS), times: MAILS_AN_HOUR }
  const often = await listOftenTold(tx, { tenantId, userIds }, recent)
  const notices = userIds.map((userId) => {
    return { userId, kind, data, link, mailed: !often.has(userId) }
  })
  await notifyAll(tx, tenantId, notices, now)
}
