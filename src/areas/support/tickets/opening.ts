import { findOwnInvoice } from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { findServiceOf } from '#services'
import { settingsOf } from '#tenants'
import { lockUser } from '#users'
import { attachUploads } from '../attachments/actions.ts'
import { chosenDepartment, firstDepartment } from '../departments/actions.ts'
import type { DepartmentRow } from '../departments/rules.ts'
import { ticketOpened } from '../events.ts'
import { insertMessage, type MessageRow } from '../messages/queries.ts'
import type { NewMessage } from '../messages/schema.ts'
import { insertParticipant } from '../participants/queries.ts'
import { supportSettings } from '../settings.ts'
import { assertMayOpen } from './limits.ts'
import { seenDepartment } from './locking.ts'
import { insertTicket, type Staff } from './queries.ts'
import { firstFacts, newNumber, type TicketRow } from './rules.ts'
import type { NewTicket, NewTicketFor } from './schema.ts'

/**
 * Opens a ticket for the customer who calls. Throws 404 for a department that cannot be chosen and for a service or
 * invoice of another customer, 409 `support_disabled`, 429 beyond the limits of T20, and as `attachUploads`.
 */
export async function openTicket(
  tx: Tx,
  caller: Caller,
  wanted: NewTicket,
  now: Instant,
): Promise<TicketRow> {
  const { tenantId, userId } = caller
  const { enabled } = await settingsOf(tx, tenantId, supportSettings)
  if (!enabled) throw conflict('This shop does not take tickets.', 'support_disabled')
  await assertTheirs(tx, caller, wanted)
  const { departmentId } = wanted
  const department = departmentId
    ? await chosenDepartment(tx, tenantId, departmentId)
    : await firstDepartment(tx, tenantId, now)
  if (!department) throw notFound('Department')
  const opened = await openFor(tx, { caller, department, wanted, followsId: null, userId }, now)
  return opened.ticket
}

/**
 * Opens the ticket that continues a closed one, for the customer who wrote to the closed one (T4): in the same
 * department, about the same service and invoice. Throws 429 beyond the limits of T20.
 */
export async function continueTicket(
  tx: Tx,
  caller: Caller,
  { before, ...message }: NewMessage & { before: TicketRow },
  now: Instant,
): Promise<Opened> {
  const { tenantId, userId } = caller
  const { subject, serviceId, invoiceId, departmentId } = before
  const department =
    (await chosenDepartment(tx, tenantId, departmentId)) ??
    (await firstDepartment(tx, tenantId, now))
  const wanted = {
    ...message,
    subject,
    ...(serviceId && { serviceId }),
    ...(invoiceId && { invoiceId }),
  }
  return openFor(tx, { caller, department, wanted, followsId: before.id, userId }, now)
}

type Opened = { readonly ticket: TicketRow; readonly message: MessageRow }

type Opening = {
  caller: Caller
  userId: string
  department: DepartmentRow
  wanted: Omit<NewTicket, 'departmentId'>
  followsId: string | null
}

async function openFor(
  tx: Tx,
  { caller, userId, department, wanted, followsId }: Opening,
  now: Instant,
): Promise<Opened> {
  const { tenantId, via } = caller
  const user = await lockUser(tx, { tenantId, userId })
  if (!user) throw notFound('User')
  await assertMayOpen(tx, user, now)
  const openedVia = via === 'apiKey' ? 'api' : 'portal'
  const ticket = await writeTicket(
    tx,
    { tenantId, department, wanted, followsId, openedVia, assigneeId: null },
    now,
  )
  const author = { author: 'customer', authorId: userId } as const
  const { body, attachmentIds } = wanted
  const first = { ...author, userId, body, attachmentIds }
  const message = await writeFirst(tx, ticket, first, now)
  const facts = { tenantId, ticketId: ticket.id, userId, actorId: userId }
  await emit(tx, ticketOpened, { ...facts, by: 'customer' })
  return { ticket, message }
}

/**
 * Opens a ticket with a message of staff to a customer. Throws 404 for a department that the caller does not see, for an
 * unknown customer, and for a service or invoice that is not theirs.
 */
export async function openTicketFor(
  tx: Tx,
  staff: Staff,
  { userId, ...wanted }: NewTicketFor,
  now: Instant,
): Promise<TicketRow> {
  const { tenantId } = staff
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  await assertTheirs(tx, { tenantId, userId }, wanted)
  const { departmentId } = wanted
  const department = departmentId
    ? await seenDepartment(tx, staff, departmentId)
    : await firstDepartment(tx, tenantId, now)
  if (department.archivedAt) throw notFound('Department')
  const by = { openedVia: 'staff', assigneeId: staff.userId, followsId: null } as const
  const ticket = await writeTicket(tx, { tenantId, department, wanted, ...by }, now)
  const author = { author: 'staff', authorId: staff.userId } as const
  await writeFirst(tx, ticket, { ...author, userId, body: wanted.body }, now)
  const facts = { tenantId, ticketId: ticket.id, userId, actorId: staff.userId }
  await emit(tx, ticketOpened, { ...facts, by: 'staff' })
  return ticket
}

/** Throws 404 for a service or an invoice that a customer does not have. */
export async function assertTheirs(
  tx: Tx,
  user: UserKey,
  {
    serviceId,
    invoiceId,
  }: { serviceId?: string | null | undefined; invoiceId?: string | null | undefined },
): Promise<void> {
  if (serviceId && !(await findServiceOf(tx, user, serviceId))) throw notFound('Service')
  if (invoiceId && !(await findOwnInvoice(tx, user, invoiceId))) throw notFound('Invoice')
}

type Written = Pick<TicketRow, 'tenantId' | 'openedVia' | 'assigneeId' | 'followsId'> & {
  department: DepartmentRow
  wanted: Omit<NewTicketFor, 'userId' | 'departmentId'>
}

const TRIES = 5

async function writeTicket(
  tx: Tx,
  { department, wanted, ...rest }: Written,
  now: Instant,
): Promise<TicketRow> {
  const { subject, priority = department.defaultPriority } = wanted
  const { serviceId = null, invoiceId = null } = wanted
  const facts = firstFacts(rest.openedVia === 'staff' ? 'staff' : 'customer', now)
  const place = { departmentId: department.id, serviceId, invoiceId, createdAt: now }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const key = { id: newId(), number: newNumber() }
    const ticket = { ...rest, ...key, ...place, ...facts, subject, priority }
    if (await insertTicket(tx, ticket)) return ticket
  }
  throw new Error('Every ticket number that was tried is taken')
}

type First = {
  userId: string
  author: 'customer' | 'staff'
  authorId: string
  body: string
  attachmentIds?: readonly string[] | undefined
}

async function writeFirst(
  tx: Tx,
  { tenantId, id: ticketId }: TicketRow,
  { userId, author, authorId, body, attachmentIds }: First,
  now: Instant,
): Promise<MessageRow> {
  const addedBy = author === 'staff' ? authorId : null
  const open = { mutedAt: null, removedAt: null, createdAt: now }
  const key = { tenantId, ticketId, id: newId() }
  await insertParticipant(tx, { ...key, userId, role: 'requester', addedBy, ...open })
  const place = { tenantId, id: newId(), ticketId, kind: 'public', createdAt: now } as const
  const message = { ...place, author, authorId, body }
  await insertMessage(tx, message)
  await attachUploads(tx, message, attachmentIds, now)
  return message
}
