import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type ReinstallRow = Row<'services.reinstalls'>
export type ReinstallKey = Pick<ReinstallRow, 'tenantId' | 'serviceId' | 'id'>

/** Begins to watch a reinstallation; an earlier one of the service is no longer watched. */
export async function upsertReinstall(
  tx: Tx,
  { tenantId, serviceId, id }: ReinstallKey,
  { now, nextAt }: { now: Instant; nextAt: Instant },
): Promise<void> {
  const fresh = { id, startedAt: now, askedAt: null, polls: 0, nextAt }
  const open = { finishedAt: null, outcome: null }
  await tx
    .insertInto('services.reinstalls')
    .values({ tenantId, serviceId, ...fresh, ...open })
    .onConflict((it) => it.columns(['tenantId', 'serviceId']).doUpdateSet({ ...fresh, ...open }))
    .execute()
}

/** The reinstallation, unless it has ended or another one of the service is watched by now. */
export function findOpenReinstall(db: Db, { tenantId, serviceId, id }: ReinstallKey) {
  return db
    .selectFrom('services.reinstalls')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .executeTakeFirst()
}

type Change = Partial<Pick<ReinstallRow, 'askedAt' | 'polls' | 'nextAt' | 'finishedAt' | 'outcome'>>

/** Updates a reinstallation that has not ended; returns false if it has, or another one is watched. */
export async function updateReinstall(
  tx: Tx,
  { tenantId, serviceId, id }: ReinstallKey,
  change: Change,
): Promise<boolean> {
  const row = await tx
    .updateTable('services.reinstalls')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteReinstall(
  tx: Tx,
  { tenantId, serviceId, id }: ReinstallKey,
): Promise<void> {
  await tx
    .deleteFrom('services.reinstalls')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '=', id)
    .execute()
}

export function listDueReinstalls(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.reinstalls')
    .select(['tenantId', 'serviceId', 'id'])
    .where('finishedAt', 'is', null)
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}
