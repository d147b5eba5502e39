import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type PendingRow = Row<'audit.pending'>
export type EntryRow = Row<'audit.entries'>

export async function insertPending(tx: Tx, row: PendingRow): Promise<void> {
  await tx.insertInto('audit.pending').values(row).execute()
}

/**
 * Notes the answer of a request whose entry was written with its change. The commit does not wait for
 * the disk: what a crash of the database could lose is the status code of a moment, not the entry.
 */
export async function updateStatusCode(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  statusCode: number,
): Promise<void> {
  await tx
    .updateTable('audit.pending')
    .set({ statusCode })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .execute()
}

/** For the rest of a transaction: its commit does not wait for the disk. */
export async function commitSoon(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}

/** The tenants that have entries to chain: answered, or older than `abandoned`. */
export async function listTenantsWaiting(db: Db, abandoned: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('audit.pending')
    .select('tenantId')
    .distinct()
    .where((it) => it.or([it('statusCode', 'is not', null), it('occurredAt', '<', abandoned)]))
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

/** Takes entries out of the waiting room, oldest first. */
export async function takePending(
  tx: Tx,
  tenantId: string,
  { abandoned, limit }: { abandoned: Instant; limit: number },
): Promise<PendingRow[]> {
  const rows = await tx
    .deleteFrom('audit.pending')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (it) =>
      it
        .selectFrom('audit.pending')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where((or) => or.or([or('statusCode', 'is not', null), or('occurredAt', '<', abandoned)]))
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The end of a tenant's chain, locked; made when there is none. */
export async function lockHead(tx: Tx, tenantId: string, genesis: Buffer) {
  await tx
    .insertInto('audit.heads')
    .values({ tenantId, sequence: 0, hash: genesis })
    .onConflict((it) => it.doNothing())
    .execute()
  return tx
    .selectFrom('audit.heads')
    .select(['sequence', 'hash'])
    .where('tenantId', '=', tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateHead(
  tx: Tx,
  tenantId: string,
  head: { sequence: number; hash: Buffer },
): Promise<void> {
  await tx.updateTable('audit.heads').set(head).where('tenantId', '=', tenantId).execute()
}

export function findHead(db: Db, tenantId: string) {
  return db
    .selectFrom('audit.heads')
    .select(['sequence', 'hash'])
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
}

export async function insertEntries(tx: Tx, rows: readonly EntryRow[]): Promise<void> {
  await tx.insertInto('audit.entries').values(rows).execute()
}

type PersonalRow = Pick<Row<'audit.personal'>, 'tenantId' | 'id' | 'salt' | 'address'> &
  Pick<EntryRow, 'occurredAt'>

export async function insertPersonal(tx: Tx, rows: readonly PersonalRow[]): Promise<void> {
  await tx.insertInto('audit.personal').values(rows).execute()
}

/** Entries of a chain in their order, with their personal part, after a sequence number. */
export function listChain(db: Db, tenantId: string, after: number, limit: number) {
  return db
    .selectFrom('audit.entries as entry')
    .leftJoin('audit.personal as personal', (join) =>
      join.onRef('personal.tenantId', '=', 'entry.tenantId').onRef('personal.id', '=', 'entry.id'),
    )
    .selectAll('entry')
    .select(['personal.salt', 'personal.address'])
    .where('entry.tenantId', '=', tenantId)
    .where('entry.sequence', '>', after)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute()
}

export type EntryFilter = {
  actorId?: string
  objectId?: string
  route?: string
  method?: string
  from?: Instant
  to?: Instant
}

const SHOWN = [
  ...(['tenantId', 'id', 'actorId', 'actorKind', 'via', 'credentialId', 'method'] as const),
  ...(['impersonatorId', 'route', 'objectId', 'requestId', 'changed'] as const),
  ...(['statusCode', 'occurredAt'] as const),
] as const

/** Entries of a tenant, chained or waiting to be, newest first. */
export async function listEntries(
  db: Db,
  tenantId: string,
  { limit, cursor, ...filter }: EntryFilter & PageQuery,
) {
  const waiting = db
    .selectFrom('audit.pending')
    .select(SHOWN)
    .select(sql<number | null>`null::bigint`.as('sequence'))
  const chained = db.selectFrom('audit.entries').select(SHOWN).select('sequence')
  let query = db
    .selectFrom(waiting.unionAll(chained).as('entry'))
    .selectAll()
    .where('tenantId', '=', tenantId)
  for (const field of ['actorId', 'objectId', 'route', 'method'] as const) {
    const value = filter[field]
    if (value !== undefined) query = query.where(field, '=', value)
  }
  if (filter.from !== undefined) query = query.where('occurredAt', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('occurredAt', '<', filter.to)
  const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  return pageOf(query, page)
}

/** The addresses that entries were called from, by entry id; waiting ones too. */
export async function listAddresses(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const waiting = db
    .selectFrom('audit.pending')
    .select(['id', 'address'])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const rows = await db
    .selectFrom('audit.personal')
    .select(['id', 'address'])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .unionAll(waiting)
    .execute()
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** What is kept about a person: what they did, and what was done to them; the newest of it. */
export async function listAboutPerson(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return (
    db
      .selectFrom('audit.entries as entry')
      .leftJoin('audit.personal as personal', (join) =>
        join
          .onRef('personal.tenantId', '=', 'entry.tenantId')
          .onRef('personal.id', '=', 'entry.id'),
      )
      .select(['entry.occurredAt', 'entry.method', 'entry.route', 'entry.statusCode'])
      // Where somebody else called from is theirs.
      .select(
        sql<string | null>`case when entry.actor_id = ${userId} then personal.address end`.as(
          'address',
        ),
      )
      .where('entry.tenantId', '=', tenantId)
      .where((it) => it.or([it('entry.actorId', '=', userId), it('entry.objectId', '=', userId)]))
      .orderBy('entry.id', 'desc')
      .limit(limit)
      .execute()
  )
}

/** Cuts addresses older than a moment to their network. Answers how many there were. */
export async function reduceAddresses(
  tx: Tx,
  { before, limit }: { before: Instant; limit: number },
  now: Instant,
): Promise<number> {
  const network = sql<string>`host(network(set_masklen(address::inet,
    case family(address::inet) when 4 then 24 else 48 end)))`
  const { numUpdatedRows } = await tx
    .updateTable('audit.personal')
    .set({ address: network, salt: null, reducedAt: now })
    .where((it) =>
      it(
        it.refTuple('tenantId', 'id'),
        'in',
        it
          .selectFrom('audit.personal')
          .select(['tenantId', 'id'])
          .where('reducedAt', 'is', null)
          .where('occurredAt', '<', before)
          .limit(limit)
          .$asTuple('tenantId', 'id'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
