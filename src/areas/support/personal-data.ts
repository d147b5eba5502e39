import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { eraseFilesBy, eraseFilesOf, listAttachmentsOf } from './attachments/queries.ts'
import { deleteMessagesOf, emptyMessagesBy } from './messages/queries.ts'
import { leaveTicketsOfOthers } from './participants/queries.ts'
import { forgetPerson, listRepliesOf } from './saved-replies/queries.ts'
import { deleteTagsOf } from './tags/queries.ts'
import { listTicketsOf, lockTicketsOf, updateTicket } from './tickets/queries.ts'
import { factsAfter, statusOf } from './tickets/rules.ts'

const PAGE = 100

/**
 * The tickets of a person with everything that they and staff wrote on them and the names of its files, without notes of
 * staff; and the replies that they have saved.
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
    const files = await namesOfFiles(db, user.tenantId, [...messages.values()].flat())
    for (const ticket of tickets) {
      const { id, number, subject, createdAt, closedAt } = ticket
      const written = messages.get(id) ?? []
      const shown = written.map(({ id: key, author, body, createdAt: at }) => {
        return { author, body, files: files.get(key) ?? [], at }
      })
      yield { number, subject, status: statusOf(ticket), createdAt, closedAt, messages: shown }
    }
    after = tickets.length === PAGE ? (tickets.at(-1)?.id ?? null) : null
  } while (after)
}

function messagesOn(db: Db, tenantId: string, ticketIds: readonly string[]) {
  return db
    .selectFrom('support.messages')
    .select(['id', 'ticketId', 'author', 'body', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', sql<string>`any(${[...ticketIds]}::uuid[])`)
    .where('kind', '=', 'public')
    .orderBy('id')
    .execute()
}

/** The names of the files of messages, by the ids of the messages. */
async function namesOfFiles(db: Db, tenantId: string, messages: readonly { id: string }[]) {
  const ids = messages.map(({ id }) => id)
  const files = await listAttachmentsOf(db, tenantId, ids)
  const named = files.map(({ messageId, name }) => ({ messageId, name }))
  return new Map(
    [...Map.groupBy(named, (it) => it.messageId)].map(([id, of]) => [id, of.map((it) => it.name)]),
  )
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
    .select(['message.id', 'ticket.number', 'message.body', 'message.createdAt'])
    .where('message.tenantId', '=', tenantId)
    .where('message.authorId', '=', userId)
    .where('message.author', '=', 'customer')
    .where('own.userId', '<>', userId)
    .orderBy('message.id')
    .execute()
  const files = await namesOfFiles(db, tenantId, rows)
  for (const { id, ...row } of rows) yield { ...row, files: files.get(id) ?? [] }
}

/**
 * Closes the tickets of a person whose account ends, and deletes everything that was written on them, with its files;
 * times and departments stay for statistics. What they wrote on tickets of others becomes empty and loses its files, and
 * the replies that they saved for themselves are deleted.
 */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  const tickets = await lockTicketsOf(tx, person)
  const ids = tickets.map(({ id }) => id)
  for (const ticket of tickets) {
    const closing = { kind: 'closed', by: 'erasure' } as const
    const facts = ticket.closedAt ? {} : factsAfter(ticket, closing, now)
    await updateTicket(tx, ticket, { ...facts, subject: '' })
  }
  await eraseFilesOf(tx, person.tenantId, ids, now)
  await eraseFilesBy(tx, person, now)
  await deleteMessagesOf(tx, person.tenantId, ids)
  await deleteTagsOf(tx, person.tenantId, ids)
  await emptyMessagesBy(tx, person)
  await leaveTicketsOfOthers(tx, person, now)
  await forgetPerson(tx, person)
}
