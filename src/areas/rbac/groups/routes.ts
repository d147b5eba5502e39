import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  Body,
  Deleted,
  Id,
  IdParams,
  Line,
  Page,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUsers } from '#users'
import { changeGroup, createGroup, removeGroup } from './actions.ts'
import { findGroup, type Group, listGroups } from './queries.ts'

const tags: Tag[] = ['Admin - RBAC']
const reading = { access: 'admin', permission: 'rbac:read' } as const
const writing = { access: 'admin', permission: 'rbac:write' } as const
const changing = { ...writing, exists: findOf }

const RoleIds = Type.Array(Id, { maxItems: 100 })
const MemberIds = Type.Array(Id, { maxItems: 1000 })
const GroupView = Resource('Group', {
  id: Id,
  name: Type.String(),
  roleIds: Type.Array(Id),
  memberIds: Type.Array(Id),
  members: Type.Array(Type.Object({ id: Id, name: Type.String(), email: Type.String() }), {
    description: 'The members with their names, in the order of `memberIds`',
  }),
  createdAt: Timestamp,
})
const NewGroup = Body({
  name: Line(100),
  roleIds: Type.Optional(RoleIds),
  memberIds: Type.Optional(MemberIds),
})
const GroupChange = Body({
  name: Type.Optional(Line(100)),
  roleIds: Type.Optional(RoleIds),
  memberIds: Type.Optional(MemberIds),
})

function findOf({ db, tenantId, params }: FastifyRequest) {
  return findGroup(db, { tenantId, id: (params as { id: string }).id })
}

/** Groups with the names of their members, read with one query for all of them. */
async function withMembers(db: Db, tenantId: string, groups: readonly Group[]) {
  const ids = [...new Set(groups.flatMap(({ memberIds }) => memberIds))]
  const people = new Map((await findUsers(db, tenantId, ids)).map((user) => [user.id, user]))
  return groups.map((group) => ({
    ...group,
    members: group.memberIds.flatMap((id) => {
      const user = people.get(id)
      return user ? [{ id, name: user.name, email: user.email }] : []
    }),
  }))
}

async function named(db: Db, group: Group) {
  const [shown] = await withMembers(db, group.tenantId, [group])
  if (!shown) throw notFound('Group')
  return shown
}

export const groupRoutes: Routes = (app, { forgetCallers }) => {
  function forgetAll(userIds: readonly string[]): void {
    for (const userId of userIds) forgetCallers({ userId })
  }

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/groups',
    config: reading,
    schema: {
      tags,
      summary: 'List groups, newest first',
      querystring: PageQuery,
      response: { 200: Page(GroupView) },
    },
    async handler({ tenantId, query, db }) {
      const page = await listGroups(db, tenantId, query)
      return { ...page, data: await withMembers(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/groups/:id',
    config: reading,
    schema: {
      tags,
      summary: 'One group',
      params: IdParams,
      response: { 200: GroupView, ...problems(404) },
    },
    async handler(request) {
      const group = await findOf(request)
      if (!group) throw notFound('Group')
      return named(request.db, group)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/rbac/groups',
    config: writing,
    schema: {
      tags,
      summary: 'Create a group: its members hold its roles',
      description:
        '403 `permission_missing` for roles with permissions that the caller lacks, 409 `name_taken`, and `system_role` for the role of the owners.',
      body: NewGroup,
      response: { 201: GroupView, ...problems(409) },
    },
    async handler({ body, caller, now, transact, db }, reply) {
      const { group, touched } = await transact((tx) => createGroup(tx, caller, body, now))
      forgetAll(touched)
      return reply.code(201).send(await named(db, group))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/rbac/groups/:id',
    config: changing,
    schema: {
      tags,
      summary: 'Change a group',
      description:
        '`roleIds` and `memberIds` replace the lists; members get or lose permissions at once. 403 `permission_missing` for roles, before or after, with permissions that the caller lacks.',
      params: IdParams,
      body: GroupChange,
      response: { 200: GroupView, ...problems(404, 409) },
    },
    async handler({ params: { id }, body: change, caller, transact, db }) {
      const { group, touched } = await transact((tx) => changeGroup(tx, caller, { id, change }))
      forgetAll(touched)
      return named(db, group)
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/rbac/groups/:id/members',
    config: { ...changing, edits: '/v1/admin/rbac/groups/:id' },
    schema: {
      tags,
      summary: 'Set the members of a group',
      description:
        '`memberIds` replaces the list. 403 `permission_missing` where the group has permissions that the caller lacks, 400 for an unknown person.',
      params: IdParams,
      body: Body({ memberIds: MemberIds }),
      response: { 200: GroupView, ...problems(404) },
    },
    async handler({ params: { id }, body: change, caller, transact, db }) {
      const { group, touched } = await transact((tx) => changeGroup(tx, caller, { id, change }))
      forgetAll(touched)
      return named(db, group)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/rbac/groups/:id',
    config: writing,
    schema: {
      tags,
      summary: 'Delete a group',
      description:
        'Its members lose what they held through it. 403 `permission_missing` for roles with permissions that the caller lacks.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { id }, caller, transact }) {
      forgetAll(await transact((tx) => removeGroup(tx, caller, id)))
      return { id, deleted: true }
    },
  })
}
