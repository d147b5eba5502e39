import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changeClient, createClient, removeClient, rotateSecret } from './actions.ts'
import { findClient, listClients } from './queries.ts'
import { clientView } from './rules.ts'
import { Client, ClientChange, NewClient } from './schema.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']
const read = { access: 'admin', permission: 'oauth:read' } as const
const write = { access: 'admin', permission: 'oauth:write' } as const

/** The administration of the applications that sign people in through this shop. */
export const clientRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/oauth-clients',
    config: read,
    schema: {
      tags,
      summary: 'List OAuth clients, newest first; secrets are masked',
      querystring: PageQuery,
      response: { 200: Page(Client) },
    },
    async handler({ query, tenantId, db, now }) {
      const page = await listClients(db, tenantId, query)
      return { ...page, data: page.data.map((client) => clientView(client, now)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/oauth-clients',
    config: { ...write, secretAnswer: true },
    schema: {
      tags,
      summary: 'Create an OAuth client; its secret is shown this once',
      description:
        'Public clients have no secret and need PKCE. 400 for an address that is neither https nor a loopback address.',
      body: NewClient,
      response: { 201: Client },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createClient(tx, caller, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/oauth-clients/:id',
    config: read,
    schema: {
      tags,
      summary: 'Get an OAuth client; its secret is masked',
      params: IdParams,
      response: { 200: Client },
    },
    async handler({ params, tenantId, db, now }) {
      const client = await findClient(db, { tenantId, ...params })
      if (!client) throw notFound('OAuth client')
      return clientView(client, now)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/oauth-clients/:id',
    config: {
      ...write,
      exists: ({ db, tenantId, params }) =>
        findClient(db, { tenantId, ...(params as Static<typeof IdParams>) }),
    },
    schema: {
      tags,
      summary: 'Change an OAuth client',
      description:
        '`redirectUris`, `postLogoutRedirectUris` and `scopes` replace the lists. 422 `client_type_fixed`.',
      params: IdParams,
      body: ClientChange,
      response: { 200: Client },
    },
    handler: ({ params, body, tenantId, now, transact }) =>
      transact((tx) => changeClient(tx, { tenantId, ...params }, body, now)),
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/oauth-clients/:id',
    config: write,
    schema: {
      tags,
      summary: 'Delete an OAuth client',
      description: 'Its secrets and tokens stop working at once.',
      params: IdParams,
      response: { 200: Deleted },
    },
    handler: ({ params, tenantId, transact }) =>
      transact((tx) => removeClient(tx, { tenantId, ...params })),
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/oauth-clients/:id/rotate-secret',
    config: { ...write, secretAnswer: true },
    schema: {
      tags,
      summary: 'Rotate the secret of an OAuth client; the new one is shown only once',
      description:
        'The old one stays valid for `secretOverlapSeconds` of the client, by default not at all. 422 `public_client`.',
      params: IdParams,
      response: { 200: Client },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact((tx) => rotateSecret(tx, { tenantId, ...params }, now)),
  })
}
