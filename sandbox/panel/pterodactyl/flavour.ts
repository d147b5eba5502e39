import type { Flavour } from '../flavour.ts'
import { daemonRefused, daemonUnreachable } from '../http/errors.ts'
import { allocationRoutes } from './allocations.ts'
import { clientRoutes } from './client/routes.ts'
import { deployableRoutes } from './deployable.ts'
import { locationRoutes } from './locations.ts'
import { nestRoutes, presentEgg } from './nests.ts'
import { nodeRoutes, presentNode } from './nodes.ts'
import { seedPterodactyl } from './seed.ts'
import { SERVER_RULES } from './servers/fields.ts'
import { presentServer } from './servers/present.ts'
import { serverRoutes } from './servers/routes.ts'
import { presentUser, userRoutes } from './users.ts'

/** Pterodactyl 1.11. A fixed segment stands before a named one: `deployable` is no node. */
export const pterodactyl: Flavour = {
  name: 'pterodactyl',
  present: { user: presentUser, node: presentNode, egg: presentEgg, server: presentServer },
  serverRules: { startup: SERVER_RULES.startup, image: SERVER_RULES.image },
  daemon: { unreachable: daemonUnreachable, refused: daemonRefused, undone: true },
  countsLate: false,
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
