import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type UpgradeRow = Row<'services.upgrades'>
export type UpgradeKey = Pick<UpgradeRow, 'tenantId' | 'id'>

export function lockUpgrade(tx: Tx, { tenantId, id }: UpgradeKey) {
  return tx
    .selectFrom('services.upgrades')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The change of a service that is neither done nor given up. */
export function findOpenUpgrade(db: Db, tenantId: string, serviceId: string) {
  return db
    .selectFrom('services.upgrades')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('appliedAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('canceledAt', 'is', null)
    .executeTakeFirst()
}

export async function insertUpgrade(
  tx: Tx,
  row: Pick<
    UpgradeRow,
    | 'tenantId'
    | 'id'
    | 'serviceId'
    | 'productId'
    | 'planId'
    | 'priceCents'
    | 'valueCents'
    | 'createdAt'
  >,
): Promise<void> {
  await tx.insertInto('services.upgrades').values(row).execute()
}

export async function updateUpgrade(
  tx: Tx,
  { tenantId, id }: UpgradeKey,
  change: Partial<Omit<UpgradeRow, 'tenantId' | 'id'>>,
): Promise<void> {
  await tx
    .updateTable('services.upgrades')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Takes the work on a paid change for a while; undefined when another has it, or nothing is due. */
export function leaseUpgrade(
  tx: Tx,
  { tenantId, id }: UpgradeKey,
  { now, until }: { now: Instant; until: Instant },
) {
  return tx
    .updateTable('services.upgrades')
    .set({ leaseUntil: until })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('paidAt', 'is not', null)
    .where('appliedAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('canceledAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst()
}

/** Paid changes that should have been worked on by now. */
export function listDueUpgrades(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.upgrades')
    .select(['tenantId', 'id'])
    .where('paidAt', 'is not', null)
    .where('appliedAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('canceledAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}
