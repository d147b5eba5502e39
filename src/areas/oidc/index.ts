import type { Area } from '#platform/area.ts'
import { clientRoutes } from './clients/routes.ts'

export { verifyClientSecret } from './clients/secret.ts'

export const oidc: Area = {
  name: 'oidc',
  routes: [clientRoutes],
  permissions: [
    { key: 'oauth:read', description: 'See the applications that sign people in here' },
    { key: 'oauth:write', description: 'Register and change them, and renew their secrets' },
  ],
}
