import { type Static, Type } from 'typebox'
import {
  Body,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Text,
  Timestamp,
} from '#lib/schema.ts'
import { AttachmentIds } from '../attachments/schema.ts'
import { TagFilter, Tags } from '../tags/schema.ts'

const STATUSES = ['open', 'answered', 'on_hold', 'closed'] as const
export type TicketStatus = (typeof STATUSES)[number]
export const Status = OneOf(STATUSES)

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]
export const Priority = OneOf(PRIORITIES)

/** The status of a ticket after an answer of staff. */
export type Next = 'open' | 'answered' | 'hold' | 'close'
export const Next = OneOf(
  ['open', 'answered', 'hold', 'close'],
  'The status after the answer; `answered` by default',
)

export const MessageText = { ...Text(50_000), minLength: 1 }
export const Subject = Line(200)

const Named = Type.Object({ id: Id, name: Type.String() })
const NamedInvoice = Type.Object({ id: Id, number: Nullable(Type.String()) })

const Participant = Resource('TicketParticipant', {
  id: Id,
  name: Type.String({ description: 'The first name; the whole name for the person and for staff' }),
  role: OneOf(['requester', 'copied']),
  isMe: Type.Boolean(),
  addedAt: Timestamp,
})

const ClosesAt = Nullable({
  ...Timestamp,
  description:
    'When this answered ticket is closed automatically without a further message; null until the customer is reminded',
})

export const Ticket = Resource('Ticket', {
  id: Id,
  number: Type.String(),
  subject: Type.String(),
  status: Status,
  department: Named,
  service: Nullable(Named),
  invoice: Nullable(NamedInvoice),
  isRequester: Type.Boolean({ description: 'False for a participant whom staff have added' }),
  muted: Type.Boolean({ description: 'No notifications about this ticket' }),
  reopensUntil: Nullable({
    ...Timestamp,
    description: 'Until when a message reopens this closed ticket; null while it is not closed',
  }),
  closesAt: ClosesAt,
  followsId: Nullable({ ...Id, description: 'The closed ticket that this one continues' }),
  followedById: Nullable(Id),
  createdAt: Timestamp,
  lastMessageAt: Timestamp,
  closedAt: Nullable(Timestamp),
})
export type Ticket = Static<typeof Ticket>

export const TicketWithPeople = Resource('TicketWithPeople', {
  ...Ticket.properties,
  participants: Type.Array(Participant),
})
export type TicketWithPeople = Static<typeof TicketWithPeople>

export const OwnTicketQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf([...STATUSES, 'live'], '`live`: all but closed')),
  serviceId: Type.Optional({ ...Id, description: 'Only tickets about this service' }),
})
export type OwnTicketQuery = Static<typeof OwnTicketQuery>

export const NewTicket = Body({
  subject: Subject,
  body: MessageText,
  departmentId: Type.Optional({ ...Id, description: 'By default the first department' }),
  priority: Type.Optional(OneOf(['low', 'normal', 'high'])),
  serviceId: Type.Optional({ ...Id, description: 'One of my services' }),
  invoiceId: Type.Optional({ ...Id, description: 'One of my invoices' }),
  attachmentIds: Type.Optional(AttachmentIds),
})
export type NewTicket = Static<typeof NewTicket>

export const NewTicketFor = Body({
  userId: Id,
  subject: Subject,
  body: MessageText,
  departmentId: Type.Optional({ ...Id, description: 'By default the first department' }),
  priority: Type.Optional(Priority),
  serviceId: Type.Optional({ ...Id, description: 'A service of this customer' }),
  invoiceId: Type.Optional({ ...Id, description: 'An invoice of this customer' }),
})
export type NewTicketFor = Static<typeof NewTicketFor>

export const VIEWS = [
  ...(['open', 'mine', 'unassigned', 'answered', 'on_hold', 'closed', 'all'] as const),
] as const
export type View = (typeof VIEWS)[number]

