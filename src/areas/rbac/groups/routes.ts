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
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changeGroup, createGroup, removeGroup } from './actions.ts'
import { findGroup, listGroups } from './queries.ts'

const tags: Tag[] = ['Admin - RBAC']
const reading = { access: 'admin', permission: 'rbac:read' } as const
const writing = { access: 'admin', permission: 'rbac:write' } as const
const changing = { ...writing, exists: findOf }

const RoleIds = Type.Array(Id, { maxItems: 100 })
const MemberIds = Type.Array(Id, { maxItems: 1000 })
const Group = Resource('Group', {
  id: Id,
  name: Type.String(),
  roleIds: Type.Array(Id),
  memberIds: Type.Array(Id),
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
      response: { 200: Page(Group) },
    },
    handler: async ({ tenantId, query, db }) => listGroups(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/rbac/groups/:id',
    config: reading,
    schema: {
      tags,
      summary: 'One group',
      params: IdParams,
      response: { 200: Group, ...problems(404) },
    },
    async handler(request) {
      const group = await findOf(request)
      if (!group) throw notFound('Group')
      return group
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/rbac/groups',
    config: writing,
    schema: {
      tags,
      summary: 'Create a group: its members hold its roles',
      body: NewGroup,
      response: { 201: Group, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      const { group, touched } = await transact((tx) => createGroup(tx, caller, body, now))
      forgetAll(touched)
      return reply.code(201).send(group)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/rbac/groups/:id',
    config: changing,
    schema: {
      tags,
      summary: 'Change a group',
      params: IdParams,
      body: GroupChange,
      response: { 200: Group, ...problems(404, 409) },
    },
    async handler({ params: { id }, body: change, caller, transact }) {
      const { group, touched } = await transact((tx) => changeGroup(tx, caller, { id, change }))
      forgetAll(touched)
      return group
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/rbac/groups/:id/members',
    config: { ...changing, edits: '/v1/admin/rbac/groups/:id' },
    schema: {
      tags,
      summary: 'Set the members of a group',
      params: IdParams,
      body: Body({ memberIds: MemberIds }),
      response: { 200: Group, ...problems(404) },
    },
    async handler({ params: { id }, body: change, caller, transact }) {
      const { group, touched } = await transact((tx) => changeGroup(tx, caller, { id, change }))
      forgetAll(touched)
      return group
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/rbac/groups/:id',
    config: writing,
    schema: {
      tags,
      summary: 'Delete a group',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { id }, caller, transact }) {
      forgetAll(await transact((tx) => removeGroup(tx, caller, id)))
      return { id, deleted: true }
    },
  })
}
