import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { PeriodKey } from '../renewals/queries.ts'
import type { Step } from './rules.ts'

export type WarningRow = Row<'services.warnings'>

/** The notice before a step. Its period is locked, so no other transaction writes it. */
export function findWarning(db: Db, { tenantId, id }: PeriodKey, step: Step) {
  return db
    .selectFrom('services.warnings')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('periodId', '=', id)
    .where('step', '=', step)
    .executeTakeFirst()
}

/** Stores a notice; it replaces one before the same step that was not sent. */
export async function upsertWarning(
  tx: Tx,
  { tenantId, id: periodId }: PeriodKey,
  { step, ...notice }: Pick<WarningRow, 'step' | 'noticeId' | 'writtenAt'>,
): Promise<void> {
  await tx
    .insertInto('services.warnings')
    .values({ tenantId, periodId, step, ...notice, sentAt: null, operatorsToldAt: null })
    .onConflict((it) => it.columns(['tenantId', 'periodId', 'step']).doUpdateSet(notice))
    .execute()
}

/** Records when a notice was sent, or when operators were told that it was not. */
export async function updateWarning(
  tx: Tx,
  { tenantId, periodId, step }: Pick<WarningRow, 'tenantId' | 'periodId' | 'step'>,
  change: Partial<Pick<WarningRow, 'sentAt' | 'operatorsToldAt'>>,
): Promise<void> {
  await tx
    .updateTable('services.warnings')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('periodId', '=', periodId)
    .where('step', '=', step)
    .execute()
}

/** Deletes the notices of a period that is due again, because they announced another day. */
export async function deleteWarnings(tx: Tx, { tenantId, id }: PeriodKey): Promise<void> {
  await tx
    .deleteFrom('services.warnings')
    .where('tenantId', '=', tenantId)
    .where('periodId', '=', id)
    .execute()
}

/** Since when each of these services has a notice that cannot be delivered; the others are left out. */
export async function refusedWarningsOf(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await db
    .selectFrom('services.warnings as warning')
    .innerJoin('services.periods as period', (join) =>
      join
        .onRef('period.tenantId', '=', 'warning.tenantId')
        .onRef('period.id', '=', 'warning.periodId'),
    )
    .select(['period.serviceId', 'warning.operatorsToldAt as since'])
    .where('warning.tenantId', '=', tenantId)
    .where('warning.sentAt', 'is', null)
    .where('warning.operatorsToldAt', 'is not', null)
    .where('period.dunningAt', 'is not', null)
    .where('period.serviceId', '=', sql<string>`any(${[...serviceIds]}::uuid[])`)
    .orderBy('warning.operatorsToldAt', 'desc')
    .$narrowType<{ since: Instant }>()
    .execute()
  return new Map(rows.map(({ serviceId, since }) => [serviceId, since]))
}