export const TicketQuery = Type.Object({
  ...PageQuery.properties,
  view: Type.Optional(
    OneOf(
      VIEWS,
      '`open` and `unassigned` are sorted by how long the customer has been waiting, all others by the last activity',
    ),
  ),
  departmentId: Type.Optional({ ...Id, description: 'Only tickets of this department' }),
  assigneeId: Type.Optional({ ...Id, description: 'Only tickets of this member of staff' }),
  priority: Type.Optional(Priority),
  userId: Type.Optional({ ...Id, description: 'Only tickets of this customer' }),
  serviceId: Type.Optional({ ...Id, description: 'Only tickets about this service' }),
  number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The number as people type it' }),
  ),
  tag: Type.Optional({ ...TagFilter, description: 'Only tickets with this tag' }),
})
export type TicketQuery = Static<typeof TicketQuery>

const Customer = Type.Object({ id: Id, name: Type.String(), email: Type.String() })

export const AdminTicket = Resource('AdminTicket', {
  id: Id,
  number: Type.String(),
  subject: Type.String(),
  status: Status,
  priority: Priority,
  department: Named,
  departmentId: Id,
  assignee: Nullable(Named),
  assigneeId: Nullable(Id),
  customer: Customer,
  service: Nullable(Named),
  serviceId: Nullable(Id),
  invoice: Nullable(NamedInvoice),
  invoiceId: Nullable(Id),
  followsId: Nullable(Id),
  followedById: Nullable(Id),
  tags: Type.Array(Type.String()),
  openedVia: OneOf(['portal', 'api', 'staff']),
  waitingSince: Nullable({
    ...Timestamp,
    description: 'Since when the customer has been waiting for an answer',
  }),
  firstRespondedAt: Nullable(Timestamp),
  onHoldAt: Nullable(Timestamp),
  holdUntil: Nullable(Timestamp),
  closesAt: ClosesAt,
  closedAt: Nullable(Timestamp),
  closedBy: Nullable(
    OneOf(
      ['customer', 'staff', 'auto', 'erasure'],
      '`auto`: without a message for `support.autoCloseDays` after an answer',
    ),
  ),
  lastMessageAt: Timestamp,
  lastActivityAt: Timestamp,
  createdAt: Timestamp,
})
export type AdminTicket = Static<typeof AdminTicket>

const Change = Type.Object({
  id: Id,
  kind: OneOf([
    ...(['assigned', 'priority', 'department', 'held', 'closed', 'reopened'] as const),
    ...(['participant_added', 'participant_removed', 'tags'] as const),
  ]),
  actorName: Nullable(Type.String({ description: 'Null: the service did it automatically' })),
  before: Nullable(
    Type.String({ description: 'A name, a priority, a time, or tags with commas between them' }),
  ),
  after: Nullable(Type.String()),
  createdAt: Timestamp,
})

const AdminParticipant = Type.Object({
  id: Id,
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  role: OneOf(['requester', 'copied']),
  addedAt: Timestamp,
  muted: Type.Boolean(),
})

export const AdminTicketDetails = Resource('AdminTicketDetails', {
  ...AdminTicket.properties,
  participants: Type.Array(AdminParticipant),
  changes: Type.Array(Change, { description: 'The last 200 changes, oldest first' }),
})
export type AdminTicketDetails = Static<typeof AdminTicketDetails>

export const TicketChange = Body({
  subject: Type.Optional(Subject),
  departmentId: Type.Optional(Id),
  priority: Type.Optional(Priority),
  assigneeId: Type.Optional(
    Nullable({
      ...Id,
      description: 'A member of staff who sees this department; null: unassigned',
    }),
  ),
  serviceId: Type.Optional(Nullable({ ...Id, description: 'A service of the customer' })),
  invoiceId: Type.Optional(Nullable({ ...Id, description: 'An invoice of the customer' })),
  tags: Type.Optional(Tags),
})
export type TicketChange = Static<typeof TicketChange>

export const Hold = Body({
  until: Type.Optional({
    ...Timestamp,
    description: 'When the hold ends and the ticket is open again',
  }),
})

const Count = Type.Integer({ minimum: 0, maximum: 1000, description: 'Exact up to 1000' })

export const TicketCounts = Resource('TicketCounts', {
  views: Type.Object({
    ...{ open: Count, mine: Count, unassigned: Count, answered: Count, onHold: Count },
    closed: Count,
  }),
  departments: Type.Array(
    Type.Object({ id: Id, name: Type.String(), archived: Type.Boolean(), open: Count }),
    { description: 'Those that the caller sees, in their order' },
  ),
})
export type TicketCounts = Static<typeof TicketCounts>
