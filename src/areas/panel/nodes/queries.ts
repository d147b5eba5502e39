import { type Insertable, sql, type Updateable, type UpdateObject } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type NodeRow = Row<'panel.nodes'>
export type NodeKey = Pick<NodeRow, 'tenantId' | 'id'>

/** A panel connection; undefined once it is deleted. */
export function findNode(db: Db, { tenantId, id }: NodeKey): Promise<NodeRow | undefined> {
  return db
    .selectFrom('panel.nodes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

export function listNodes(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('panel.nodes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
  return pageOf(query, page)
}

export function lockNode(tx: Tx, { tenantId, id }: NodeKey): Promise<NodeRow | undefined> {
  return tx
    .selectFrom('panel.nodes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function insertNode(tx: Tx, row: Insertable<Tables['panel.nodes']>): Promise<NodeRow> {
  return tx.insertInto('panel.nodes').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a connection that its caller has locked. */
export function updateNode(
  tx: Tx,
  { tenantId, id }: NodeKey,
  change: Updateable<Tables['panel.nodes']>,
): Promise<NodeRow> {
  return tx
    .updateTable('panel.nodes')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The version of a connection that was used: results count for that version only. */
export type NodeVersion = NodeKey & Pick<NodeRow, 'version'>

/** Changes a connection, unless its version has changed. */
async function markVersion(
  tx: Tx,
  { tenantId, id, version }: NodeVersion,
  change: UpdateObject<Tables, 'panel.nodes'>,
): Promise<void> {
  await tx
    .updateTable('panel.nodes')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null)
    .execute()
}

export function markUnauthorized(tx: Tx, node: NodeVersion): Promise<void> {
  return markVersion(tx, node, { status: 'unauthorized' })
}

/** The connections whose keys were last refused, oldest first; at most 20, as each of them is called. */
export function listRefused(db: Db, tenantId: string): Promise<NodeRow[]> {
  return db
    .selectFrom('panel.nodes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('status', '=', 'unauthorized')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .limit(20)
    .execute()
}

export function markDetected(tx: Tx, node: NodeVersion, detectedType: NodeRow['detectedType']) {
  return markVersion(tx, node, { detectedType })
}

type Tested = Pick<NodeRow, 'status' | 'detectedType' | 'testedAt'>

/** Stores the result of a test. A success after a refusal makes a new version. */
export function markTested(tx: Tx, node: NodeVersion, tested: Tested): Promise<void> {
  const reopened = sql<number>`version + (status = 'unauthorized')::integer`
  return markVersion(tx, node, { ...tested, ...(tested.status === 'ok' && { version: reopened }) })
}

type Lease = { syncId: string; now: Instant; until: Instant }

/** Takes the lease to sync a connection's eggs. Undefined while another sync has it. */
export function takeSyncLease(
  tx: Tx,
  { tenantId, id }: NodeKey,
  { syncId, now, until }: Lease,
): Promise<NodeRow | undefined> {
  return tx
    .updateTable('panel.nodes')
    .set({ syncId, syncUntil: until })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where((it) => it.or([it('syncUntil', 'is', null), it('syncUntil', '<=', now)]))
    .returningAll()
    .executeTakeFirst()
}

export type SyncLease = NodeKey & { syncId: string }

/** Returns the lease to sync. False if another sync has it by now, or the connection is gone. */
export async function releaseSyncLease(
  tx: Tx,
  { tenantId, id, syncId }: SyncLease,
): Promise<boolean> {
  const released = await tx
    .updateTable('panel.nodes')
    .set({ syncId: null, syncUntil: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('syncId', '=', syncId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return released !== undefined
}
