import type { PanelClient } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import type { ServiceRow } from '../queries.ts'
import { goalOf } from './rules.ts'

/**
 * Suspends a server on its panel, or resumes it, if the panel's state differs from what is recorded. A
 * service in transition to another state is left alone.
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
