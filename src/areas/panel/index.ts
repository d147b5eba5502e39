import type { Area } from '#platform/area.ts'
import { eggRoutes } from './eggs/routes.ts'
import { nodeRoutes } from './nodes/routes.ts'

export { eggsChanged } from './eggs/events.ts'
export { type EggRow, findEgg } from './eggs/queries.ts'
export { clientOf, type PanelDeps } from './nodes/connections.ts'
export { nodeDeleted } from './nodes/events.ts'
export { findNode, type NodeRow } from './nodes/queries.ts'

export const panel: Area = {
  name: 'panel',
  routes: [nodeRoutes, eggRoutes],
  permissions: [
    { key: 'nodes:read', description: 'See panel connections and eggs' },
    { key: 'nodes:write', description: 'Change and try panel connections, sync and import eggs' },
  ],
}
