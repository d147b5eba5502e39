import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import { contextOf, type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { TrialIdentity } from '#store'

export type ProvisioningRow = Row<'services.provisioning'>
export type ProvisioningKey = Pick<ProvisioningRow, 'tenantId' | 'serviceId'>
export type PanelAccountRow = Row<'services.panel_accounts'>
export type PanelAccountKey = Pick<PanelAccountRow, 'tenantId' | 'nodeId' | 'userId'>

/**
 * Begins provisioning, or begins it again after a failure. `uncertainSince` is set if a server may exist already;
 * `byStaff` if staff requested it, not the payment.
 */
export async function upsertProvisioning(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  {
    now,
    uncertainSince,
    byStaff,
  }: { now: Instant; uncertainSince: Instant | null; byStaff: boolean },
): Promise<void> {
  const { requestId, purchaseId } = contextOf(tx)
  const fresh = {
    ...{ byStaff, serverMayExist: null, refundPutOffAt: null },
    ...{ startedAt: now, attempt: 0, placements: 0, uncertainSince, absentAt: null },
    ...{ watchedSince: null, polls: 0, reinstalls: 0, nextAt: now, leaseUntil: null },
    ...{ lastError: null, alertedAt: null, doneAt: null, requestId, purchaseId },
  }
  await tx
    .insertInto('services.provisioning')
    .values({ tenantId, serviceId, ...fresh })
    .onConflict((it) => it.columns(['tenantId', 'serviceId']).doUpdateSet(fresh))
    .execute()
}

export function findProvisioning(db: Db, { tenantId, serviceId }: ProvisioningKey) {
  return db
    .selectFrom('services.provisioning')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()
}

const waysOf = compiled(
  (db, { tenantId, serviceIds }: { tenantId: string; serviceIds: readonly string[] }) =>
    db
      .selectFrom('services.provisioning')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('serviceId', '=', sql<string>`any(${serviceIds}::uuid[])`),
)

/** The state of provisioning, by service. */
export async function provisioningOf(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<Map<string, ProvisioningRow>> {
  const rows = await waysOf(db, { tenantId, serviceIds })
  return new Map(rows.map((row) => [row.serviceId, row]))
}

export function lockProvisioning(tx: Tx, { tenantId, serviceId }: ProvisioningKey) {
  return tx
    .selectFrom('services.provisioning')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .forUpdate()
    .executeTakeFirst()
}

/** Makes the next provisioning step of a service due now; returns false if it has none. */
export async function hurryProvisioning(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('services.provisioning')
    .set({ nextAt: now })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .returning('serviceId')
    .executeTakeFirst()
  return row !== undefined
}

/** Leases the provisioning of a service; undefined if another job has the lease, or nothing is due. */
export function leaseProvisioning(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  { now, until }: { now: Instant; until: Instant },
) {
  return tx
    .updateTable('services.provisioning')
    .set({ leaseUntil: until })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst()
}

type Change = Partial<Omit<ProvisioningRow, 'tenantId' | 'serviceId' | 'lastError'>> & {
  lastError?: NonNullable<ProvisioningRow['lastError']>
}

export async function updateProvisioning(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  { lastError, ...change }: Change,
): Promise<void> {
  await tx
    .updateTable('services.provisioning')
    .set({ ...change, ...(lastError && { lastError: json(lastError) }) })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .execute()
}

/**
 * Leases another service of the same panel that is due, of a random customer, so that a customer with many services
 * does not keep the others waiting.
 */
export function leaseAnother(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  { now, until }: { now: Instant; until: Instant },
) {
  const next = dueWithCustomer(tx, now)
    .select('provisioning.serviceId')
    .where('provisioning.tenantId', '=', tenantId)
    .where('service.nodeId', '=', (it) =>
      it
        .selectFrom('services.services')
        .select('nodeId')
        .where('tenantId', '=', tenantId)
        .where('id', '=', serviceId),
    )
    .orderBy(byChance())
    .orderBy('provisioning.nextAt')
    .limit(1)
    .forUpdate('provisioning')
    .skipLocked()
  return tx
    .updateTable('services.provisioning')
    .set({ leaseUntil: until })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', next)
    .returningAll()
    .executeTakeFirst()
}

/** Services whose step is overdue: a few for each panel, of as many customers as possible. */
export function listDueProvisioning(db: Db, now: Instant, perPanel: number, limit: number) {
  const ranked = dueWithCustomer(db, now)
    .select(['provisioning.tenantId', 'provisioning.serviceId', 'service.nodeId', 'service.userId'])
    .select(
      sql<number>`row_number() over (
        partition by service.tenant_id, service.node_id, service.user_id
        order by provisioning.next_at)`.as('ofCustomer'),
    )
  const placed = db
    .selectFrom(ranked.as('service'))
    .select(['tenantId', 'serviceId'])
    .select(
      sql<number>`row_number() over (
        partition by service.tenant_id, service.node_id
        order by service.of_customer, ${byChance()})`.as('place'),
    )
  return db
    .selectFrom(placed.as('due'))
    .select(['tenantId', 'serviceId'])
    .where('place', '<=', perPanel)
    .orderBy('place')
    .limit(limit)
    .execute()
}

function dueWithCustomer(db: Db, now: Instant) {
  return db
    .selectFrom('services.provisioning as provisioning')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'provisioning.tenantId')
        .onRef('service.id', '=', 'provisioning.serviceId'),
    )
    .where('provisioning.doneAt', 'is', null)
    .where('provisioning.nextAt', '<=', now)
    .where((it) =>
      it.or([it('provisioning.leaseUntil', 'is', null), it('provisioning.leaseUntil', '<', now)]),
    )
}

