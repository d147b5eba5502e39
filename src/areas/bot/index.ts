import type { Area } from '#platform/area.ts'
import { trimFeeds } from './changes/jobs.ts'
import { changeRoutes } from './changes/routes.ts'
import { settleDeliveries } from './messages/jobs.ts'
import { messageRoutes } from './messages/routes.ts'
import { objectsAmong } from './named.ts'
import { peopleRoutes } from './people/routes.ts'
import { personalData } from './personal-data.ts'
import { mappingRoutes } from './role-mappings/routes.ts'
import { removeAllRoles } from './roles/actions.ts'
import { announceToAllJob, compareAll, followPerson } from './roles/jobs.ts'
import { botAuthenticator } from './tokens/authenticator.ts'
import { tokenRoutes } from './tokens/routes.ts'

export const bot: Area = {
  name: 'bot',
  objectsAmong,
  routes: [tokenRoutes, mappingRoutes, peopleRoutes, changeRoutes, messageRoutes],
  jobs: [followPerson, announceToAllJob, compareAll, trimFeeds, settleDeliveries],
  permissions: [
    {
      key: 'bot:read',
      description: 'See bot tokens and the role mappings for Discord',
    },
    { key: 'bot:write', description: 'Create and revoke bot tokens, and map roles for Discord' },
  ],
  personalData,
  purposes: ['bot.roles'],
  erase: removeAllRoles,
  authenticators: (deps) => [botAuthenticator(deps)],
}
