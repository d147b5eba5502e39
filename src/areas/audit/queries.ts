import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Change } from '#platform/http/differences.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type PendingRow = Row<'audit.pending'>
export type EntryRow = Row<'audit.entries'>

/** An entry as its request writes it: what an edit changed is added at the end of the request. */
export type NewPending = Omit<PendingRow, 'changes'>

export async function insertPending(tx: Tx, row: NewPending): Promise<void> {
  await tx.insertInto('audit.pending').values(row).execute()
}

/** Adds the changes made by an entry's request. */
export async function updateChanges(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  changes: readonly Change[],
): Promise<void> {
  await tx
    .updateTable('audit.pending')
    .set({ changes: json([...changes]) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** In a statement, this makes its commit return without waiting for the disk. */
const SOON = sql<string>`set_config('synchronous_commit', 'off', true)`

/** Writes entries of requests that changed nothing: a crash of the database may lose the latest of them. */
export async function insertUnchanged(tx: Tx, rows: readonly NewPending[]): Promise<void> {
  await insertRows(tx, 'audit.pending', rows, { skipKnown: true, soon: true })
}

/**
 * Records the answer to a request whose entry was written with its change, and the person it turned out to be
 * from. A crash of the database could lose the latest answers, but not the entries.
 */
export async function updateAnswer(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  answer: { statusCode: number; actorId?: string },
): Promise<void> {
  await tx
    .updateTable('audit.pending')
    .set(answer)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning(SOON.as('soon'))
    .execute()
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

/** Deletes waiting entries and returns them, oldest first. */
export async function deletePending(
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

/** Locks and returns the end of a tenant's chain; creates it if there is none. */
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
    .select(['sequence', 'hash', 'anchorSequence', 'anchorHash', 'prunedAt'])
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

export type ChangesRow = Row<'audit.changes'>
type NewChanges = Pick<ChangesRow, 'tenantId' | 'id' | 'occurredAt' | 'salt' | 'changes'>

export async function insertChanges(tx: Tx, rows: readonly NewChanges[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ changes, ...row }) => ({ ...row, changes: json(changes) }))
  await tx.insertInto('audit.changes').values(values).execute()
}

/** Entries of a chain in their order, with their personal part, after a sequence number. */
export function listChain(db: Db, tenantId: string, after: number, limit: number) {
  return db
    .selectFrom('audit.entries as entry')
    .leftJoin('audit.personal as personal', (join) =>
      join.onRef('personal.tenantId', '=', 'entry.tenantId').onRef('personal.id', '=', 'entry.id'),
    )
    .leftJoin('audit.changes as changed', (join) =>
      join.onRef('changed.tenantId', '=', 'entry.tenantId').onRef('changed.id', '=', 'entry.id'),
    )
    .selectAll('entry')
    .select(['personal.id as personalId', 'personal.salt', 'personal.address'])
    .select(['changed.id as changesId', 'changed.salt as changesSalt', 'changed.changes'])
    .where('entry.tenantId', '=', tenantId)
    .where('entry.sequence', '>', after)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute()
}

export type EntryFilter = {
  actorId?: string
  impersonatorId?: string
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

const FILTERED = ['actorId', 'impersonatorId', 'objectId', 'route', 'method'] as const

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
  for (const field of FILTERED) {
    const value = filter[field]
    if (value !== undefined) query = query.where(field, '=', value)
  }
  if (filter.from !== undefined) query = query.where('occurredAt', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('occurredAt', '<', filter.to)
  const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  return pageOf(query, page)
}

/** The network addresses of entries, by entry id; also of waiting ones. */
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

/** What entries changed, by entry id; also of waiting ones. Entries without an edit, and erased ones, are left out. */
export async function listChanges(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  if (ids.length === 0) return new Map()
  const waiting = db
    .selectFrom('audit.pending')
    .select(['id', 'changes'])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .where('changes', 'is not', null)
  const rows = await db
    .selectFrom('audit.changes')
    .select(['id', 'changes'])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .unionAll(waiting)
    .execute()
  return new Map(rows.map(({ id, changes }) => [id, changes ?? []]))
}

const ABOUT_BATCH = 500

/**
 * The entries about a person, newest first: what they did, and what was done to them. A batch at a
 * time, so that a long history is never in memory as a whole.
 */
export async function* entriesAbout(db: Db, user: UserKey) {
  let before: string | null = null
  do {
    const rows: Awaited<ReturnType<typeof listAbout>> = await listAbout(db, user, before)
    for (const { id: _, ...entry } of rows) yield entry
    before = rows.length === ABOUT_BATCH ? (rows.at(-1)?.id ?? null) : null
  } while (before)
}

function listAbout(db: Db, { tenantId, userId }: UserKey, before: string | null) {
  // Another person's network address is their own data, also if they acted as this person.
  const address = sql<string | null>`case when entry.actor_id = ${userId}
    and entry.impersonator_id is null then personal.address end`
  return db
    .selectFrom('audit.entries as entry')
    .leftJoin('audit.personal as personal', (join) =>
      join.onRef('personal.tenantId', '=', 'entry.tenantId').onRef('personal.id', '=', 'entry.id'),
    )
    .select(['entry.id', 'entry.occurredAt', 'entry.method', 'entry.route', 'entry.statusCode'])
    .select(sql<boolean>`entry.impersonator_id is not null`.as('impersonated'))
    .select(address.as('address'))
    .where('entry.tenantId', '=', tenantId)
    .where((it) => it.or([it('entry.actorId', '=', userId), it('entry.objectId', '=', userId)]))
    .$if(before !== null, (it) => it.where('entry.id', '<', before ?? ''))
    .orderBy('entry.id', 'desc')
    .limit(ABOUT_BATCH)
    .execute()
}

/** Erases a person's network addresses, in chained and waiting entries; the chain still verifies (R8.4). */
export async function eraseAddresses(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('audit.personal')
    .set({ address: null, salt: null, reducedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (it) =>
      it
        .selectFrom('audit.entries')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('actorId', '=', userId)
        .where('impersonatorId', 'is', null),
    )
    .execute()
  await tx
    .updateTable('audit.pending')
    .set({ address: null })
    .where('tenantId', '=', tenantId)
    .where('actorId', '=', userId)
    .where('impersonatorId', 'is', null)
    .execute()
}

/** Erases what edits of these objects changed, in chained and waiting entries; the chain still verifies (R8.4). */
export async function eraseChangesOf(
  tx: Tx,
  { tenantId, objectIds }: { tenantId: string; objectIds: readonly string[] },
  now: Instant,
): Promise<void> {
  if (objectIds.length === 0) return
  await tx
    .updateTable('audit.changes')
    .set({ changes: null, salt: null, erasedAt: now })
    .where('tenantId', '=', tenantId)
    .where('erasedAt', 'is', null)
    .where('id', 'in', (it) =>
      it
        .selectFrom('audit.entries')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('objectId', 'in', objectIds),
    )
    .execute()
  await tx
    .updateTable('audit.pending')
    .set({ changes: null })
    .where('tenantId', '=', tenantId)
    .where('objectId', 'in', objectIds)
    .execute()
}

/** Erases what edits before a time changed. Returns how many there were. */
export async function eraseOldChanges(
  tx: Tx,
  { before, limit }: { before: Instant; limit: number },
  now: Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('audit.changes')
    .set({ changes: null, salt: null, erasedAt: now })
    .where((it) =>
      it(
        it.refTuple('tenantId', 'id'),
        'in',
        it
          .selectFrom('audit.changes')
          .select(['tenantId', 'id'])
          .where('erasedAt', 'is', null)
          .where('occurredAt', '<', before)
          .limit(limit)
          .$asTuple('tenantId', 'id'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The tenants that have a chain. */
export async function listChains(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('audit.heads').select('tenantId').execute()
  return rows.map(({ tenantId }) => tenantId)
}

/** Deletes the oldest entries of a chain, up to a time. Returns how many. */
export async function pruneEntries(
  tx: Tx,
  { tenantId, before, limit }: { tenantId: string; before: Instant; limit: number },
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    select audit.prune(${tenantId}::uuid, ${before}::timestamptz, ${limit}::integer,
                       ${now}::timestamptz) as pruned`.execute(tx)
  return rows[0]?.pruned ?? 0
}

/** Reduces addresses from before a time to their network. Returns how many there were. */
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
