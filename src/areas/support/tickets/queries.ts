import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type InstantOrder, type Page, pageByInstant } from '#platform/page.ts'
import { tagFrom } from '../tags/rules.ts'
import { numberIn, type TicketRow } from './rules.ts'
import type { OwnTicketQuery, TicketQuery, TicketStatus, View } from './schema.ts'

export type TicketKey = Pick<TicketRow, 'tenantId' | 'id'>

/** A member of staff, who sees the tickets of departments that are open to all, or to their groups. */
export type Staff = UserKey & { readonly groupIds: ReadonlySet<string> }

/** Inserts a ticket. False if its number is taken: the caller tries another one. */
export async function insertTicket(tx: Tx, row: TicketRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('support.tickets')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'number']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateTicket(
  tx: Tx,
  { tenantId, id }: TicketKey,
  change: Partial<Omit<TicketRow, 'tenantId' | 'id'>>,
): Promise<void> {
  await tx
    .updateTable('support.tickets')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** The lock for everything that happens to a ticket. */
export function lockTicket(tx: Tx, { tenantId, id }: TicketKey): Promise<TicketRow | undefined> {
  return tx
    .selectFrom('support.tickets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function findTicket(db: Db, { tenantId, id }: TicketKey): Promise<TicketRow | undefined> {
  return db
    .selectFrom('support.tickets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Tickets with what people see of their department, service and invoice, and the ticket that follows. */
function views(db: Db, tenantId: string) {
  return db
    .selectFrom('support.tickets as ticket')
    .innerJoin('support.departments as department', (join) =>
      join
        .onRef('department.tenantId', '=', 'ticket.tenantId')
        .onRef('department.id', '=', 'ticket.departmentId'),
    )
    .leftJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'ticket.tenantId')
        .onRef('service.id', '=', 'ticket.serviceId'),
    )
    .leftJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'ticket.tenantId')
        .onRef('invoice.id', '=', 'ticket.invoiceId'),
    )
    .selectAll('ticket')
    .select(['department.names', 'department.groupIds'])
    .select(['service.name as serviceName', 'invoice.number as invoiceNumber'])
    .select((it) =>
      it
        .selectFrom('support.tickets as next')
        .select('next.id')
        .whereRef('next.tenantId', '=', 'ticket.tenantId')
        .whereRef('next.followsId', '=', 'ticket.id')
        .orderBy('next.id')
        .limit(1)
        .as('followedById'),
    )
    .where('ticket.tenantId', '=', tenantId)
}

const STATUS_IN_SQL = sql<TicketStatus>`case
  when ticket.closed_at is not null then 'closed'
  when ticket.on_hold_at is not null then 'on_hold'
  when ticket.waiting_since is not null then 'open'
  else 'answered' end`

type Participation = Pick<Row<'support.participants'>, 'role' | 'mutedAt'> & {
  participantId: string
  addedAt: Instant
}
export type TicketView = Awaited<ReturnType<typeof listOfSome>>[number]
export type OwnTicketView = TicketView & Participation

/** Used only for its type: a view of a ticket without its owner. */
function listOfSome(db: Db, tenantId: string) {
  return views(db, tenantId).execute()
}

function ownViews(db: Db, { tenantId, userId }: UserKey) {
  return views(db, tenantId)
    .innerJoin('support.participants as own', (join) =>
      join.onRef('own.tenantId', '=', 'ticket.tenantId').onRef('own.ticketId', '=', 'ticket.id'),
    )
    .select(['own.id as participantId', 'own.role', 'own.mutedAt', 'own.createdAt as addedAt'])
    .where('own.tenantId', '=', tenantId)
    .where('own.userId', '=', userId)
    .where('own.removedAt', 'is', null)
}

/** A ticket in which a person takes part now. */
export function findOwnTicket(
  db: Db,
  user: UserKey,
  id: string,
): Promise<OwnTicketView | undefined> {
  return ownViews(db, user).where('ticket.id', '=', id).executeTakeFirst()
}

