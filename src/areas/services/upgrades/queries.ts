import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { compiled } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

export type UpgradeRow = Row<'services.upgrades'>
export type UpgradeKey = Pick<UpgradeRow, 'tenantId' | 'id'>

export function findUpgrade(db: Db, { tenantId, id }: UpgradeKey) {
  return db
    .selectFrom('services.upgrades')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

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

/** Whether a change that was planned for a period of a service failed since an instant. Staff giving it up is none. */
export async function hasPlannedFailed(
  db: Db,
  { tenantId, id: serviceId }: ServiceKey,
  since: Instant,
): Promise<boolean> {
  const found = await db
    .selectFrom('services.upgrades')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('failedAt', '>=', since)
    .where('failureCode', 'is distinct from', 'given_up')
    .where('parts', '=', sql<never>`'[]'::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
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
  > &
    Partial<
      Pick<
        UpgradeRow,
        | 'anchorAt'
        | 'interval'
        | 'intervalCount'
        | 'creditCents'
        | 'countedPeriodIds'
        | 'components'
        | 'componentsBefore'
        | 'kind'
        | 'pricedAt'
      >
    > & {
      parts: readonly ChangePart[]
    },
): Promise<void> {
  const { parts, components = [], componentsBefore = null, ...facts } = row
  await tx
    .insertInto('services.upgrades')
    .values({
      ...facts,
      parts: json(parts),
      components: json(components),
      componentsBefore: componentsBefore && json(componentsBefore),
    })
    .execute()
}

/** What a change charges and credits for one period that is paid, and what that period is worth after it. */
export type ChangePart = NonNullable<UpgradeRow['parts']>[number]

type Change = Partial<
  Omit<UpgradeRow, 'tenantId' | 'id' | 'lastError' | 'parts' | 'componentsBefore'>
> & {
  lastError?: NonNullable<UpgradeRow['lastError']>
  parts?: readonly ChangePart[]
}

export async function updateUpgrade(
  tx: Tx,
  { tenantId, id }: UpgradeKey,
  { lastError, parts, components, ...change }: Change,
): Promise<void> {
  await tx
    .updateTable('services.upgrades')
    .set({
      ...change,
      ...(lastError && { lastError: json(lastError) }),
      ...(parts && { parts: json(parts) }),
      ...(components && { components: json(components) }),
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Leases a paid change to work on it; undefined if another job has the lease, or nothing is due. */
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

/** Ends the lease after work on a change was interrupted; the lease of another job is left alone. */
export async function releaseUpgrade(
  tx: Tx,
  { tenantId, id, leaseUntil }: Pick<UpgradeRow, 'tenantId' | 'id' | 'leaseUntil'>,
): Promise<void> {
  await tx
    .updateTable('services.upgrades')
    .set({ leaseUntil: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('leaseUntil', '=', leaseUntil)
    .execute()
}

/** Paid changes whose next try is overdue. */
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

export type MadeChange = Pick<
  UpgradeRow,
  'invoiceId' | 'paidAt' | 'appliedAt' | 'anchorAt' | 'creditCents' | 'parts' | 'componentsBefore'
>

/** The changes of a service that were made, with what each cost, in the order in which they were made. */
export function listMadeChanges(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<MadeChange[]> {
  return db
    .selectFrom('services.upgrades')
    .select(['invoiceId', 'paidAt', 'appliedAt', 'anchorAt', 'creditCents', 'parts'])
    .select('componentsBefore')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('appliedAt', 'is not', null)
    .orderBy('appliedAt')
    .orderBy('id')
    .execute()
}

const changesOf = compiled(
  (db, { tenantId, serviceIds }: { tenantId: string; serviceIds: readonly string[] }) =>
    db
      .selectFrom('services.upgrades')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('serviceId', '=', sql<string>`any(${serviceIds}::uuid[])`)
      .where('appliedAt', 'is', null)
      .where('failedAt', 'is', null)
      .where('canceledAt', 'is', null),
)

/** Changes that are neither done nor given up, by service. */
export async function upgradesUnderWay(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<Map<string, UpgradeRow>> {
  const rows = await changesOf(db, { tenantId, serviceIds })
  return new Map(rows.map((row) => [row.serviceId, row]))
}
