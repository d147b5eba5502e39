import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Provisioning } from '#panel'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { withBuilds } from '#store'
import type { ServiceRow } from '../queries.ts'
import type { Difference } from './rules.ts'
import type { Kind } from './schema.ts'

export type ReportRow = Row<'services.drift_reports'>
export type FindingRow = Row<'services.drift_findings'>
export type NodeKey = Pick<ReportRow, 'tenantId' | 'nodeId'>
export type FindingKey = Pick<FindingRow, 'tenantId' | 'id'>

export type ComparedService = Pick<
  ServiceRow,
  | 'id'
  | 'externalId'
  | 'nodeId'
  | 'serverId'
  | 'serverUuid'
  | 'activatedAt'
  | 'suspendedAt'
  | 'suspendReasons'
  | 'endWantedAt'
  | 'endKeepsData'
  | 'endedAt'
  | 'deleteServerAt'
  | 'serverDeletedAt'
> & {
  provisioning: Provisioning | null
  /** The customer's account on the panel, if one is known. */
  ownerId: number | null
  /** A paid change of its product is under way. */
  isChanging: boolean
}

function compared(db: Db, { tenantId, nodeId }: NodeKey) {
  return db
    .selectFrom('services.services as service')
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'service.tenantId')
        .onRef('product.id', '=', 'service.productId'),
    )
    .leftJoin('services.panel_accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'service.tenantId')
        .onRef('account.userId', '=', 'service.userId')
        .on('account.nodeId', '=', nodeId),
    )
    .select([
      'service.id',
      'service.externalId',
      'service.nodeId',
      'service.serverId',
      'service.serverUuid',
      'service.activatedAt',
      'service.suspendedAt',
      'service.suspendReasons',
      'service.endWantedAt',
      'service.endKeepsData',
      'service.endedAt',
      'service.deleteServerAt',
      'service.serverDeletedAt',
      'service.components',
      'product.provisioning',
      'account.remoteUserId as ownerId',
    ])
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('services.upgrades as upgrade')
            .select('upgrade.id')
            .whereRef('upgrade.tenantId', '=', 'service.tenantId')
            .whereRef('upgrade.serviceId', '=', 'service.id')
            .where('upgrade.paidAt', 'is not', null)
            .where('upgrade.appliedAt', 'is', null)
            .where('upgrade.failedAt', 'is', null)
            .where('upgrade.canceledAt', 'is', null),
        )
        .$castTo<boolean>()
        .as('isChanging'),
    )
    .where('service.tenantId', '=', tenantId)
}

/** The services with these external ids. */
export async function listByExternalIds(
  db: Db,
  key: NodeKey,
  externalIds: readonly string[],
): Promise<ComparedService[]> {
  const rows = await compared(db, key)
    .where('service.externalId', '=', sql<string>`any(${[...externalIds]}::text[])`)
    .execute()
  return withBuilds(db, key.tenantId, rows)
}

/**
 * Imported services that have no server yet, by the id that another system gave to theirs on a panel.
 * An id that two systems have given is left out.
 */
