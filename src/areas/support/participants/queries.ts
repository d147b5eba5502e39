import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { TicketKey } from '../tickets/queries.ts'

export type ParticipantRow = Row<'support.participants'>

export async function insertParticipant(tx: Tx, row: ParticipantRow): Promise<void> {
  await tx.insertInto('support.participants').values(row).execute()
}

/** Who takes part in a ticket now, the requester first. */
export function listParticipants(
  db: Db,
  { tenantId, id: ticketId }: TicketKey,
): Promise<ParticipantRow[]> {
  return db
    .selectFrom('support.participants')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .where('removedAt', 'is', null)
    .orderBy('role', 'desc')
    .orderBy('id')
    .execute()
}

/** The customer whose ticket it is. */
export async function findRequester(
  db: Db,
  { tenantId, id: ticketId }: TicketKey,
): Promise<string> {
  const { userId } = await db
    .selectFrom('support.participants')
    .select('userId')
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .where('role', '=', 'requester')
    .executeTakeFirstOrThrow()
  return userId
}

type Participation = UserKey & { readonly ticketId: string }

/** Ends the participation of a person whom staff have added; undefined if there is none. */
export function removeParticipant(
  tx: Tx,
  { tenantId, id: ticketId }: TicketKey,
  participantId: string,
  now: Instant,
) {
  return tx
    .updateTable('support.participants')
    .set({ removedAt: now })
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .where('id', '=', participantId)
    .where('role', '=', 'copied')
    .where('removedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Switches the notices of a ticket off, or on again (null), for a participant. */
export async function muteParticipant(
  tx: Tx,
  { tenantId, userId, ticketId }: Participation,
  mutedAt: Instant | null,
): Promise<void> {
  await tx
    .updateTable('support.participants')
    .set({ mutedAt })
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .where('userId', '=', userId)
    .where('removedAt', 'is', null)
    .execute()
}

/** Removes a person from the tickets of others. */
export async function leaveTicketsOfOthers(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('support.participants')
    .set({ removedAt: now })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('role', '=', 'copied')
    .where('removedAt', 'is', null)
    .execute()
}
