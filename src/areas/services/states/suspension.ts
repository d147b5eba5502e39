import type { PanelClient } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import type { ServiceRow } from '../queries.ts'
import { goalOf } from './rules.ts'

/**
 * Suspends a server on its panel, or takes that back, when the panel says something else than what is
 * recorded. A service that is on its way to another state is left to that way.
 */
export async function makeSuspension(
  { clock }: Pick<JobContext, 'clock'>,
  client: PanelClient,
  service: ServiceRow,
): Promise<void> {
  if (service.endedAt || !service.activatedAt || goalOf(service, clock.now()) !== null) return
  const server = await client.findServerByExternalId(service.externalId)
  if (!server) return
  const wanted = service.suspendedAt !== null
  if ((server.status === 'suspended') === wanted) return
  if (wanted) await client.suspend(server.id)
  else await client.unsuspend(server.id)
}