/** The tickets in which a person takes part, by their last message. */
export function listOwnTickets(
  db: Db,
  user: UserKey,
  { status, serviceId, ...page }: OwnTicketQuery,
): Promise<Page<OwnTicketView>> {
  let query = ownViews(db, user)
  if (status === 'live') query = query.where('ticket.closedAt', 'is', null)
  else if (status) query = query.where(STATUS_IN_SQL, '=', status)
  if (serviceId) query = query.where('ticket.serviceId', '=', serviceId)
  return pageByInstant(query, page, {
    ...{ column: 'ticket.last_message_at', id: 'ticket.id', order: 'desc' },
    at: ({ lastMessageAt }) => lastMessageAt,
  })
}

/** Tickets with the customer, of the departments that a member of staff sees. */
function staffViews(db: Db, staff: Staff) {
  return views(db, staff.tenantId)
    .innerJoin('support.participants as requester', (join) =>
      join
        .onRef('requester.tenantId', '=', 'ticket.tenantId')
        .onRef('requester.ticketId', '=', 'ticket.id')
        .on('requester.role', '=', 'requester'),
    )
    .select('requester.userId as customerId')
    .select(
      sql<string[]>`array(select tag.name from support.ticket_tags as tag
        where tag.tenant_id = ticket.tenant_id and tag.ticket_id = ticket.id order by tag.name)`.as(
        'tags',
      ),
    )
    .where(isSeenIn('department', staff))
}

/** `isSeenBy` for the database. */
export function isSeenIn(alias: string, { groupIds }: Staff) {
  const own = sql`${[...groupIds]}::uuid[]`
  const groups = sql.ref(`${alias}.groupIds`)
  return sql<SqlBool>`(${groups} = '{}' or ${groups} && ${own})`
}

export type StaffTicketView = TicketView & { customerId: string; tags: string[] }

/** A ticket that a member of staff sees. */
export function findStaffTicket(
  db: Db,
  staff: Staff,
  id: string,
): Promise<StaffTicketView | undefined> {
  return staffViews(db, staff).where('ticket.id', '=', id).executeTakeFirst()
}

/** The condition for the tickets of each view. */
const CONDITIONS: Readonly<Record<Exclude<View, 'mine' | 'all'>, string>> = {
  open: 'ticket.closed_at is null and ticket.on_hold_at is null and ticket.waiting_since is not null',
  unassigned:
    'ticket.closed_at is null and ticket.on_hold_at is null and ticket.waiting_since is not null and ticket.assignee_id is null',
  answered:
    'ticket.closed_at is null and ticket.on_hold_at is null and ticket.waiting_since is null',
  on_hold: 'ticket.closed_at is null and ticket.on_hold_at is not null',
  closed: 'ticket.closed_at is not null',
}

/** Whether a ticket is in a view of a member of staff. */
export function isIn(view: View, { userId }: Staff) {
  if (view === 'all') return sql<SqlBool>`true`
  if (view === 'mine') {
    return sql<SqlBool>`(ticket.closed_at is null and ticket.assignee_id = ${userId}::uuid)`
  }
  return sql<SqlBool>`(${sql.raw(CONDITIONS[view])})`
}

const BY_WAITING: InstantOrder<StaffTicketView> = {
  ...{ column: 'ticket.waiting_since', id: 'ticket.id', order: 'asc' },
  at: ({ waitingSince }) => waitingSince,
}
const BY_ACTIVITY: InstantOrder<StaffTicketView> = {
  ...{ column: 'ticket.last_activity_at', id: 'ticket.id', order: 'desc' },
  at: ({ lastActivityAt }) => lastActivityAt,
}

/** The tickets that a member of staff sees, in a view. */
export function listTickets(
  db: Db,
  staff: Staff,
  { view = 'open', limit, cursor, ...filter }: TicketQuery,
): Promise<Page<StaffTicketView>> {
  const { departmentId, assigneeId, priority, userId, serviceId, number, tag } = filter
  let query = staffViews(db, staff).where(isIn(view, staff))
  if (departmentId) query = query.where('ticket.departmentId', '=', departmentId)
  if (assigneeId) query = query.where('ticket.assigneeId', '=', assigneeId)
  if (priority) query = query.where('ticket.priority', '=', priority)
  if (userId) query = query.where('requester.userId', '=', userId)
  if (serviceId) query = query.where('ticket.serviceId', '=', serviceId)
  if (number) query = query.where('ticket.number', '=', numberIn(number))
  if (tag) {
    query = query.where('ticket.id', 'in', (of) =>
      of
        .selectFrom('support.ticket_tags')
        .select('ticketId')
        .where('tenantId', '=', staff.tenantId)
        .where('name', '=', tagFrom(tag)),
    )
  }
  const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  const isByWaiting = view === 'open' || view === 'unassigned'
  return pageByInstant(query, page, isByWaiting ? BY_WAITING : BY_ACTIVITY)
}

