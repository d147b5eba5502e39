import type { Flavour } from '../flavour.ts'
import { allocationRoutes } from './allocations.ts'
import { clientRoutes } from './client/routes.ts'
import { deployableRoutes } from './deployable.ts'
import { locationRoutes } from './locations.ts'
import { nestRoutes } from './nests.ts'
import { nodeRoutes } from './nodes.ts'
import { seedPterodactyl } from './seed.ts'
import { serverRoutes } from './servers/routes.ts'
import { userRoutes } from './users.ts'

/** Pterodactyl 1.11. A fixed segment stands before a named one: `deployable` is no node. */
export const pterodactyl: Flavour = {
  name: 'pterodactyl',
  routes: [
    ...userRoutes,
    ...locationRoutes,
    ...deployableRoutes,
    ...nodeRoutes,
    ...allocationRoutes,
    ...nestRoutes,
    ...serverRoutes,
    ...clientRoutes,
  ],
  keyPrefix: { application: 'ptla_', account: 'ptlc_' },
  rateLimits: { application: 240, client: 720 },
  seed: seedPterodactyl,
}
