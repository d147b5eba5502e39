import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { endAt } from '../leaving/actions.ts'
import type { ServiceKey, ServiceRow } from '../queries.ts'
import { lockEndedToInvoice, lockServicesToInvoice, lockServiceToInvoice } from './queries.ts'
import { renewServices } from './run.ts'

/** Up to this many are renewed in one transaction: it stays short, and takes a few megabytes. */
export const RENEWALS_AT_ONCE = 500

/**
 * Invoices the oldest due period of each of the next services, of every tenant, and stores when their
 * next one is due (R4.4, R4.5). A service with several due periods is found again, each time for one.
 * Concurrent runs take other services. Returns how many services there were; 0 if nothing is due.
 */
export async function renewBatch(tx: Tx, now: Instant, limit: number): Promise<number> {
  const living = await lockServicesToInvoice(tx, now, limit)
  const due = living.length > 0 ? living : await lockEndedToInvoice(tx, now, limit)
  const byTenant = Map.groupBy(due, ({ tenantId }) => tenantId)
  // In one order, so that no two runs wait for each other's series and books.
  for (const [tenantId, services] of [...byTenant].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await renew(tx, tenantId, services, now)
  }
  return due.length
}

/** Likewise for one service, if it is due and no other run works on it. */
export async function renewOne(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  const service = await lockServiceToInvoice(tx, key, now)
  if (service) await renew(tx, key.tenantId, [service], now)
}

async function renew(
  tx: Tx,
  tenantId: string,
  services: readonly ServiceRow[],
  now: Instant,
): Promise<void> {
  const usedUp = await renewServices(tx, tenantId, services, now)
  for (const { service, at } of usedUp) await endAt(tx, service, at, now)
}
