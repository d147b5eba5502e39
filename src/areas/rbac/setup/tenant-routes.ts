import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Resource, Timestamp } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  assertPlatform,
  createTenant,
  findTenant,
  NewTenant,
  originOf,
  TenantFields,
} from '#tenants'
import { renewSetup, setupEnd } from './actions.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']
const config = { access: 'admin', permission: 'tenants:write', secretAnswer: true } as const

const Setup = Resource('SetupLink', {
  url: Type.String({ description: 'A page of the shop that makes its first administrator' }),
  token: Type.String({ description: 'For POST /v1/setup on the shop’s own host; works once' }),
  expiresAt: Timestamp,
})

/** How a new tenant gets its first administrator, who invites everybody else. */
export const tenantSetupRoutes: Routes = (app, deps) => {
  const { database } = deps
  app.addHook('preValidation', assertPlatform)

  app.route({
    method: 'POST',
    url: '/v1/admin/tenants',
    config,
    schema: {
      tags,
      summary: 'Add a tenant; the link for its first administrator is shown this once',
      description:
        'Opens a shop of its own under its `domains`; its staff see nothing of other tenants. 409 `domain_taken` for a host name of another shop.',
      body: NewTenant,
      response: {
        201: Resource('CreatedTenant', { ...TenantFields, setup: Setup }),
        ...problems(409, 422),
      },
    },
    async handler({ body, now, transact }, reply) {
      const made = await transact(async (tx) => {
        const tenant = await createTenant(tx, deps.config, body, now)
        const token = await renewSetup(tx, tenant.id, now)
        const setup = { token, url: `${tenant.url}/setup#${token}`, expiresAt: setupEnd(now) }
        return { ...tenant, setup }
      })
      return reply.code(201).send(made)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/tenants/:id/setup-link',
    config: {
      ...config,
      async exists(request) {
        await assertPlatform(request)
        return findTenant(database.everywhere, (request.params as Static<typeof IdParams>).id)
      },
    },
    schema: {
      tags,
      summary:
        'Create a new setup link for the first administrator of a tenant; the previous one is revoked',
      description:
        'It is valid for seven days. 409 `has_administrator` for a tenant that has an owner.',
      params: IdParams,
      response: { 200: Setup, ...problems(409) },
    },
    async handler({ params: { id }, now, transact }) {
      if (!(await findTenant(database.everywhere, id))) throw notFound('Tenant')
      const origin = await originOf(database.everywhere, deps.config, id)
      const token = await transact((tx) => renewSetup(tx, id, now))
      return { token, url: `${origin}/setup#${token}`, expiresAt: setupEnd(now) }
    },
  })
}
