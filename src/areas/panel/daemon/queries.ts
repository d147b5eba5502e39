import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { Activity } from './rules.ts'

export type ReportRow = Row<'panel.server_reports'>
export type ServerKey = Pick<ReportRow, 'tenantId' | 'nodeId' | 'serverUuid'>

/** The latest report about a server, locked until the end of the transaction. */
export function lockReport(tx: Tx, key: ServerKey): Promise<ReportRow> {
  return tx
    .insertInto('panel.server_reports')
    .values(key)
    .onConflict((it) =>
      // An update that changes nothing: it returns the row, and locks it.
      it.columns(['tenantId', 'nodeId', 'serverUuid']).doUpdateSet({ serverUuid: key.serverUuid }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The latest report about a server; undefined if there is none. */
export function findReport(db: Db, { tenantId, nodeId, serverUuid }: ServerKey) {
  return db
    .selectFrom('panel.server_reports')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('serverUuid', '=', serverUuid)
    .executeTakeFirst()
}

export async function updateReport(
  tx: Tx,
  { tenantId, nodeId, serverUuid }: ServerKey,
  change: Partial<Omit<ReportRow, keyof ServerKey>>,
): Promise<void> {
  await tx
    .updateTable('panel.server_reports')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('serverUuid', '=', serverUuid)
    .execute()
}

type Machine = Pick<ReportRow, 'tenantId' | 'nodeId'> & { machine: string }

/**
 * Records that installations a machine began since a time were interrupted. Returns their servers.
 */
export async function interruptInstalls(
  tx: Tx,
  { tenantId, nodeId, machine }: Machine,
  { since, now }: { since: Instant; now: Instant },
): Promise<string[]> {
  const rows = await tx
    .updateTable('panel.server_reports')
    .set({ interruptedAt: now })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('machine', '=', machine)
    .where('installStartedAt', '>', since)
    .where('interruptedAt', 'is', null)
    .where((it) =>
      it.or([
        it('installEndedAt', 'is', null),
        it('installEndedAt', '<', it.ref('installStartedAt')),
      ]),
    )
    .returning('serverUuid')
    .execute()
  return rows.map(({ serverUuid }) => serverUuid)
}

/** Records when servers were last started, if that is later than the stored time. */
export async function recordStarts(
  tx: Tx,
  { tenantId, nodeId }: Pick<ReportRow, 'tenantId' | 'nodeId'>,
  starts: ReadonlyMap<string, Instant>,
): Promise<void> {
  if (starts.size === 0) return
  await tx
    .insertInto('panel.server_reports')
    .values(
      [...starts].map(([serverUuid, startedAt]) => ({ tenantId, nodeId, serverUuid, startedAt })),
    )
    .onConflict((it) =>
      it.columns(['tenantId', 'nodeId', 'serverUuid']).doUpdateSet({
        startedAt: sql<Instant>`greatest(server_reports.started_at, excluded.started_at)`,
      }),
    )
    .execute()
}

export async function deleteReportsOf(
  tx: Tx,
  { tenantId, nodeId }: Pick<ReportRow, 'tenantId' | 'nodeId'>,
): Promise<void> {
  await tx
    .deleteFrom('panel.server_reports')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .execute()
}

/** Stores what people did; duplicates are left out. */
export async function insertActivity(
  tx: Tx,
  { tenantId, nodeId }: Pick<ReportRow, 'tenantId' | 'nodeId'>,
  entries: readonly Activity[],
  receivedAt: Instant,
): Promise<void> {
  if (entries.length === 0) return
  await tx
    .insertInto('panel.activity')
    .values(
      entries.map(({ metadata, ...entry }) => ({
        ...{ tenantId, id: newId(), nodeId, ...entry, metadata: json(metadata), receivedAt },
      })),
    )
    .onConflict((it) => it.constraint('delivered_once').doNothing())
    .execute()
}

const SHOWN = ['id', 'event', 'panelUser', 'metadata', 'happenedAt'] as const

/** What people did on a server, newest first. */
export function listActivity(
  db: Db,
  { tenantId, serverUuid }: Pick<ReportRow, 'tenantId' | 'serverUuid'>,
  page: PageQuery,
) {
  const query = db
    .selectFrom('panel.activity')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('serverUuid', '=', serverUuid)
  return pageOf(query, page)
}

/** Whose activity: on some servers, and by some users of panels. */
export type ActivityOf = {
  tenantId: string
  serverUuids: readonly string[]
  panelUsers: readonly string[]
}

function activityOf({ serverUuids, panelUsers }: ActivityOf) {
  return sql<boolean>`(server_uuid = any(${[...serverUuids]}::text[])
    or panel_user = any(${[...panelUsers]}::text[]))`
}

/** A page of a person's activity for the export of their data, newest first. */
export function listActivityOf(db: Db, whose: ActivityOf, page: PageQuery) {
  const query = db
    .selectFrom('panel.activity')
    .select([...SHOWN, 'serverUuid', 'ip'])
    .where('tenantId', '=', whose.tenantId)
    .where(activityOf(whose))
  return pageOf(query, page)
}

/** Deletes a person's activity. */
export async function forgetActivity(tx: Tx, whose: ActivityOf): Promise<void> {
  await tx
    .deleteFrom('panel.activity')
    .where('tenantId', '=', whose.tenantId)
    .where(activityOf(whose))
    .execute()
}

/** Deletes a batch of activity older than a time. Returns how many entries. */
export async function deleteOldActivity(tx: Tx, before: Instant, limit: number): Promise<number> {
  const old = tx
    .selectFrom('panel.activity')
    .select(['tenantId', 'id'])
    .where('receivedAt', '<', before)
    .limit(limit)
  const gone = await tx
    .deleteFrom('panel.activity')
    .where((it) => it(it.refTuple('tenantId', 'id'), 'in', old.$asTuple('tenantId', 'id')))
    .returning('id')
    .execute()
  return gone.length
}
