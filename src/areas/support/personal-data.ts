import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteMessagesOf, emptyMessagesBy } from './messages/queries.ts'
import { leaveTicketsOfOthers } from './participants/queries.ts'
import { forgetPerson, listRepliesOf } from './saved-replies/queries.ts'
import { deleteTagsOf } from './tags/queries.ts'
import { listTicketsOf, lockTicketsOf, updateTicket } from './tickets/queries.ts'
import { factsAfter, statusOf } from './tickets/rules.ts'

const PAGE = 100

/**
 * The tickets of a person with everything that they and staff wrote on them, without notes of staff; and the replies
 * that they have saved.
 */
export async function personalData(db: Db, user: UserKey) {
  const savedReplies = await listRepliesOf(db, user)
  const messagesOnTicketsOfOthers = messagesElsewhere(db, user)
  return { tickets: ticketsFor(db, user), messagesOnTicketsOfOthers, savedReplies }
}

/** Reads in batches, so that a long list is never in memory as a whole. */
async function* ticketsFor(db: Db, user: UserKey) {
  let after: string | null = null
  do {
    const tickets = await listTicketsOf(db, user, { after, limit: PAGE })
    const messages = Map.groupBy(
      await messagesOn(
        db,
        user.tenantId,
        tickets.map(({ id }) => id),
      ),
      ({ ticketId }) => ticketId,
    )
    for (const ticket of tickets) {
      const { id, number, subject, createdAt, closedAt } = ticket
      const written = messages.get(id) ?? []
      const shown = written.map(({ author, body, createdAt: at }) => ({ author, body, at }))
      yield { number, subject, status: statusOf(ticket), createdAt, closedAt, messages: shown }
    }
    after = tickets.length === PAGE ? (tickets.at(-1)?.id ?? null) : null
  } while (after)
}

function messagesOn(db: Db, tenantId: string, ticketIds: readonly string[]) {
  return db
    .selectFrom('support.messages')
    .select(['ticketId', 'author', 'body', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', sql<string>`any(${[...ticketIds]}::uuid[])`)
    .where('kind', '=', 'public')
    .orderBy('id')
    .execute()
}

async function* messagesElsewhere(db: Db, { tenantId, userId }: UserKey) {
  const rows = await db
    .selectFrom('support.messages as message')
    .innerJoin('support.tickets as ticket', (join) =>
      join
        .onRef('ticket.tenantId', '=', 'message.tenantId')
        .onRef('ticket.id', '=', 'message.ticketId'),
    )
    .innerJoin('support.participants as own', (join) =>
      join
        .onRef('own.tenantId', '=', 'message.tenantId')
        .onRef('own.ticketId', '=', 'message.ticketId')
        .on('own.role', '=', 'requester'),
    )
    .select(['ticket.number', 'message.body', 'message.createdAt'])
    .where('message.tenantId', '=', tenantId)
    .where('message.authorId', '=', userId)
    .where('message.author', '=', 'customer')
    .where('own.userId', '<>', userId)
    .orderBy('message.id')
    .execute()
  yield* rows
}

/**
 * Closes the tickets of a person whose account ends, and deletes everything that was written on them; times and
 * departments stay for statistics. What they wrote on tickets of others becomes empty, and the replies that they saved
 * for themselves are deleted.
 */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  const tickets = await lockTicketsOf(tx, person)
  const ids = tickets.map(({ id }) => id)
  for (const ticket of tickets) {
    const closing = { kind: 'closed', by: 'erasure' } as const
    const facts = ticket.closedAt ? {} : factsAfter(ticket, closing, now)
    await updateTicket(tx, ticket, { ...facts, subject: '' })
  }
  await deleteMessagesOf(tx, person.tenantId, ids)
  await deleteTagsOf(tx, person.tenantId, ids)
  await emptyMessagesBy(tx, person)
  await leaveTicketsOfOthers(tx, person, now)
  await forgetPerson(tx, person)
}
