import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changeToken, createToken, revokeToken } from './actions.ts'
import { findToken, listTokens } from './queries.ts'
import { BotToken, BotTokenChange, CreatedBotToken, NewBotToken } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/bot-tokens'
const reading = { access: 'admin', permission: 'bot:read' } as const
const writing = { access: 'admin', permission: 'bot:write' } as const

function tokenIn({ db, tenantId, params }: Pick<FastifyRequest, 'db' | 'tenantId' | 'params'>) {
  return findToken(db, { tenantId, ...(params as Static<typeof IdParams>) })
}

/** The tokens with which bots use our API. */
export const tokenRoutes: Routes = (app, { forgetCallers }) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List the tokens of bots that were not revoked, newest first',
      querystring: PageQuery,
      response: { 200: Page(BotToken) },
    },
    handler: async ({ db, tenantId, query }) => listTokens(db, tenantId, query),
  })

  app.route({
    method: 'POST',
    url,
    config: { ...writing, secretAnswer: true },
    schema: {
      tags,
      summary: 'Create a bot token; it is shown in this answer only',
      description:
        'Notifications are listed for it from now on. 422 `expires_in_the_past` and `address_invalid`.',
      body: NewBotToken,
      response: { 201: CreatedBotToken, ...problems(422) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createToken(tx, tenantId, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'One token of a bot',
      params: IdParams,
      response: { 200: BotToken, ...problems(404) },
    },
    async handler(request) {
      const token = await tokenIn(request)
      if (!token) throw notFound('Bot token')
      return token
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: tokenIn },
    schema: {
      tags,
      summary: 'Change the name, scopes, addresses or end of a token',
      description: '422 `expires_in_the_past` and `address_invalid`.',
      params: IdParams,
      body: BotTokenChange,
      response: { 200: BotToken, ...problems(404, 422) },
    },
    async handler({ params: { id }, body, tenantId, now, transact }) {
      const changed = await transact((tx) => changeToken(tx, { tenantId, id }, body, now))
      forgetCallers({ credentialId: id })
      return changed
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Revoke a token: it stops working at once',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { id }, tenantId, now, transact }) {
      const gone = await transact((tx) => revokeToken(tx, { tenantId, id }, now))
      forgetCallers({ credentialId: id })
      return gone
    },
  })
}
