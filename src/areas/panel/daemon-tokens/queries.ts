import { type Insertable, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type DaemonTokenRow = Row<'panel.daemon_tokens'>
type OfNode = Pick<DaemonTokenRow, 'tenantId' | 'nodeId'>
type TokenKey = Pick<DaemonTokenRow, 'tenantId' | 'id'>

function live(db: Db, tenantId: string, now: Instant) {
  return db
    .selectFrom('panel.daemon_tokens as token')
    .innerJoin('panel.nodes as node', (join) =>
      join.onRef('node.tenantId', '=', 'token.tenantId').onRef('node.id', '=', 'token.nodeId'),
    )
    .where('token.tenantId', '=', tenantId)
    .where('node.deletedAt', 'is', null)
    .where((it) => it.or([it('token.expiresAt', 'is', null), it('token.expiresAt', '>', now)]))
}

/** The stored row of a valid token. */
export function findLiveToken(
  db: Db,
  { tenantId, tokenId }: Pick<DaemonTokenRow, 'tenantId' | 'tokenId'>,
  now: Instant,
) {
  return live(db, tenantId, now)
    .select(['token.id', 'token.hash'])
    .where('token.tokenId', '=', tokenId)
    .executeTakeFirst()
}

/** The daemon of a valid token, with the address of its panel. */
export function findDaemon(db: Db, { tenantId, id }: TokenKey, now: Instant) {
  return live(db, tenantId, now)
    .select(['token.tenantId', 'token.id', 'token.nodeId', 'token.machine', 'token.mode'])
    .select(['token.lastUsedAt', 'node.url'])
    .where('token.id', '=', id)
    .executeTakeFirst()
}

export type Daemon = NonNullable<Awaited<ReturnType<typeof findDaemon>>>

/** A connection's valid tokens, newest first. */
export function listTokens(
  db: Db,
  { tenantId, nodeId }: OfNode,
  { now, ...page }: PageQuery & { now: Instant },
) {
  const query = db
    .selectFrom('panel.daemon_tokens')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where((it) => it.or([it('expiresAt', 'is', null), it('expiresAt', '>', now)]))
  return pageOf(query, page)
}

/** Undefined if another connection has a token with that id. */
export function insertToken(
  tx: Tx,
  row: Insertable<Tables['panel.daemon_tokens']>,
): Promise<DaemonTokenRow | undefined> {
  return tx
    .insertInto('panel.daemon_tokens')
    .values(row)
    .onConflict((it) => it.constraint('one_daemon_per_token_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a connection's expired tokens, and the one whose id is used again. */
export async function deleteEnded(
  tx: Tx,
  { tenantId, nodeId }: OfNode,
  { tokenId, now }: { tokenId: string; now: Instant },
): Promise<string[]> {
  const gone = await tx
    .deleteFrom('panel.daemon_tokens')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where((it) => it.or([it('expiresAt', '<=', now), it('tokenId', '=', tokenId)]))
    .returning('id')
    .execute()
  return gone.map(({ id }) => id)
}

/** Sets the expiry of a machine's tokens, unless they expire earlier. */
export async function endTokensOf(
  tx: Tx,
  { tenantId, nodeId, machine }: OfNode & Pick<DaemonTokenRow, 'machine'>,
  end: Instant,
): Promise<string[]> {
  const ending = await tx
    .updateTable('panel.daemon_tokens')
    .set({ expiresAt: sql<Instant>`least(expires_at, ${end})` })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('machine', '=', machine)
    .returning('id')
    .execute()
  return ending.map(({ id }) => id)
}

/** Undefined if the connection has no such token. */
export function deleteToken(tx: Tx, { tenantId, nodeId, id }: OfNode & TokenKey) {
  return tx
    .deleteFrom('panel.daemon_tokens')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteTokensOf(tx: Tx, { tenantId, nodeId }: OfNode): Promise<void> {
  await tx
    .deleteFrom('panel.daemon_tokens')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .execute()
}

/** Deletes the tokens that are relayed to a connection's panel. */
export async function deleteRelayedTokensOf(tx: Tx, { tenantId, nodeId }: OfNode): Promise<void> {
  await tx
    .deleteFrom('panel.daemon_tokens')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('mode', '=', 'relay')
    .execute()
}

export async function markTokenUsed(
  tx: Tx,
  { tenantId, id }: TokenKey,
  lastUsedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('panel.daemon_tokens')
    .set({ lastUsedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
