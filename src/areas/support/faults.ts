import type { Db } from '#platform/database/index.ts'

/** Tickets without a requester: every ticket must have the customer who asked. */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  const lost = await db
    .selectFrom('support.tickets as ticket')
    .select('ticket.number')
    .where('ticket.tenantId', '=', tenantId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('support.participants as requester')
            .select('requester.id')
            .whereRef('requester.tenantId', '=', 'ticket.tenantId')
            .whereRef('requester.ticketId', '=', 'ticket.id')
            .where('requester.role', '=', 'requester'),
        ),
      ),
    )
    .orderBy('ticket.id')
    .execute()
  for (const { number } of lost) yield `Ticket ${number} has no customer.`
}
