import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'
import { ticketsOf } from './tickets/queries.ts'

/** The tickets of a person: that they were opened, and closed. */
export function timeline(db: Db, user: UserKey): readonly Moments[] {
  const tickets = ticketsOf(db, user)
  const columns = { id: 'ticket.id', detail: sql.ref<string>('ticket.number') }
  return [
    tickets.select(moment('support.ticket-opened', { ...columns, at: 'ticket.createdAt' })),
    tickets.select(moment('support.ticket-closed', { ...columns, at: 'ticket.closedAt' })),
  ]
}
