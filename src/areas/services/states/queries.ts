import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { compiled } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'

export type TransitionRow = Row<'services.transitions'>
export type TransitionKey = Pick<TransitionRow, 'tenantId' | 'serviceId'>

/** Begins a transition to a new state, or begins it again; a job that works on it notices by the version. */
export async function upsertTransition(
  tx: Tx,
  { tenantId, serviceId }: TransitionKey,
  now: Instant,
): Promise<void> {
  const fresh = { startedAt: now, attempt: 0, nextAt: now, alertedAt: null, doneAt: null }
  await tx
    .insertInto('services.transitions')
    .values({ tenantId, serviceId, ...fresh })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'serviceId'])
        .doUpdateSet({ ...fresh, version: sql<number>`transitions.version + 1`, lastError: null }),
    )
    .execute()
}

const movesOf = compiled(
  (db, { tenantId, serviceIds }: { tenantId: string; serviceIds: readonly string[] }) =>
    db
      .selectFrom('services.transitions')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('serviceId', '=', sql<string>`any(${serviceIds}::uuid[])`)
      .where('doneAt', 'is', null),
)

/** The transitions of services that have not finished, by service. */
export async function transitionsOf(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<Map<string, TransitionRow>> {
  const rows = await movesOf(db, { tenantId, serviceIds })
  return new Map(rows.map((row) => [row.serviceId, row]))
}

/** Makes the next try of a service's transition due now; returns false if there is none. */
export async function hurryTransition(
  tx: Tx,
  { tenantId, serviceId }: TransitionKey,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('services.transitions')
    .set({ nextAt: now })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .returning('serviceId')
    .executeTakeFirst()
  return row !== undefined
}

/** Leases the transition of a service; undefined if another job has the lease, or nothing is due. */
export function leaseTransition(
  tx: Tx,
  { tenantId, serviceId }: TransitionKey,
  { now, until }: { now: Instant; until: Instant },
) {
  return tx
    .updateTable('services.transitions')
    .set({ leaseUntil: until })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst()
}

type Change = Partial<Pick<TransitionRow, 'attempt' | 'nextAt' | 'alertedAt' | 'doneAt'>> & {
  lastError?: NonNullable<TransitionRow['lastError']>
}

/** Ends the lease, and stores the result unless another state is requested by now. */
export async function releaseTransition(
  tx: Tx,
  { tenantId, serviceId, version }: Pick<TransitionRow, 'tenantId' | 'serviceId' | 'version'>,
  { lastError, ...change }: Change,
): Promise<void> {
  const same = tx
    .updateTable('services.transitions')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
  await same.set({ leaseUntil: null }).execute()
  await same
    .set({ ...change, ...(lastError && { lastError: json(lastError) }) })
    .set({ leaseUntil: null })
    .where('version', '=', version)
    .execute()
}

/** Updates the unfinished transition of a service. */
export async function updateTransition(
  tx: Tx,
  { tenantId, serviceId }: TransitionKey,
  { lastError, ...change }: Change,
): Promise<void> {
  await tx
    .updateTable('services.transitions')
    .set({ ...change, ...(lastError && { lastError: json(lastError) }) })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .execute()
}

/** Transitions whose next try is overdue, oldest first. */
export function listDueTransitions(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.transitions')
    .select(['tenantId', 'serviceId'])
    .where('doneAt', 'is', null)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}

/** Ended services whose data was kept long enough, locked; those locked by others are left out. */
export function lockServicesToDelete(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('services.services')
    .select(['tenantId', 'id', 'deleteServerAt'])
    .where('deleteServerAt', '<=', now)
    .where('serverDeletedAt', 'is', null)
    .where((it) =>
      it.not(
        it.exists(
          it
            .selectFrom('services.transitions as transition')
            .select('transition.serviceId')
            .whereRef('transition.tenantId', '=', 'services.services.tenantId')
            .whereRef('transition.serviceId', '=', 'services.services.id')
            .where('transition.doneAt', 'is', null),
        ),
      ),
    )
    .orderBy('deleteServerAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}
