import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changeMapping, createMapping, removeMapping } from './actions.ts'
import { findMapping, listMappings } from './queries.ts'
import { NewRoleMapping, RoleMapping, RoleMappingChange } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/bot/role-mappings'
const reading = { access: 'admin', permission: 'bot:read' } as const
const writing = { access: 'admin', permission: 'bot:write' } as const

function mappingIn({ db, tenantId, params }: Pick<FastifyRequest, 'db' | 'tenantId' | 'params'>) {
  return findMapping(db, { tenantId, ...(params as Static<typeof IdParams>) })
}

/** Mappings decide who gets which role at Discord. */
export const mappingRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List the role mappings for Discord, newest first',
      querystring: PageQuery,
      response: { 200: Page(RoleMapping) },
    },
    handler: async ({ db, tenantId, query }) => listMappings(db, tenantId, query),
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Map a condition in the shop to a role on Discord',
      description:
        'Members who meet the condition get the role through the feed of role changes. 409 `role_mapping_exists`, 422 `source_unknown` and `too_many_role_mappings`.',
      body: NewRoleMapping,
      response: { 201: RoleMapping, ...problems(409, 422) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createMapping(tx, tenantId, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'One role mapping',
      params: IdParams,
      response: { 200: RoleMapping, ...problems(404) },
    },
    async handler(request) {
      const mapping = await mappingIn(request)
      if (!mapping) throw notFound('Role mapping')
      return mapping
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: mappingIn },
    schema: {
      tags,
      summary: 'Change a role mapping; what follows for members goes into the feed',
      description: '409 `role_mapping_exists`, 422 `source_unknown`.',
      params: IdParams,
      body: RoleMappingChange,
      response: { 200: RoleMapping, ...problems(404, 409, 422) },
    },
    handler: ({ params: { id }, body, tenantId, transact }) =>
      transact((tx) => changeMapping(tx, { tenantId, id }, body)),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Delete a role mapping; members without another mapping lose the role',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: ({ params: { id }, tenantId, transact }) =>
      transact((tx) => removeMapping(tx, { tenantId, id })),
  })
}
