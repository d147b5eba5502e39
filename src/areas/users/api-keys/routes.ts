import type { Caller } from '#lib/caller.ts'
import { notFound, unauthorized, unprocessable } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { settingsOf } from '#tenants'
import { spendAllowance } from '../allowances/actions.ts'
import { lockUser } from '../queries.ts'
import { assertNotImpersonated } from '../rules.ts'
import { securitySettings } from '../settings.ts'
import { createApiKey } from './actions.ts'
import { countApiKeys, findApiKey, listApiKeys, revokeApiKey } from './queries.ts'
import { assertAddressRanges, boundedBy, expiryOf } from './rules.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from './schema.ts'

/** API keys that one person may create in a day: keys that are created and revoked in turn leave their rows. */
const DAILY = 100

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
      summary: 'Create an API key; it is shown in this answer only',
      description:
        'A key created with another key is revoked with it, expires no later, and is limited to its addresses.',
      body: NewApiKey,
      response: { 201: CreatedApiKey, ...problems(422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      assertNotImpersonated(caller)
      const { name = null, permission, allowedIps = [] } = body
      assertAddressRanges(allowedIps)
      const expiresAt = expiryOf(body.expiresAt ?? null, now)
      const key = await transact(async (tx) => {
        const user = await lockUser(tx, caller)
        if (!user || user.deletedAt) throw unauthorized()
        const { apiKeysPerPerson: most } = await settingsOf(tx, caller.tenantId, securitySettings)
        if ((await countApiKeys(tx, caller, now)) >= most) {
          throw unprocessable(`You already have ${most} API keys.`, 'too_many_api_keys')
        }
        const { tenantId, userId: subject } = caller
        await spendAllowance(tx, { tenantId, kind: 'created-api-keys', subject }, DAILY, now)
        const parent = await parentOf(tx, caller, now)
        const wanted = boundedBy(parent, { expiresAt, allowedIps })
        return createApiKey(tx, caller, { name, permission, ...wanted }, now)
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
      summary: 'Revoke an API key: it stops working at once, and so do the keys made with it',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      assertNotImpersonated(caller)
      const revoked = await transact(async (tx) => {
        // A key that is being created with this one either waits for this lock or is already visible.
        await lockUser(tx, caller)
        return revokeApiKey(tx, { ...caller, id }, now)
      })
      if (!revoked) throw notFound('API key')
      forgetCallers({ userId: caller.userId })
      return { id, deleted: true }
    },
  })
}

/** The key that is used to create another one; null for a session. Throws 401 if it has ended meanwhile. */
async function parentOf(tx: Tx, caller: Caller, now: Instant) {
  if (caller.via !== 'apiKey') return null
  const parent = await findApiKey(tx, { ...caller, id: caller.credentialId })
  if (!parent || (parent.expiresAt !== null && parent.expiresAt <= now)) throw unauthorized()
  return parent
}
