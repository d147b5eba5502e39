import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { unprocessable } from '#lib/problem.ts'
import { Deleted, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { OutboundError } from '#platform/outbound.ts'
import { openSetting } from '#tenants'
import { assertMayChangeCredentials } from '../auth/proof.ts'
import { assertNotImpersonated } from '../rules.ts'
import { connectionSettings } from '../settings.ts'
import { siteOf } from '../site.ts'
import { connect, disconnect, startConnection, useUpStarted } from './actions.ts'
import { type Application, discord } from './discord.ts'
import { enteredApplication } from './offered.ts'
import { listConnections } from './queries.ts'
import { type Outcome, returnUrl } from './rules.ts'
import { Connection, NewConnection, ProviderParams, Return, StartedConnection } from './schema.ts'

const tags: Tag[] = ['Auth & Users']
const url = '/v1/users/me/connections'

export const connectionRoutes: Routes = (app, deps) => {
  const { config, outbound, secrets, log } = deps
  const providerFor = (tenantId: string) =>
    discord(outbound.for({ tenantId, purpose: 'discord' }), config.discordUrl)

  app.route({
    method: 'GET',
    url,
    config: { access: 'user' },
    schema: { tags, summary: 'List my linked accounts', response: { 200: Page(Connection) } },
    async handler({ caller, db }) {
      assertNotImpersonated(caller)
      return { data: await listConnections(db, caller), nextCursor: null }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary:
        'Begin to link an account of another service; send the browser to the returned address',
      description:
        'The redirect back ends on `/account/security` with `provider` and `outcome` (`connected`, `denied`, `expired`, `taken`, `failed`). It can be used once, within ten minutes, with the same session or key and address. A key needs `currentPassword`, and a `code` where a second factor is set.',
      body: NewConnection,
      response: { 201: StartedConnection },
    },
    async handler(request, reply) {
      const { body, caller, db, ip, now, transact } = request
      assertNotImpersonated(caller)
      if (caller.via === 'apiKey') await assertMayChangeCredentials(request, secrets, body)
      const application = await applicationOf(db, caller.tenantId)
      if (!application) {
        throw unprocessable('This shop links no such accounts.', 'connection_not_offered')
      }
      const { origin } = await siteOf(deps, request)
      const redirectUri = `${origin}/v1/auth/connections/${body.provider}/callback`
      const wanted = { provider: body.provider, redirectUri, network: networkOf(ip) }
      const { expiresAt, ...started } = await transact((tx) =>
        startConnection(tx, secrets, caller, wanted, now),
      )
      const { clientId } = application
      const target = providerFor(caller.tenantId).authorizeUrl({
        clientId,
        redirectUri,
        ...started,
      })
      return reply.code(201).send({ provider: body.provider, url: target, expiresAt })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:provider`,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Remove a linked account',
      params: ProviderParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ caller, params, transact }) {
      assertNotImpersonated(caller)
      const { tenantId, userId } = caller
      const key = { tenantId, userId, provider: params.provider }
      const { id } = await transact((tx) => disconnect(tx, key))
      return { id, deleted: true }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/auth/connections/:provider/callback',
    config: { access: 'public', quota: 'auth', openQuery: true },
    schema: {
      tags,
      summary:
        'Receive the browser from the provider of a linked account, and redirect it to the account page',
      params: ProviderParams,
      querystring: Return,
      response: { 303: Type.Null({ description: 'To the page of connections' }) },
    },
    async handler(request, reply) {
      const { origin } = await siteOf(deps, request)
      const outcome = await finish(request, request.query)
      return reply.redirect(returnUrl(origin, request.params.provider, outcome), 303)
    },
  })

  /** Handles the return from the provider: checks who began, asks the provider, then links the account. */
  async function finish(
    { tenantId, db, ip, now, transact }: FastifyRequest,
    { code, state, error }: { code?: string; state?: string; error?: string },
  ): Promise<Outcome> {
    if (state === undefined) return 'expired'
    const back = { tenantId, state, network: networkOf(ip) }
    const started = await transact((tx) => useUpStarted(tx, secrets, back, now))
    if (!started) return 'expired'
    if (error !== undefined) return error === 'access_denied' ? 'denied' : 'failed'
    const application = await applicationOf(db, tenantId)
    if (!application || code === undefined) return 'failed'
    const { verifier, redirectUri, ...link } = started
    try {
      const account = await providerFor(tenantId).accountOf(application, {
        code,
        verifier,
        redirectUri,
      })
      if (!account) return 'failed'
      const connected = await transact((tx) => connect(tx, { ...link, account }, now))
      return connected ? 'connected' : 'taken'
    } catch (failure) {
      if (!(failure instanceof OutboundError)) throw failure
      log.warn({ err: failure }, 'an account could not be linked')
      return 'failed'
    }
  }

  async function applicationOf(db: Db, tenantId: string): Promise<Application | null> {
    const section = connectionSettings.name
    const { clientId, sealed } = await enteredApplication(db, tenantId)
    const field = 'discordClientSecret'
    const clientSecret = openSetting(secrets, { tenantId, section, field }, sealed)
    return clientId && clientSecret ? { clientId, clientSecret } : null
  }
}
