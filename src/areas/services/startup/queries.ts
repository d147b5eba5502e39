import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { ServiceKey, ServiceRow } from '../queries.ts'

export type StartupChangeRow = Row<'services.startup_changes'>
export type StartupKey = Pick<StartupChangeRow, 'tenantId' | 'serviceId'>

export function findStartupChange(db: Db, { tenantId, serviceId }: StartupKey) {
  return db
    .selectFrom('services.startup_changes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()
}

/** Stores the only start-up request of a service, in place of the last one. */
export async function upsertStartupChange(
  tx: Tx,
  {
    environment,
    ...wish
  }: Pick<
    StartupChangeRow,
    | 'tenantId'
    | 'serviceId'
    | 'id'
    | 'environment'
    | 'dockerImage'
    | 'startupCommand'
    | 'requestedAt'
    | 'nextAt'
  >,
): Promise<void> {
  const row = { ...wish, environment: json(environment) }
  const open = { attempt: 0, appliedAt: null, failedAt: null, lastError: null, sentAt: null }
  await tx
    .insertInto('services.startup_changes')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'serviceId']).doUpdateSet({ ...row, ...open }))
    .execute()
}

type Change = Partial<
  Pick<StartupChangeRow, 'attempt' | 'nextAt' | 'appliedAt' | 'failedAt' | 'sentAt'>
> & {
  lastError?: NonNullable<StartupChangeRow['lastError']>
}

/**
 * Records the result, unless there is a newer request by now: then returns false. A request that is
 * over keeps none of the values, which are stored in the service.
 */
export async function updateStartupChange(
  tx: Tx,
  { tenantId, serviceId, id }: StartupKey & Pick<StartupChangeRow, 'id'>,
  { lastError, ...change }: Change,
): Promise<boolean> {
  const row = await tx
    .updateTable('services.startup_changes')
    .set({
      ...change,
      ...(lastError && { lastError: json(lastError) }),
      ...(change.nextAt === null && { environment: json({}) }),
    })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores what the users of a service chose: if its server is created again, it uses this. */
export async function updateChosen(
  tx: Tx,
  { tenantId, id }: ServiceKey,
  { environment, ...chosen }: Pick<ServiceRow, 'environment' | 'dockerImage' | 'startupCommand'>,
): Promise<void> {
  await tx
    .updateTable('services.services')
    .set({ ...chosen, environment: json(environment) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Requests whose sending to panels is overdue, oldest first. */
export function listDueStartupChanges(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.startup_changes')
    .select(['tenantId', 'serviceId'])
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}
