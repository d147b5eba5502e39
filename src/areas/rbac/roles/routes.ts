import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  Body,
  Deleted,
  Id,
  IdParams,
  Line,
  Nullable,
  Page,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '#users'
import { listGrantsOf, listRolesOf } from '../queries.ts'
import { catalogueOf } from '../rules.ts'
import { assignRoles, changeRole, createRole, removeRole } from './actions.ts'
import { findRole, listHolders, listRoles } from './queries.ts'

const tags: Tag[] = ['Admin - RBAC']
const reading = { access: 'admin', permission: 'rbac:read' } as const
const writing = { access: 'admin', permission: 'rbac:write' } as const

const Permissions = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })
const Role = Resource('Role', {
  id: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  permissions: Type.Array(Type.String()),
  system: Type.Boolean(),
  createdAt: Timestamp,
})
const NewRole = Body({
  name: Line(100),
  description: Type.Optional(Nullable(Line(500))),
  permissions: Permissions,
})
const RoleChange = Body({
  name: Type.Optional(Line(100)),
  description: Type.Optional(Nullable(Line(500))),
  permissions: Type.Optional(Permissions),
})
const Permission = Resource('Permission', { key: Type.String(), description: Type.String() })
const StaffAccess = Resource('StaffAccess', {
  userId: Id,
  grants: Type.Array(
    Type.Object({
      role: Type.Object({
        id: Id,
        name: Type.String(),
        permissions: Type.Array(Type.String()),
      }),
      group: Nullable(
        Type.Object(
          { id: Id, name: Type.String() },
          { description: 'The group that grants the role; null for a role of the person' },
        ),
      ),
    }),
  ),
  permissions: Type.Array(Type.String(), {
    description: 'The permissions of all these roles; `area:*` and `*` stand for several',
  }),
})
const Held = Resource('HeldRoles', {
  userId: Id,
  roles: Type.Array(Type.Object({ id: Id, name: Type.String() })),
})

export const roleRoutes: Routes = (app, { areas, forgetCallers }) => {
  const catalogue = catalogueOf(areas)

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/permissions',
    config: reading,
    schema: {
      tags,
      summary: 'List every permission a role may hold',
      response: { 200: Page(Permission) },
    },
    handler: async () => ({ data: catalogue, nextCursor: null }),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/roles',
    config: reading,
    schema: { tags, summary: 'List all roles', response: { 200: Page(Role) } },
    async handler({ tenantId, db }) {
      return { data: await listRoles(db, tenantId), nextCursor: null }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/rbac/roles',
    config: writing,
    schema: {
      tags,
      summary: 'Create a role from permissions that you hold yourself',
      description:
        '403 `permission_missing` for a permission that the caller lacks, 422 `permission_unknown`, 409 `name_taken`.',
      body: NewRole,
      response: { 201: Role, ...problems(409, 422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      const wanted = { ...body, description: body.description ?? null }
      const role = await transact((tx) => createRole(tx, caller, { wanted, catalogue }, now))
      return reply.code(201).send(role)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/roles/:id',
    config: reading,
    schema: {
      tags,
      summary: 'One role',
      params: IdParams,
      response: { 200: Role, ...problems(404) },
    },
    async handler({ params: { id }, tenantId, db }) {
      const role = await findRole(db, { tenantId, id })
      if (!role) throw notFound('Role')
      return role
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/rbac/roles/:id',
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) =>
        findRole(db, { tenantId, id: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Change a role, for all its members',
      description:
        'Its members get or lose permissions at once, also in open sessions. 403 where the role has, or would have, a permission that the caller lacks; 409 `system_role` for the role of the owners.',
      params: IdParams,
      body: RoleChange,
      response: { 200: Role, ...problems(404, 409, 422) },
    },
    async handler({ params: { id }, body: change, caller, db, tenantId, transact }) {
      const role = await transact((tx) => changeRole(tx, caller, { id, change, catalogue }))
      for (const userId of await listHolders(db, { tenantId, id })) forgetCallers({ userId })
      return role
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/rbac/roles/:id',
    config: writing,
    schema: {
      tags,
      summary: 'Delete a role without members',
      description:
        '409 `role_in_use` while a person or group has it, and `system_role` for the role of the owners.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    async handler({ params: { id }, caller, transact }) {
      await transact((tx) => removeRole(tx, caller, id))
      return { id, deleted: true }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/users/:id/access',
    config: reading,
    schema: {
      tags,
      summary: 'Get the permissions of a person, and the roles and groups that they come from',
      params: IdParams,
      response: { 200: StaffAccess, ...problems(404) },
    },
    async handler({ params: { id: userId }, tenantId, db }) {
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const grants = await listGrantsOf(db, { tenantId, userId })
      return {
        userId,
        grants: grants.map(({ groupId, groupName, ...role }) => ({
          role,
          group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
        })),
        permissions: [...new Set(grants.flatMap(({ permissions }) => permissions))].sort(),
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/users/:id/roles',
    config: reading,
    schema: {
      tags,
      summary: 'Get the roles a person holds directly',
      params: IdParams,
      response: { 200: Held, ...problems(404) },
    },
    async handler({ params: { id: userId }, tenantId, db }) {
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const roles = await listRolesOf(db, { tenantId, userIds: [userId] })
      return { userId, roles: roles.get(userId) ?? [] }
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/rbac/users/:id/roles',
    config: {
      ...{ ...writing, versioned: ['roles'] },
      exists: ({ db, tenantId, params }) =>
        findUser(db, { tenantId, userId: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Set the roles a person holds directly',
      description:
        '`roleIds` replaces the list; roles that come through groups stay. 403 `permission_missing` for a role with permissions that the caller lacks, whether it is added or removed; 409 `last_owner`.',
      params: IdParams,
      body: Body({ roleIds: Type.Array(Id, { maxItems: 100 }) }),
      response: { 200: Held, ...problems(404, 409) },
    },
    async handler({ params: { id: userId }, body: { roleIds }, caller, db, now, transact }) {
      const { tenantId } = caller
      await transact((tx) => assignRoles(tx, caller, { userId, roleIds }, now))
      forgetCallers({ userId })
      const roles = await listRolesOf(db, { tenantId, userIds: [userId] })
      return { userId, roles: roles.get(userId) ?? [] }
    },
  })
}
