import type { Flavour } from '../flavour.ts'
import { PanelError, serverError } from '../http/errors.ts'
import { allocationRoutes } from '../pterodactyl/allocations.ts'
import { clientRoutes } from '../pterodactyl/client/routes.ts'
import { deployableRoutes } from './deployable.ts'
import { eggRoutes, presentEgg } from './eggs.ts'
import { nodeRoutes, presentNode } from './nodes.ts'
import { seedPelican } from './seed.ts'
import { presentServer } from './servers/present.ts'
import { SERVER_START, serverRoutes } from './servers/routes.ts'
import { presentUser, userRoutes } from './users.ts'

/** Pelican 1.0, as far as a billing system calls it: a fork of Pterodactyl, which lends the rest. */
export const pelican: Flavour = {
  name: 'pelican',
  present: { user: presentUser, node: presentNode, egg: presentEgg, server: presentServer },
  serverRules: SERVER_START,
  daemon: {
    unreachable: () => daemonError('ConnectionException'),
    refused: () => daemonError('RequestException'),
    undone: false,
  },
  countsLate: true,
  routes: [
    ...userRoutes,
    ...deployableRoutes,
    ...nodeRoutes,
    ...allocationRoutes,
    ...eggRoutes,
    ...serverRoutes,
    ...clientRoutes,
  ],
  keyPrefix: { application: 'papp_', account: 'pacc_' },
  rateLimits: { application: 256, client: 256 },
  seed: seedPelican,
}

/** Whatever a machine has: a fault of the panel's own, whose name alone tells of the machine. */
function daemonError(code: string): PanelError {
  return new PanelError(500, code, serverError().message)
}