/** A random order of customers, different each time, in which all rows of one customer are together. */
function byChance() {
  const salt = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  return sql<string>`hashtextextended(service.user_id::text, ${salt}::bigint)`
}

/** Whether the customer of a service is known to have an account on a panel. */
export async function hasPanelAccount(
  db: Db,
  { tenantId, serviceId, nodeId }: ProvisioningKey & { nodeId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('services.panel_accounts as account')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'account.tenantId')
        .onRef('service.userId', '=', 'account.userId'),
    )
    .select('account.userId')
    .where('service.tenantId', '=', tenantId)
    .where('service.id', '=', serviceId)
    .where('account.nodeId', '=', nodeId)
    .where('account.remoteUserId', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The customer's account on a panel, leased; its row is written before their first server on that panel. */
export function leasePanelAccount(
  tx: Tx,
  row: PanelAccountKey & { externalId: string },
  { now, until }: { now: Instant; until: Instant },
) {
  return tx
    .insertInto('services.panel_accounts')
    .values({ ...row, leaseUntil: until })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'nodeId', 'userId'])
        .doUpdateSet({ leaseUntil: until })
        .where((of) =>
          of.or([
            of('services.panel_accounts.leaseUntil', 'is', null),
            of('services.panel_accounts.leaseUntil', '<', now),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
}

/** The accounts on panels that are stored for a customer. */
export async function listPanelIdentities(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<TrialIdentity[]> {
  const rows = await db
    .selectFrom('services.panel_accounts')
    .select(['nodeId', 'remoteUserId'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  return rows.flatMap(({ nodeId, remoteUserId }) =>
    remoteUserId === null ? [] : [panelIdentity(nodeId, remoteUserId)],
  )
}

/** The identity of a customer by their account on a panel. */
export function panelIdentity(nodeId: string, remoteUserId: number): TrialIdentity {
  return { kind: 'panel', value: `${nodeId} ${remoteUserId}` }
}

export function findPanelAccount(db: Db, { tenantId, nodeId, userId }: PanelAccountKey) {
  return db
    .selectFrom('services.panel_accounts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Ends the lease of an account, and stores its number once it is known. */
export async function releasePanelAccount(
  tx: Tx,
  { tenantId, nodeId, userId }: PanelAccountKey,
  { remoteUserId, madeHere }: Pick<PanelAccountRow, 'remoteUserId' | 'madeHere'>,
): Promise<void> {
  await tx
    .updateTable('services.panel_accounts')
    .set({ leaseUntil: null, ...(remoteUserId !== null && { remoteUserId, madeHere }) })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('userId', '=', userId)
    .execute()
}

/** Ends provisioning; a step that is under way keeps its lease until it has ended. */
export async function endProvisioning(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('services.provisioning')
    .set({ doneAt: now, nextAt: null })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .execute()
}
