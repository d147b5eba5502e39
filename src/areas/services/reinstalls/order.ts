import { newId } from '#lib/id.ts'
import { outcomeOf, type PanelClient, PanelError } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { dropReinstall, recordReinstall, watchReinstall } from './actions.ts'

type Server = { tenantId: string; serviceId: string; serverId: number }

/**
 * Reinstalls a server: the reinstallation is recorded before its panel is asked, and watched until its end is reported.
 * Throws as the panel does; after `unknown_outcome` it may have begun, and is watched too.
 */
export async function reinstallServer(
  { transact, clock }: Pick<JobContext, 'transact' | 'clock'>,
  client: PanelClient,
  { tenantId, serviceId, serverId }: Server,
): Promise<void> {
  const key = { tenantId, serviceId, id: newId() }
  await transact((tx) => recordReinstall(tx, key, clock.now()))
  const outcome = await outcomeOf(client.reinstall(serverId))
  const refused = outcome instanceof PanelError && outcome.kind !== 'unknown_outcome'
  const at = clock.now()
  await transact((tx) => (refused ? dropReinstall(tx, key) : watchReinstall(tx, key, at)))
  if (outcome instanceof PanelError) throw outcome
}