export async function listByFormerIds(
  db: Db,
  { tenantId }: NodeKey,
  formerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (formerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('services.services')
    .select([
      sql<string>`imported ->> 'formerId'`.as('formerId'),
      sql<string>`min(id::text)`.as('id'),
    ])
    .where('tenantId', '=', tenantId)
    .where('imported', 'is not', null)
    .where('delivery', '=', 'server')
    .where(sql<boolean>`imported ->> 'formerId' = any(${[...formerIds]}::text[])`)
    .where('nodeId', 'is', null)
    .where('serverId', 'is', null)
    .where('activatedAt', 'is not', null)
    .where('endedAt', 'is', null)
    .groupBy(sql`imported ->> 'formerId'`)
    .having(sql<boolean>`count(*) = 1`)
    .execute()
  return new Map(rows.map(({ formerId, id }) => [formerId, id]))
}

/** Services whose stored server number is in a range, its end included. */
export async function listByServerIds(
  db: Db,
  key: NodeKey,
  { after, upTo }: { after: number; upTo: number },
  { from = 0, limit }: { from?: number; limit: number },
): Promise<ComparedService[]> {
  const rows = await compared(db, key)
    .where('service.nodeId', '=', key.nodeId)
    .where('service.endedAt', 'is', null)
    .where('service.serverId', '>', Math.max(after, from))
    .where('service.serverId', '<=', upTo)
    .orderBy('service.serverId')
    .limit(limit)
    .execute()
  return withBuilds(db, key.tenantId, rows)
}

/** Which of these external ids belong to services of other tenants. */
export async function listForeign(
  everywhere: Db,
  tenantId: string,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (externalIds.length === 0) return new Set()
  const rows = await everywhere
    .selectFrom('services.services')
    .select('externalId')
    .where('externalId', '=', sql<string>`any(${[...externalIds]}::text[])`)
    .where('tenantId', '<>', tenantId)
    .execute()
  return new Set(rows.map(({ externalId }) => externalId))
}

export function findReport(db: Db, { tenantId, nodeId }: NodeKey) {
  return db
    .selectFrom('services.drift_reports')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .executeTakeFirst()
}

/**
 * Locks the report of a connection; the findings of the last comparison stay until a new one begins.
 */
export function lockReport(tx: Tx, { tenantId, nodeId }: NodeKey) {
  return tx
    .selectFrom('services.drift_reports')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .forUpdate()
    .executeTakeFirst()
}

/** Begins a comparison again: the findings of the last one are deleted. */
export async function upsertReport(
  tx: Tx,
  { tenantId, nodeId }: NodeKey,
  { id, now }: { id: string; now: Instant },
): Promise<ReportRow> {
  await tx
    .deleteFrom('services.drift_findings')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .execute()
  const fresh = {
    ...{ id, startedAt: now, nextPage: 1, lastServerId: 0, servers: 0, nextAt: now },
    ...{ leaseUntil: null, attempt: 0, lastError: null, finishedAt: null },
  }
  return tx
    .insertInto('services.drift_reports')
    .values({ tenantId, nodeId, ...fresh })
    .onConflict((it) => it.columns(['tenantId', 'nodeId']).doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Leases a comparison; undefined if another job has the lease, or nothing is due. */
export function leaseReport(
  tx: Tx,
  { tenantId, nodeId }: NodeKey,
  { now, until }: { now: Instant; until: Instant },
) {
  return tx
    .updateTable('services.drift_reports')
    .set({ leaseUntil: until })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('finishedAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst()
}

type Change = Partial<
  Pick<
    ReportRow,
    'nextPage' | 'lastServerId' | 'servers' | 'nextAt' | 'leaseUntil' | 'attempt' | 'finishedAt'
  >
> & { lastError?: NonNullable<ReportRow['lastError']> }

/** Continues a comparison; returns false if another one was begun, or another job did this page. */
export async function updateReport(
  tx: Tx,
  { tenantId, nodeId, id, nextPage }: ReportRow,
  { lastError, ...change }: Change,
): Promise<boolean> {
  const row = await tx
    .updateTable('services.drift_reports')
    .set({ ...change, ...(lastError && { lastError: json(lastError) }) })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('id', '=', id)
    .where('nextPage', '=', nextPage)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export function listDueReports(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.drift_reports')
    .select(['tenantId', 'nodeId'])
    .where('finishedAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}

export async function insertFindings(
  tx: Tx,
  rows: readonly (Difference & Pick<FindingRow, 'tenantId' | 'id' | 'nodeId' | 'foundAt'>)[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ expected, found, ...row }) => ({
    ...row,
    expected: expected && json(expected),
    found: found && json(found),
  }))
  await tx.insertInto('services.drift_findings').values(values).execute()
}

export function listFindings(
  db: Db,
  { tenantId, nodeId }: NodeKey,
  { kind, ...page }: PageQuery & { kind?: Kind },
) {
  let query = db
    .selectFrom('services.drift_findings')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
  if (kind) query = query.where('kind', '=', kind)
  return pageOf(query, page)
}

/** How many findings of each kind there are that are not repaired. */
export function countFindings(db: Db, { tenantId, nodeId }: NodeKey) {
  return db
    .selectFrom('services.drift_findings')
    .select(['kind', ({ fn }) => fn.countAll<number>().as('count')])
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('repairedAt', 'is', null)
    .groupBy('kind')
    .execute()
}

/** How many of these findings are of the given kind and panel. */
export async function countNamed(
  tx: Tx,
  { tenantId, nodeId }: NodeKey,
  { kind, ids }: { kind: Kind; ids: readonly string[] },
): Promise<number> {
  const { count } = await tx
    .selectFrom('services.drift_findings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('kind', '=', kind)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Requests the repair of findings of a kind, the given ones or all; returns how many. Servers without
 * any service are included only if they are given.
 */
export async function wantRepairs(
  tx: Tx,
  { tenantId, nodeId }: NodeKey,
  { kind, ids }: { kind: Kind; ids: readonly string[] | null },
  now: Instant,
): Promise<number> {
  let query = tx
    .updateTable('services.drift_findings')
    .set({ repairWantedAt: now, repairError: null })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('kind', '=', kind)
    .where('repairedAt', 'is', null)
  if (ids) query = query.where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
  else if (kind === 'orphan') query = query.where('serviceId', 'is not', null)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The next finding that is to be repaired, after another. */
export function findWanted(db: Db, { tenantId, nodeId }: NodeKey, after: string | null) {
  let query = db
    .selectFrom('services.drift_findings')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('repairWantedAt', 'is not', null)
    .where('repairedAt', 'is', null)
    .where('repairError', 'is', null)
  if (after) query = query.where('id', '>', after)
  return query.orderBy('id').limit(1).executeTakeFirst()
}

/** Records the outcome of the repair of a finding. */
export async function updateFinding(
  tx: Tx,
  { tenantId, id }: FindingKey,
  outcome: { repairedAt: Instant } | { repairError: NonNullable<FindingRow['repairError']> },
): Promise<void> {
  const change = 'repairError' in outcome ? { repairError: json(outcome.repairError) } : outcome
  await tx
    .updateTable('services.drift_findings')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
