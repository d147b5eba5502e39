import type { Locale } from '#lib/languages.ts'
import { notFound } from '#lib/problem.ts'
import { DAY_MS, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { brandOf, settingsOf } from '#tenants'
import { firstNameIn, namesOf } from '#users'
import { findDepartment, listDepartments } from '../departments/queries.ts'
import { departmentName, isSeenBy, type Reader } from '../departments/rules.ts'
import { listParticipants } from '../participants/queries.ts'
import { supportSettings } from '../settings.ts'
import { type ChangeRow, listChanges } from './changes.ts'
import {
  countOpenByDepartment,
  countTickets,
  findOwnTicket,
  findStaffTicket,
  type OwnTicketView,
  type Staff,
  type StaffTicketView,
} from './queries.ts'
import { closesAt, statusOf } from './rules.ts'
import type {
  AdminTicket,
  AdminTicketDetails,
  Ticket,
  TicketCounts,
  TicketWithPeople,
} from './schema.ts'

/** The reader of department names: they are in the reader's language, else in that of the shop. */
export async function readerOf(db: Db, tenantId: string, locale: Locale): Promise<Reader> {
  return { locale, shopLocale: (await brandOf(db, tenantId)).locale ?? null }
}

/** Tickets as their customers see them. */
export async function ownTickets(
  db: Db,
  tenantId: string,
  rows: readonly OwnTicketView[],
  locale: Locale,
): Promise<Ticket[]> {
  const reader = await readerOf(db, tenantId, locale)
  const settings = await settingsOf(db, tenantId, supportSettings)
  return rows.map((row) => {
    const { id, number, subject, followsId, followedById, createdAt, lastMessageAt, closedAt } = row
    return {
      ...{ id, number, subject, status: statusOf(row), department: departmentIn(row, reader) },
      ...{ service: serviceIn(row), invoice: invoiceIn(row) },
      ...{ isRequester: row.role === 'requester', muted: row.mutedAt !== null },
      reopensUntil: closedAt && later(closedAt, settings.reopenDays * DAY_MS),
      closesAt: closesAt(row, settings),
      ...{ followsId, followedById, createdAt, lastMessageAt, closedAt },
    }
  })
}

/** A ticket in which the caller takes part, with all participants. Throws 404. */
export async function ownTicket(
  db: Db,
  user: UserKey,
  id: string,
  locale: Locale,
): Promise<TicketWithPeople> {
  const row = await findOwnTicket(db, user, id)
  const [ticket] = row ? await ownTickets(db, user.tenantId, [row], locale) : []
  if (!row || !ticket) throw notFound('Ticket')
  const people = await listParticipants(db, row)
  const names = await namesOf(
    db,
    user.tenantId,
    people.map(({ userId }) => userId),
  )
  const participants = people.map(({ id: key, userId, role, createdAt: addedAt }) => {
    const name = names.get(userId)?.name ?? ''
    const isMe = userId === user.userId
    return { id: key, name: isMe ? name : firstNameIn(name), role, isMe, addedAt }
  })
  return { ...ticket, participants }
}

type Place = Pick<StaffTicketView, 'departmentId' | 'names'>

function departmentIn({ departmentId: id, names }: Place, reader: Reader) {
  return { id, name: departmentName({ names }, reader) }
}

function serviceIn({ serviceId, serviceName }: Pick<StaffTicketView, 'serviceId' | 'serviceName'>) {
  return serviceId ? { id: serviceId, name: serviceName ?? '' } : null
}

function invoiceIn({
  invoiceId,
  invoiceNumber,
}: Pick<StaffTicketView, 'invoiceId' | 'invoiceNumber'>) {
  return invoiceId ? { id: invoiceId, number: invoiceNumber } : null
}

/** Tickets as staff see them. */
export async function staffTickets(
  db: Db,
  tenantId: string,
  rows: readonly StaffTicketView[],
  locale: Locale,
): Promise<AdminTicket[]> {
  const reader = await readerOf(db, tenantId, locale)
  const userIds = rows.flatMap(({ customerId, assigneeId }) => [customerId, assigneeId ?? []])
  const names = await namesOf(db, tenantId, userIds.flat())
  const settings = await settingsOf(db, tenantId, supportSettings)
  return rows.map((row) => {
    const { names: _, groupIds: __, tenantId: ___, serviceName, invoiceNumber, ...ticket } = row
    const { customerId, closingNoticeAt: ____, ...shown } = ticket
    const customer = names.get(customerId)
    const assignee = row.assigneeId
    return {
      ...shown,
      status: statusOf(row),
      department: departmentIn(row, reader),
      assignee: assignee ? { id: assignee, name: names.get(assignee)?.name ?? '' } : null,
      customer: { id: customerId, name: customer?.name ?? '', email: customer?.email ?? '' },
      ...{ service: serviceIn(row), invoice: invoiceIn(row), closesAt: closesAt(row, settings) },
    }
  })
}

/** A ticket that a member of staff sees, with its participants and its changes. Throws 404. */
export async function staffTicket(
  db: Db,
  staff: Staff,
  id: string,
  locale: Locale,
): Promise<AdminTicketDetails> {
  const { tenantId } = staff
  const row = await findStaffTicket(db, staff, id)
  const [ticket] = row ? await staffTickets(db, tenantId, [row], locale) : []
  if (!row || !ticket) throw notFound('Ticket')
  const people = await listParticipants(db, row)
  const changes = await listChanges(db, row)
  const userIds = [
    ...people.map(({ userId }) => userId),
    ...changes.flatMap(({ kind, actorId, before, after }) => [
      ...(actorId ? [actorId] : []),
      ...(NAMES_PEOPLE.has(kind) ? [before, after] : []),
    ]),
  ].filter((it) => it !== null)
  const names = await namesOf(db, tenantId, userIds)
  const departments = await departmentNames(db, tenantId, locale, changes)
  const nameOf = (key: string | null) => (key === null ? null : (names.get(key)?.name ?? ''))
  return {
    ...ticket,
    participants: people.map(({ id: key, userId, role, createdAt: addedAt, mutedAt }) => {
      const person = names.get(userId)
      const shown = { name: person?.name ?? '', email: person?.email ?? '' }
      return { id: key, userId, ...shown, role, addedAt, muted: mutedAt !== null }
    }),
    changes: changes.map(({ id: key, kind, actorId, before, after, createdAt }) => {
      const read = (value: string | null) => {
        if (NAMES_PEOPLE.has(kind)) return nameOf(value)
        return kind === 'department' && value ? (departments.get(value) ?? '') : value
      }
      const values = { before: read(before), after: read(after) }
      return { id: key, kind, actorName: nameOf(actorId), ...values, createdAt }
    }),
  }
}

/** Changes whose values are ids of people. */
const NAMES_PEOPLE: ReadonlySet<ChangeRow['kind']> = new Set([
  ...(['assigned', 'participant_added', 'participant_removed'] as const),
])

async function departmentNames(
  db: Db,
  tenantId: string,
  locale: Locale,
  changes: readonly ChangeRow[],
): Promise<ReadonlyMap<string, string>> {
  if (!changes.some(({ kind }) => kind === 'department')) return new Map()
  const reader = await readerOf(db, tenantId, locale)
  const all = await listDepartments(db, tenantId)
  return new Map(all.map((it) => [it.id, departmentName(it, reader)]))
}

/** The name of a department for a reader; that of a missing one is the fallback. */
export async function nameOfDepartment(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  locale: Locale,
): Promise<string> {
  const department = await findDepartment(db, { tenantId, id })
  return departmentName(department ?? { names: {} }, await readerOf(db, tenantId, locale))
}

/** How many tickets each view and department has, as a member of staff sees them. */
export async function countsFor(db: Db, staff: Staff, locale: Locale): Promise<TicketCounts> {
  const { tenantId, groupIds } = staff
  const reader = await readerOf(db, tenantId, locale)
  const open = await countOpenByDepartment(db, staff)
  const all = await listDepartments(db, tenantId)
  return {
    views: await countTickets(db, staff),
    departments: all
      .filter((it) => isSeenBy(it, groupIds))
      .map((it) => ({
        ...{ id: it.id, name: departmentName(it, reader), archived: it.archivedAt !== null },
        open: open.get(it.id) ?? 0,
      })),
  }
}