/** Tickets by their number or id, for the search of staff. */
export function findTicketsNamed(
  db: Db,
  staff: Staff,
  { id, number }: { id: string | null; number: string },
): Promise<StaffTicketView[]> {
  return staffViews(db, staff)
    .where(({ or, eb }) =>
      or([eb('ticket.number', '=', number), ...(id ? [eb('ticket.id', '=', id)] : [])]),
    )
    .execute()
}

/** How many tickets wait for an answer of staff, at most 1000, and since when the oldest has been waiting. */
export function countWaitingTickets(
  db: Db,
  staff: Staff,
): Promise<{ count: number; oldestAt: Instant | null }> {
  return db
    .selectFrom((it) =>
      it
        .selectFrom('support.tickets as ticket')
        .innerJoin('support.departments as department', (join) =>
          join
            .onRef('department.tenantId', '=', 'ticket.tenantId')
            .onRef('department.id', '=', 'ticket.departmentId'),
        )
        .select('ticket.waitingSince')
        .where('ticket.tenantId', '=', staff.tenantId)
        .where(isIn('open', staff))
        .where(isSeenIn('department', staff))
        .orderBy('ticket.waitingSince')
        .limit(MOST_COUNTED)
        .as('waiting'),
    )
    .select(sql<number>`count(*)::integer`.as('count'))
    .select((it) => it.fn.min('waitingSince').as('oldestAt'))
    .executeTakeFirstOrThrow()
}

const MOST_COUNTED = 1000
const COUNTED = {
  ...{ open: 'open', mine: 'mine', unassigned: 'unassigned', answered: 'answered' },
  ...{ onHold: 'on_hold', closed: 'closed' },
} as const satisfies Readonly<Record<string, View>>

/**
 * How many tickets are in each view, exact up to 1000, as a member of staff sees them. The departments are read first,
 * so that each count stops at the limit.
 */
export function countTickets(db: Db, staff: Staff): Promise<Record<keyof typeof COUNTED, number>> {
  const counted = Object.entries(COUNTED).map(
    ([name, view]) => sql`(select count(*)::integer from (
      select 1 from support.tickets as ticket
      where ticket.tenant_id = ${staff.tenantId} and ${isIn(view, staff)}
        and ticket.department_id = any (array(
          select department.id from support.departments as department
          where department.tenant_id = ${staff.tenantId} and ${isSeenIn('department', staff)}))
      limit ${MOST_COUNTED}) as found) as ${sql.ref(name)}`,
  )
  return db
    .selectFrom(
      sql<Record<keyof typeof COUNTED, number>>`(select ${sql.join(counted)})`.as('counts'),
    )
    .selectAll()
    .executeTakeFirstOrThrow()
}

/** How many open tickets each department has that a member of staff sees, exact up to 1000. */
export async function countOpenByDepartment(
  db: Db,
  staff: Staff,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('support.departments as department')
    .select('department.id')
    .select(
      sql<number>`(select count(*)::integer from (
        select 1 from support.tickets as ticket
        where ticket.tenant_id = department.tenant_id and ticket.department_id = department.id
          and ${sql.raw(CONDITIONS.open)}
        limit ${MOST_COUNTED}) as found)`.as('open'),
    )
    .where('department.tenantId', '=', staff.tenantId)
    .where(isSeenIn('department', staff))
    .execute()
  return new Map(rows.map(({ id, open }) => [id, open]))
}

const PRIORITY_RANK = sql<number>`array_position(array['urgent', 'high', 'normal', 'low'], ticket.priority)`

