import type { Deps } from '#platform/deps.ts'
import { createOutbounds, type Outbounds } from '#platform/outbound-uses.ts'

/** What a further process calls the outside with: the same openings, connections of its own. */
export function outboundsOf({ config, areas, ...deps }: Deps): Outbounds {
  const tenantOf = areas.find((area) => area.tenantOf)?.tenantOf?.({ config, areas, ...deps })
  return createOutbounds({
    privateHosts: config.privateHosts,
    tenantIdOf: async (domain) => (await tenantOf?.(domain ?? ''))?.id ?? null,
  })
}
