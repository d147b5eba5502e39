import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { tooManyRequests } from '#lib/problem.ts'
import { Body, OneOf } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertOwnOrigin } from '#platform/pages/origin.ts'
import { showStandardErrors } from './errors.ts'
import { BASE } from './issuer.ts'
import { answerBy } from './mount.ts'
import { providersOf } from './providers.ts'

const tags: Tag[] = ['OIDC']
const open = { access: 'public', openQuery: true } as const
const guarded = {
  access: 'public',
  openQuery: true,
  quota: 'auth',
  credential: 'oauthClient',
} as const
const hidden = { access: 'public', hidden: true } as const

const FORM = 'application/x-www-form-urlencoded'
const text = (description: string) => Type.Optional(Type.String({ description }))
const Answer = Type.Unsafe<object>({ type: 'object', additionalProperties: true })
const Text = Type.Unsafe<object>({ type: 'string' })
const Redirection = Type.Unsafe<object>({
  type: 'string',
  description: 'To the sign-in page, or back with a code',
})

const Credentials = {
  client_id: text('Required unless sent in the `Authorization` header'),
  client_secret: text('Required unless sent in the `Authorization` header'),
}
const Token = {
  token: text('The token it is about'),
  token_type_hint: text('`access_token` or `refresh_token`'),
}

const AuthorizationQuery = Type.Object({
  client_id: text('The application'),
  response_type: text('`code`'),
  redirect_uri: text('One of the addresses of the application, exactly as it was registered'),
  scope: text('`openid`, and `profile`, `email`, `offline_access`, `services` as wanted'),
  state: text('Comes back as it is'),
  nonce: text('Comes back in the ID token'),
  code_challenge: text('PKCE (RFC 7636), wanted of every application'),
  code_challenge_method: text('`S256`'),
  prompt: text('`none`, `login`, `consent`; `offline_access` requires `consent`'),
  // The other response modes need scripts, or put the code where scripts of the page can read it.
  response_mode: Type.Optional(OneOf(['query'])),
  ui_locales: text('Languages in order, such as `de en`'),
})

const TokenForm = Body({
  ...Credentials,
  grant_type: text('`authorization_code` or `refresh_token`'),
  code: text('What came back to the redirect address'),
  redirect_uri: text('The same as before'),
  code_verifier: text('What the challenge was made of'),
  refresh_token: text('The newest one'),
  scope: text('Less than before, if less is wanted'),
})

const LogoutQuery = Type.Object({
  id_token_hint: text('An ID token of the application'),
  client_id: text('The application, where there is no ID token'),
  post_logout_redirect_uri: text('One of its logout addresses, exactly as it was registered'),
  state: text('Comes back as it is'),
})

/** The provider's own endpoints (OpenID Connect Core, RFC 6749, 7009, 7662), answered by the library. */
export const providerRoutes: Routes = (app, deps) => {
  const providerFor = providersOf(deps)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return answerBy(await providerFor(request), request, reply)
  }

  showStandardErrors(app)
  // The library reads forms by itself.
  app.addContentTypeParser(FORM, (_request, _payload, done) => done(null))

  app.route({
    method: 'GET',
    url: `${BASE}/.well-known/openid-configuration`,
    config: open,
    schema: {
      tags,
      summary: 'Get the discovery document of this OpenID provider',
      response: { 200: Answer },
    },
    handler: answer,
  })

  app.route({
    method: 'GET',
    url: `${BASE}/jwks`,
    config: open,
    schema: {
      tags,
      summary: 'The keys that ID tokens are signed with',
      produces: ['application/jwk-set+json'],
      response: { 200: Answer },
    },
    handler: answer,
  })

  app.route({
    method: 'GET',
    url: `${BASE}/auth`,
    config: open,
    schema: {
      tags,
      summary: 'Authorization endpoint: sign a person in for an application, in the browser',
      querystring: AuthorizationQuery,
      response: { 303: Redirection },
    },
    handler: answer,
  })

  app.route({ method: 'GET', url: `${BASE}/auth/:uid`, config: hidden, handler: answer })

  app.route({
    method: 'POST',
    url: `${BASE}/token`,
    config: guarded,
    schema: {
      tags,
      summary: 'Exchange a code or a refresh token for tokens',
      description: 'A code works once; a refresh token is replaced each time it is used.',
      consumes: [FORM],
      body: TokenForm,
      response: { 200: Answer, ...problems(401) },
    },
    handler: answer,
  })

  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: `${BASE}/userinfo`,
      config: { ...open, credential: 'oidc' },
      schema: {
        tags,
        ...(method === 'POST' && { operationId: 'oidc.userinfo.post' }),
        summary: 'Get the claims of the person that the access token covers',
        ...(method === 'POST' && {
          consumes: [FORM],
          body: Body({ access_token: text('Required unless sent in the `Authorization` header') }),
        }),
        response: { 200: Answer, ...problems(401, 403) },
      },
      handler: answer,
    })
  }

  app.route({
    method: 'POST',
    url: `${BASE}/introspection`,
    config: { ...open, credential: 'oauthClient' },
    schema: {
      tags,
      summary: 'Get whether a token of the application is active',
      description: 'Needs the secret of the application.',
      consumes: [FORM],
      body: Body({ ...Credentials, ...Token }),
      response: { 200: Answer, ...problems(401) },
    },
    // Called often by clients with the right secret: only wrong secrets count against the quota.
    async handler(request, reply) {
      const { remaining, resetSeconds } = await deps.limiter.ask('auth', request.ip)
      if (remaining === 0) throw tooManyRequests(resetSeconds)
      await answer(request, reply)
      if (reply.statusCode === 401) await request.spendAuthQuota()
      return reply
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/revocation`,
    config: guarded,
    schema: {
      tags,
      summary: 'Revoke a token and all others of its sign-in',
      description: 'Answers 200 for an unknown token too.',
      consumes: [FORM],
      body: Body({ ...Credentials, ...Token }),
      response: {
        200: Text,
        ...problems(401),
      },
    },
    handler: answer,
  })

  app.route({
    method: 'GET',
    url: `${BASE}/logout`,
    config: open,
    schema: {
      tags,
      summary: 'Sign out in the browser, after a confirmation',
      querystring: LogoutQuery,
      produces: ['text/html'],
      response: { 200: Text },
    },
    handler: answer,
  })

  app.route({
    method: 'POST',
    url: `${BASE}/logout/confirm`,
    config: hidden,
    onRequest: async (request) => {
      assertOwnOrigin(request, (await providerFor(request)).provider.issuer)
    },
    handler: answer,
  })

  app.route({ method: 'GET', url: `${BASE}/logout/success`, config: hidden, handler: answer })
}
