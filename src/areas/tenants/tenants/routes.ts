import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page } from '#lib/schema.ts'
import { asTenant, type Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import { problems } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { hostsOf } from '../hosts.ts'
import { findTenant, type TenantRow } from '../queries.ts'
import { assertPlatform } from './access.ts'
import { changeTenant } from './actions.ts'
import { listDomains, listTenants, lockTenant } from './queries.ts'
import { tenantView, urlUnder } from './rules.ts'
import { Tenant, TenantChange, TenantQuery } from './schema.ts'

const idOf = ({ params }: FastifyRequest) => (params as Static<typeof IdParams>).id

const tags: Tag[] = ['Admin - Settings & Tenants']
const read = { access: 'admin', permission: 'tenants:read' } as const
const write = { access: 'admin', permission: 'tenants:write' } as const

/** How the platform's staff manage tenants; creating one is part of its setup. */
export const tenantRoutes: Routes = (app, { database, config }) => {
  const { everywhere } = database
  app.addHook('preValidation', assertPlatform)

  app.route({
    method: 'GET',
    url: '/v1/admin/tenants',
    config: read,
    schema: {
      tags,
      summary: 'List tenants, newest first; for staff of the platform',
      querystring: TenantQuery,
      response: { 200: Page(Tenant) },
    },
    async handler({ query }) {
      const page = await listTenants(everywhere, query)
      return { ...page, data: await viewsOf(everywhere, page.data) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/tenants/:id',
    config: read,
    schema: {
      tags,
      summary: 'Get a tenant',
      params: IdParams,
      response: { 200: Tenant },
    },
    async handler({ params: { id } }) {
      const tenant = await findTenant(everywhere, id)
      const [view] = await viewsOf(everywhere, tenant ? [tenant] : [])
      if (!view) throw notFound('Tenant')
      return view
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/tenants/:id',
    config: {
      ...write,
      async exists(request) {
        await assertPlatform(request)
        return findTenant(everywhere, idOf(request))
      },
      current: (tx, request) =>
        asTenant(tx, idOf(request), async () => {
          const tenant = await lockTenant(tx, idOf(request))
          const [view] = await viewsOf(tx, tenant ? [tenant] : [])
          if (!view) throw notFound('Tenant')
          return view
        }),
    },
    schema: {
      tags,
      summary: 'Change a tenant: name, domains, brand, seller, status',
      description:
        'In `brand` and `seller` only the given fields change; `domains` are replaced. A suspended shop is ' +
        'served to its staff only (503 to others); a closed one answers 404 to every caller.',
      params: IdParams,
      body: TenantChange,
      response: { 200: Tenant, ...problems(409, 422) },
    },
    async handler({ params, body, now, transact }) {
      const changed = await transact((tx) => changeTenant(tx, config, { ...body, ...params }, now))
      hostsOf(database).forget()
      return changed
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/tenants/:id',
    config: write,
    schema: {
      tags,
      summary: 'Close a tenant: it is no longer served, and all its data is kept',
      description:
        'From then on its domains answer 404. 409 `default_tenant` for the tenant of the installation. A change of `status` opens it again.',
      params: IdParams,
      response: { 200: Deleted, ...problems(409) },
    },
    async handler({ params: { id }, now, transact }) {
      await transact((tx) => changeTenant(tx, config, { id, status: 'closed' }, now))
      hostsOf(database).forget()
      return { id, deleted: true }
    },
  })

  async function viewsOf(db: Db, rows: readonly TenantRow[]): Promise<Tenant[]> {
    const domains = await listDomains(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => {
      const own = domains.get(row.id) ?? []
      const url = urlUnder(config.publicUrl, row.isDefault ? undefined : own[0])
      return tenantView(row, { domains: own, url })
    })
  }
}
