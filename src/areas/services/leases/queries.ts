import { newId } from '#lib/id.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Row, Tx } from '#platform/database/index.ts'

type LeaseRow = Row<'services.server_leases'>
export type ServerKey = Pick<LeaseRow, 'tenantId' | 'serviceId'>
export type ServerLease = ServerKey & Pick<LeaseRow, 'holder'>

/** Longer than all panel requests may take during one lease. */
const LEASE_MS = 240 * SECOND_MS
/** After how long work on a leased server is tried again. */
export const BUSY_MS = 5 * SECOND_MS

/**
 * Leases a server for changes of its build and start-up. Undefined while another process has the lease;
 * the lease of a process that died expires by itself.
 */
export async function leaseServer(
  tx: Tx,
  { tenantId, serviceId }: ServerKey,
  now: Instant,
): Promise<ServerLease | undefined> {
  const lease = { holder: newId(), until: later(now, LEASE_MS) }
  const taken = await tx
    .insertInto('services.server_leases')
    .values({ tenantId, serviceId, ...lease })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'serviceId'])
        .doUpdateSet(lease)
        .where('services.server_leases.until', '<', now),
    )
    .returning(['tenantId', 'serviceId', 'holder'])
    .executeTakeFirst()
  return taken
}

/** Ends the lease of a server; a lease that another process has by now is left alone. */
export async function releaseServer(
  tx: Tx,
  { tenantId, serviceId, holder }: ServerLease,
): Promise<void> {
  await tx
    .deleteFrom('services.server_leases')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('holder', '=', holder)
    .execute()
}