/**
 * Locks the most urgent ticket that waits for an answer and has no assignee, by priority and then by how long its
 * customer has been waiting. Tickets that are locked by others are skipped.
 */
export function lockNextUnassigned(tx: Tx, staff: Staff): Promise<TicketRow | undefined> {
  return tx
    .selectFrom('support.tickets as ticket')
    .selectAll('ticket')
    .where('ticket.tenantId', '=', staff.tenantId)
    .where(isIn('unassigned', staff))
    .where('ticket.departmentId', 'in', (of) =>
      of
        .selectFrom('support.departments as department')
        .select('department.id')
        .where('department.tenantId', '=', staff.tenantId)
        .where(isSeenIn('department', staff)),
    )
    .orderBy(PRIORITY_RANK)
    .orderBy('ticket.waitingSince')
    .orderBy('ticket.id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** When a person opened their last tickets, newest first. */
export async function listOpeningTimes(
  db: Db,
  { tenantId, userId }: UserKey,
  { since, limit }: { since: Instant; limit: number },
): Promise<Instant[]> {
  const rows = await ticketsOf(db, { tenantId, userId })
    .select('ticket.createdAt')
    .where('ticket.createdAt', '>', since)
    .where('ticket.openedVia', '<>', 'staff')
    .orderBy('ticket.createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** How many tickets of a person are not closed. */
export async function countLiveTickets(db: Db, user: UserKey): Promise<number> {
  const { count } = await ticketsOf(db, user)
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('ticket.closedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The tickets that a person opened, or that staff opened for them. */
export function ticketsOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('support.tickets as ticket')
    .innerJoin('support.participants as requester', (join) =>
      join
        .onRef('requester.tenantId', '=', 'ticket.tenantId')
        .onRef('requester.ticketId', '=', 'ticket.id')
        .on('requester.role', '=', 'requester'),
    )
    .where('requester.tenantId', '=', tenantId)
    .where('requester.userId', '=', userId)
}

/** Locks a batch of tickets whose hold has ended. */
export function lockEndedHolds(tx: Tx, now: Instant, limit: number): Promise<TicketRow[]> {
  return tx
    .selectFrom('support.tickets')
    .selectAll()
    .where('holdUntil', '<=', now)
    .orderBy('holdUntil')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

type Answered = {
  /** The last message is at least this old. */
  readonly writtenBefore: Instant
  /** The reminder is at least this old; null: there was none; left out: it does not matter. */
  readonly announcedBefore?: Instant | null
  readonly limit: number
}

/** Locks answered tickets of a tenant that nothing was written on lately; those that are locked already are left out. */
export function lockAnswered(
  tx: Tx,
  tenantId: string,
  { writtenBefore, announcedBefore, limit }: Answered,
): Promise<TicketRow[]> {
  let query = tx
    .selectFrom('support.tickets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('closedAt', 'is', null)
    .where('onHoldAt', 'is', null)
    .where('waitingSince', 'is', null)
    .where('lastMessageAt', '<=', writtenBefore)
  if (announcedBefore === null) query = query.where('closingNoticeAt', 'is', null)
  else if (announcedBefore) query = query.where('closingNoticeAt', '<=', announcedBefore)
  return query
    .orderBy('lastMessageAt')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** All tickets of a person in the order in which they were opened, in batches. */
export function listTicketsOf(
  db: Db,
  user: UserKey,
  { after, limit }: { after: string | null; limit: number },
): Promise<TicketRow[]> {
  return ticketsOf(db, user)
    .selectAll('ticket')
    .$if(after !== null, (it) => it.where('ticket.id', '>', after ?? ''))
    .orderBy('ticket.id')
    .limit(limit)
    .execute()
}

/** Locks all tickets of a person. */
export function lockTicketsOf(tx: Tx, { tenantId, userId }: UserKey): Promise<TicketRow[]> {
  return tx
    .selectFrom('support.tickets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (of) =>
      of
        .selectFrom('support.participants')
        .select('ticketId')
        .where('tenantId', '=', tenantId)
        .where('userId', '=', userId)
        .where('role', '=', 'requester'),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}
