import { sql } from 'kysely'
import type { PanelFailure } from '#panel'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { ProvisioningKey } from './queries.ts'

type AttemptRow = Row<'services.provisioning_attempts'>

/** How many failed attempts are kept of each service. */
const KEPT = 20

/**
 * Adds a failed attempt to the history of a service, in the transaction that stores it as the last error of its locked
 * provisioning. Older attempts are deleted.
 */
export async function recordAttempt(
  tx: Tx,
  { tenantId, serviceId }: ProvisioningKey,
  { code, detail, at: failedAt }: PanelFailure,
): Promise<void> {
  const { attempt } = await tx
    .insertInto('services.provisioning_attempts')
    .values((it) => ({
      ...{ tenantId, serviceId, code, detail, failedAt },
      attempt: it
        .selectFrom('services.provisioning_attempts')
        .select(sql<number>`coalesce(max(attempt), 0) + 1`.as('next'))
        .where('tenantId', '=', tenantId)
        .where('serviceId', '=', serviceId),
    }))
    .returning('attempt')
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('services.provisioning_attempts')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('attempt', '<=', attempt - KEPT)
    .execute()
}

/** The failed attempts of a service that are kept, newest first. */
export function listAttempts(
  db: Db,
  { tenantId, serviceId }: ProvisioningKey,
): Promise<Pick<AttemptRow, 'attempt' | 'code' | 'detail' | 'failedAt'>[]> {
  return db
    .selectFrom('services.provisioning_attempts')
    .select(['attempt', 'code', 'detail', 'failedAt'])
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .orderBy('attempt', 'desc')
    .execute()
}
