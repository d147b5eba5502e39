import { sql } from 'kysely'
import { type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { EVERYWHERE, FAMILIAR_FOR_MS } from './rules.ts'

/** The account that is guessed at, and the network of the guesses. */
export type GuessKey = { tenantId: string; account: string; network: string }

type GuessRow = Pick<Row<'users.guesses'>, 'network' | 'failures' | 'guessedAt' | 'signedInAt'>

/** Locks the rows of a network and of all networks, in this order, and inserts those that are missing. */
export function lockGuesses(
  tx: Tx,
  { tenantId, account, network }: GuessKey,
  guessedAt: Instant,
): Promise<GuessRow[]> {
  const row = { tenantId, account, failures: 0, guessedAt }
  return tx
    .insertInto('users.guesses')
    .values([EVERYWHERE, network].map((it) => ({ ...row, network: it })))
    .onConflict((it) =>
      it
        .columns(['tenantId', 'account', 'network'])
        // Changes nothing: the update only locks a row that exists.
        .doUpdateSet(({ ref }) => ({ network: ref('excluded.network') })),
    )
    .returning(['network', 'failures', 'guessedAt', 'signedInAt'])
    .execute()
}

export async function updateGuesses(
  tx: Tx,
  { tenantId, account, network }: GuessKey,
  changes: { failures: number; guessedAt?: Instant; signedInAt?: Instant },
): Promise<void> {
  await tx
    .updateTable('users.guesses')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('account', '=', account)
    .where('network', '=', network)
    .execute()
}

/** The networks a person has signed in from. */
export function listFamiliarNetworks(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.guesses')
    .select(['network', 'signedInAt'])
    .where('tenantId', '=', tenantId)
    .where('account', '=', userId)
    .where('signedInAt', 'is not', null)
    .orderBy('network')
    .execute()
}

export async function deleteGuesses(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.guesses')
    .where('tenantId', '=', tenantId)
    .where('account', '=', userId)
    .execute()
}

/**
 * Deletes guesses from before a time, but keeps those of networks with a sign-in for 90 more days. Returns
 * how many.
 */
export async function deleteOldGuesses(tx: Tx, before: Instant, limit: number): Promise<number> {
  const signedInBefore = later(before, -FAMILIAR_FOR_MS)
  const { numDeletedRows } = await tx
    .deleteFrom('users.guesses')
    .where(sql<boolean>`ctid in (
      select ctid from users.guesses
      where guessed_at < ${before}
        and coalesce(signed_in_at < ${signedInBefore}, true)
      limit ${limit} for update skip locked)`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
