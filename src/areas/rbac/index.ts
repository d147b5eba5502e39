import type { Area } from '#platform/area.ts'
import { listPermissionsOf } from './queries.ts'

export { grantOwner, grantRole } from './actions.ts'
export { insertRole } from './queries.ts'

export const rbac: Area = {
  name: 'rbac',
  permissionsOf: listPermissionsOf,
}
