import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#platform/database/index.ts'
import { isIn, isSeenIn, type Staff, type TicketKey } from '../tickets/queries.ts'

/** The tags of a ticket, in order. */
export async function tagsOf(db: Db, { tenantId, id }: TicketKey): Promise<string[]> {
  const rows = await db
    .selectFrom('support.ticket_tags')
    .select('name')
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', id)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Adds tags that a locked ticket does not have. */
export async function insertTags(
  tx: Tx,
  { tenantId, id: ticketId }: TicketKey,
  names: readonly string[],
): Promise<void> {
  await tx
    .insertInto('support.ticket_tags')
    .values(names.map((name) => ({ tenantId, ticketId, name })))
    .execute()
}

/** Removes tags of a locked ticket. */
export async function deleteTags(
  tx: Tx,
  { tenantId, id }: TicketKey,
  names: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('support.ticket_tags')
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', id)
    .where('name', 'in', names)
    .execute()
}

/** Deletes the tags of tickets and the record of their changes, because the account of their customer ends. */
export async function deleteTagsOf(
  tx: Tx,
  tenantId: string,
  ticketIds: readonly string[],
): Promise<void> {
  const isTheirs = sql<SqlBool>`ticket_id = any(${[...ticketIds]}::uuid[])`
  await tx
    .deleteFrom('support.ticket_tags')
    .where('tenantId', '=', tenantId)
    .where(isTheirs)
    .execute()
  await tx
    .deleteFrom('support.changes')
    .where('tenantId', '=', tenantId)
    .where(isTheirs)
    .where('kind', '=', 'tags')
    .execute()
}

type Range = { readonly start: string; readonly after: string; readonly limit: number }

/** The highest code point: no tag that begins with `start` comes after `start` with it. */
const LAST = '\u{10ffff}'

/**
 * The tags on tickets that a member of staff sees, in order. Each step reads the next name from the index, because a
 * tag may be on very many tickets.
 */
export async function listTags(
  db: Db,
  staff: Staff,
  { start, after, limit }: Range,
): Promise<string[]> {
  const next = (beyond: ReturnType<typeof sql>) => sql`(
    select tag.name from support.ticket_tags as tag
      join support.tickets as ticket on ticket.tenant_id = tag.tenant_id and ticket.id = tag.ticket_id
      join support.departments as department
        on department.tenant_id = ticket.tenant_id and department.id = ticket.department_id
     where tag.tenant_id = ${staff.tenantId} and tag.name > ${beyond}
       and tag.name >= ${start} and tag.name < ${`${start}${LAST}`} and ${isSeenIn('department', staff)}
     order by tag.name limit 1)`
  const rows = await db
    .selectFrom(
      sql<{ name: string; step: number }>`(
        with recursive steps (name, step) as (
          select ${next(sql`${after}`)}, 1
          union all
          select ${next(sql`steps.name`)}, step + 1 from steps
           where steps.name is not null and step < ${limit}
        )
        select name, step from steps where name is not null)`.as('found'),
    )
    .select('name')
    .orderBy('step')
    .execute()
  return rows.map(({ name }) => name)
}

/** On how many of the open tickets that a member of staff sees each of these tags is. */
export async function countOpenWith(
  db: Db,
  staff: Staff,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('support.tickets as ticket')
    .innerJoin('support.departments as department', (join) =>
      join
        .onRef('department.tenantId', '=', 'ticket.tenantId')
        .onRef('department.id', '=', 'ticket.departmentId'),
    )
    .innerJoin('support.ticket_tags as tag', (join) =>
      join.onRef('tag.tenantId', '=', 'ticket.tenantId').onRef('tag.ticketId', '=', 'ticket.id'),
    )
    .select('tag.name')
    .select(sql<number>`count(*)::integer`.as('open'))
    .where('ticket.tenantId', '=', staff.tenantId)
    .where(isIn('open', staff))
    .where(isSeenIn('department', staff))
    .where('tag.name', '=', sql<string>`any(${[...names]}::text[])`)
    .groupBy('tag.name')
    .execute()
  return new Map(rows.map(({ name, open }) => [name, open]))
}
