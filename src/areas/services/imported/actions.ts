import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type ImportedService, insertImportedServices } from './queries.ts'

/** Services of another system, as a query. */
export type ImportedServices = {
  readonly tenantId: string
  readonly importId: string
  readonly rows: RawBuilder<ImportedService>
}

/**
 * Imports services that customers had in another system. Nothing is provisioned, invoiced, reminded or
 * suspended: no renewal is planned before an administrator starts renewals.
 */
export async function importServices(
  tx: Tx,
  { tenantId, rows }: Omit<ImportedServices, 'importId'>,
  now: Instant,
): Promise<void> {
  await insertImportedServices(tx, tenantId, rows, now)
}

/** Removes the services that an import has written. */
export async function removeImportedServices(
  tx: Tx,
  { tenantId, importId }: Omit<ImportedServices, 'rows'>,
): Promise<void> {
  await sql`select services.remove_imported(${tenantId}::uuid, ${importId}::uuid)`.execute(tx)
}
