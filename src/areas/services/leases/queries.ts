import { newId } from '#lib/id.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Row, Tx } from '#platform/database/index.ts'

type LeaseRow = Row<'services.server_leases'>
export type ServerKey = Pick<LeaseRow, 'tenantId' | 'serviceId'>
export type ServerLease = ServerKey & Pick<LeaseRow, 'holder'>

/** Longer than everything may take that a panel is asked while it is held. */
const LEASE_MS = 240 * SECOND_MS
/** Whoever finds a server leased comes back after this. */
export const BUSY_MS = 5 * SECOND_MS

/**
 * Takes what a server is made of for oneself: its build and how it starts. Undefined while somebody
 * else has it; a lease that its process did not outlive ends by itself.
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

/** Gives a server back; one that somebody else has by now is left to them. */
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
