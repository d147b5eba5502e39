import type { Route } from '../../http/router.ts'
import { clientServerRoutes } from './servers.ts'
import { storedRoutes } from './stored.ts'
import { subuserRoutes } from './subusers.ts'

export const clientRoutes: Route[] = [...clientServerRoutes, ...subuserRoutes, ...storedRoutes]
