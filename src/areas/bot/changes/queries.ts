import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { ChangeRow } from '../roles/queries.ts'
import type { TokenKey } from '../tokens/queries.ts'

/** Up to where a bot has applied the feed; null if it has never read all of it. */
export async function findApplied(db: Db, { tenantId, id }: TokenKey): Promise<number | null> {
  const row = await db
    .selectFrom('bot.tokens')
    .select('appliedSequence')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.appliedSequence ?? null
}

/** The changes in the feed after a position, in order. */
export function listChanges(
  db: Db,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ChangeRow[]> {
  return db
    .selectFrom('bot.role_changes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** Records up to where a bot has applied the feed; never moves back. Returns the recorded position. */
export async function markApplied(
  tx: Tx,
  { tenantId, id }: TokenKey,
  sequence: number,
): Promise<number> {
  const { appliedSequence } = await tx
    .updateTable('bot.tokens')
    .set({ appliedSequence: sql<number>`greatest(applied_sequence, ${sequence})` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning('appliedSequence')
    .executeTakeFirstOrThrow()
  return appliedSequence ?? sequence
}

/** A page of the members that have roles: `limit` members, with all of their roles. */
export function listMemberRoles(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
) {
  const page = db
    .selectFrom('bot.grants')
    .select('discordId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .$if(after !== null, (query) => query.where('discordId', '>', after ?? ''))
    .orderBy('discordId')
    .limit(limit)
  return db
    .selectFrom('bot.grants')
    .select(['discordId', 'guildId', 'roleId'])
    .where('tenantId', '=', tenantId)
    .where('discordId', '=', sql<string>`any(array(${page}))`)
    .orderBy('discordId')
    .orderBy('guildId')
    .orderBy('roleId')
    .execute()
}

type Ages = { now: Instant; tooOld: Instant; settled: Instant }

/**
 * The position up to which the feed can be deleted: changes that are too old, and settled changes that every
 * valid token with access to roles has applied. Null if there is nothing to delete.
 */
export async function findTrimEnd(
  db: Db,
  tenantId: string,
  { now, tooOld, settled }: Ages,
): Promise<number | null> {
  const end = (before: Instant) =>
    db
      .selectFrom('bot.role_changes')
      .select((it) => it.fn.max('sequence').as('sequence'))
      .where('tenantId', '=', tenantId)
      .where('createdAt', '<', before)
  const applied = db
    .selectFrom('bot.tokens')
    .select((it) => it.fn.min('appliedSequence').as('sequence'))
    .where('tenantId', '=', tenantId)
    .where('revokedAt', 'is', null)
    .where((it) => it.or([it('expiresAt', 'is', null), it('expiresAt', '>', now)]))
    .where(sql<boolean>`'roles:read' = any(scopes)`)
  const row = await db
    .selectNoFrom([
      sql<number | null>`greatest((${end(tooOld)}), least((${end(settled)}), (${applied})))`.as(
        'sequence',
      ),
    ])
    .executeTakeFirst()
  return row?.sequence ?? null
}

/** Deletes the oldest changes up to `end`, at most `limit`. Returns the last deleted one. */
export async function deleteChangesThrough(
  tx: Tx,
  tenantId: string,
  { end, limit }: { end: number; limit: number },
): Promise<number | null> {
  const oldest = tx
    .selectFrom('bot.role_changes')
    .select('sequence')
    .where('tenantId', '=', tenantId)
    .where('sequence', '<=', end)
    .orderBy('sequence')
    .limit(limit)
  const gone = await tx
    .deleteFrom('bot.role_changes')
    .where('tenantId', '=', tenantId)
    .where('sequence', 'in', oldest)
    .returning('sequence')
    .execute()
  return gone.length === 0 ? null : Math.max(...gone.map(({ sequence }) => sequence))
}
