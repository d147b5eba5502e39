import type { Area } from '#platform/area.ts'
import { groupRoutes } from './groups/routes.ts'
import { objectsAmong } from './named.ts'
import { erase, personalData } from './personal-data.ts'
import { listPermissionsOf, listRolesOf } from './queries.ts'
import { assertNotLastOwner } from './roles/actions.ts'
import { roleRoutes } from './roles/routes.ts'
import { prepareOwner } from './setup/actions.ts'
import { setupRoutes } from './setup/routes.ts'
import { tenantSetupRoutes } from './setup/tenant-routes.ts'
import { timeline } from './timeline.ts'

export { rolesChanged } from './events.ts'
export { groupIdsOf, listPeopleWith, listPermissionsOf, pageOfPeopleWith } from './queries.ts'
export { grantOwner, grantRole } from './roles/actions.ts'
export { insertRole } from './roles/queries.ts'
export { createOwner, setupLink } from './setup/actions.ts'

export const rbac: Area = {
  name: 'rbac',
  objectsAmong,
  routes: [roleRoutes, groupRoutes, setupRoutes, tenantSetupRoutes],
  permissions: [
    { key: 'rbac:read', description: 'See roles, groups and permissions' },
    { key: 'rbac:write', description: 'Change roles and groups, and their members' },
  ],
  prepare: prepareOwner,
  permissionsOf: listPermissionsOf,
  rolesOf: listRolesOf,
  assertMayLeave: assertNotLastOwner,
  personalData,
  purposes: ['rbac.roles'],
  timeline,
  timelineNeeds: ['rbac:read'],
  erase,
}
