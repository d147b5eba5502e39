import { adminRoot } from './root.ts'
import { routesA } from './routes-a.ts'
import { routesB } from './routes-b.ts'

/** Every screen of the administration. Customers do not load it. */
export const administration = adminRoot.addChildren([...routesA, ...routesB])
