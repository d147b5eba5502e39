import { clientOf, type PanelDeps, PanelError, type PanelServer } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { ServerKey } from '../leases/queries.ts'
import { remembered } from '../live-status/remembered.ts'
import type { ServiceRow } from '../queries.ts'

const FRESH_MS = 5000

const servers = remembered<PanelServer | undefined>(FRESH_MS, undefined)

/** The server of a service as its panel shows it; undefined while the panel is unavailable. */
export async function serverOnPanel(
  deps: PanelDeps,
  db: Db,
  service: ServiceRow,
): Promise<PanelServer | undefined> {
  const { tenantId, id, nodeId, externalId } = service
  if (!nodeId || service.serverId === null || service.endedAt) return undefined
  return servers.of(deps, `${tenantId} ${id}`, async () => {
    try {
      const client = await clientOf(deps, db, { tenantId, nodeId })
      return await client.findServerByExternalId(externalId)
    } catch (error) {
      if (!(error instanceof PanelError))
        deps.log.warn({ err: error }, 'the start-up of a server could not be read')
      return undefined
    }
  })
}

/** Drops the cached server, after its start-up was changed on the panel. */
export function forgetStartup(deps: PanelDeps, { tenantId, serviceId }: ServerKey): void {
  servers.forget(deps, `${tenantId} ${serviceId}`)
}
