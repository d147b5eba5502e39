import type { Area } from '#platform/area.ts'
import { clientRoutes } from './clients/routes.ts'
import { consentRoutes } from './consents/routes.ts'
import { endOnPasswordChange, endOnSuspension, forgetEndedSignIns, tellOfReuse } from './jobs.ts'
import { sealedSigningKeys } from './keys/actions.ts'
import { rotateSigningKeys } from './keys/jobs.ts'
import { objectsAmong } from './named.ts'
import { interactionRoutes } from './pages/routes.ts'
import { personalData } from './personal-data.ts'
import { deleteSignIns } from './provider/queries.ts'
import { providerRoutes } from './provider/routes.ts'
import { oidcSettings } from './settings.ts'

export { verifyClientSecret } from './clients/secret.ts'

export const oidc: Area = {
  name: 'oidc',
  objectsAmong,
  routes: [clientRoutes, consentRoutes, providerRoutes, interactionRoutes],
  jobs: [
    ...[rotateSigningKeys, forgetEndedSignIns],
    ...[endOnPasswordChange, endOnSuspension, tellOfReuse],
  ],
  settings: [oidcSettings],
  sealed: [sealedSigningKeys],
  permissions: [
    {
      key: 'oauth:read',
      description: 'See applications that sign people in with their account of the shop',
    },
    {
      key: 'oauth:write',
      description: 'Register and change these applications, and rotate their secrets',
    },
  ],
  personalData,
  purposes: ['oidc.applications'],
  erase: deleteSignIns,
}
