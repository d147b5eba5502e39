import type { Caller } from '#lib/caller.ts'
import { isId } from '#lib/id.ts'
import type { Db } from '#platform/database/index.ts'
import { findTicketsNamed, staffOf, ticketNumberIn, ticketStatusOf } from '#support'
import { namesOf } from '#users'
import { type Hit, hit, type Wanted } from './hits.ts'

/**
 * Tickets of departments that the caller sees, by number, even with letters mistaken for digits, or by id.
 */
export async function findTickets(db: Db, { tenantId, q }: Wanted, caller: Caller): Promise<Hit[]> {
  const staff = await staffOf(db, caller)
  const rows = await findTicketsNamed(db, staff, {
    id: isId(q) ? q : null,
    number: ticketNumberIn(q),
  })
  const ids = rows.map(({ customerId }) => customerId)
  const people = await namesOf(db, tenantId, ids)
  return rows.map((row) =>
    hit({
      ...{ id: row.id, title: row.number, detail: row.subject, createdAt: row.createdAt },
      ...{ userId: row.customerId, customerName: people.get(row.customerId)?.name ?? null },
      ...{ status: ticketStatusOf(row), exact: true },
    }),
  )
}
