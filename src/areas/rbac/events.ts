import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A person's roles have changed, directly or through a group. */
export const rolesChanged = event('rbac.roles-changed', Type.Object({ tenantId: Id, userId: Id }))
