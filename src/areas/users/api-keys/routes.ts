import { notFound, unauthorized, unprocessable } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { lockUser } from '../queries.ts'
import { assertInPerson, assertNotImpersonated } from '../rules.ts'
import { createApiKey } from './actions.ts'
import { countApiKeys, findApiKey, listApiKeys, revokeApiKey } from './queries.ts'
import { assertAddressRanges, expiryOf, MAX_KEYS } from './rules.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from './schema.ts'

const tags: Tag[] = ['Auth & Users']

export const apiKeyRoutes: Routes = (app, { forgetCallers }) => {
  app.route({
    method: 'GET',
    url: '/v1/api-keys',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List my API keys, newest first',
      querystring: PageQuery,
      response: { 200: Page(ApiKey) },
    },
    async handler({ caller, query, db }) {
      assertNotImpersonated(caller)
      return listApiKeys(db, caller, query)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/api-keys/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'One of my API keys',
      params: IdParams,
      response: { 200: ApiKey, ...problems(404) },
    },
    async handler({ caller, params: { id }, db }) {
      assertNotImpersonated(caller)
      const key = await findApiKey(db, { ...caller, id })
      if (!key) throw notFound('API key')
      return key
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/api-keys',
    config: { access: 'user', secretAnswer: true },
    schema: {
      tags,
      summary: 'Make an API key; it is shown in this answer only',
      description: 'Only somebody who is signed in makes keys: a key does not make further ones.',
      body: NewApiKey,
      response: { 201: CreatedApiKey, ...problems(422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      assertInPerson(caller)
      const { name = null, permission, allowedIps = [] } = body
      assertAddressRanges(allowedIps)
      const expiresAt = expiryOf(body.expiresAt ?? null, now)
      const key = await transact(async (tx) => {
        const user = await lockUser(tx, caller)
        if (!user || user.deletedAt) throw unauthorized()
        if ((await countApiKeys(tx, caller, now)) >= MAX_KEYS) {
          throw unprocessable(`You have ${MAX_KEYS} API keys already.`, 'too_many_api_keys')
        }
        return createApiKey(tx, caller, { name, permission, expiresAt, allowedIps }, now)
      })
      return reply.code(201).send(key)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/api-keys/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Revoke an API key: it stops working at once',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      assertNotImpersonated(caller)
      const revoked = await transact((tx) => revokeApiKey(tx, { ...caller, id }, now))
      if (!revoked) throw notFound('API key')
      forgetCallers({ credentialId: id })
      return { id, deleted: true }
    },
  })
}
