import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf } from '#tenants'
import { findNode } from '../nodes/queries.ts'
import { issueDaemonToken, revokeDaemonToken } from './actions.ts'
import { listTokens } from './queries.ts'
import { DaemonToken, NewDaemonToken, ShownDaemonToken, TokenParams } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/nodes/:id'
const writing = { access: 'admin', permission: 'nodes:write' } as const

/** The tokens with which the daemons of a panel's machines authenticate to us. */
export const daemonTokenRoutes: Routes = (app, { config, forgetCallers }) => {
  app.route({
    method: 'POST',
    url: `${url}/daemon-token`,
    config: { ...writing, secretAnswer: true, exists: nodeIn },
    schema: {
      tags,
      operationId: 'admin.nodes.daemonTokens.create',
      summary: 'Create a daemon token, shown once; existing tokens stay valid for a grace period',
      description:
        'Without `token` a new one is made. 409 `daemon_token_taken` for a token of another connection.',
      params: IdParams,
      body: NewDaemonToken,
      response: { 201: ShownDaemonToken, ...problems(404, 409) },
    },
    async handler({ body, params, tenantId, db, now, transact }, reply) {
      const key = { tenantId, nodeId: params.id }
      const { row, token, changed } = await transact((tx) => issueDaemonToken(tx, key, body, now))
      for (const credentialId of changed) forgetCallers({ credentialId })
      reply.code(201)
      const origin = await originOf(db, config, tenantId)
      return { ...row, token, remote: `${origin}/v1/panel` }
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/daemon-tokens`,
    config: { access: 'admin', permission: 'nodes:read' },
    schema: {
      tags,
      summary: 'List the valid daemon tokens of a panel connection, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(DaemonToken), ...problems(404) },
    },
    async handler(request) {
      const { db, tenantId, params, query, now } = request
      if (!(await nodeIn(request))) throw notFound('Node')
      return listTokens(db, { tenantId, nodeId: params.id }, { ...query, now })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/daemon-tokens/:daemonTokenId`,
    config: writing,
    schema: {
      tags,
      summary: 'Revoke a daemon token at once',
      params: TokenParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { id: nodeId, daemonTokenId: id }, tenantId, transact }) {
      const gone = await transact((tx) => revokeDaemonToken(tx, { tenantId, nodeId, id }))
      forgetCallers({ credentialId: id })
      return gone
    },
  })
}

function nodeIn({ db, tenantId, params }: Pick<FastifyRequest, 'db' | 'tenantId' | 'params'>) {
  return findNode(db, { tenantId, ...(params as Static<typeof IdParams>) })
}
