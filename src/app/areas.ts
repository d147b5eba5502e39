import { audit } from '#audit'
import type { Area } from '#platform/area.ts'
import { rbac } from '#rbac'
import { tenants } from '#tenants'
import { users } from '#users'

/** The areas, lowest first: calls and foreign keys go down this list, events go up it. */
export const areas: readonly Area[] = [tenants, users, rbac, audit]
