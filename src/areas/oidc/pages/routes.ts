import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { gone, Problem } from '#lib/problem.ts'
import { Body, Email } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { readForms } from '#platform/pages/form.ts'
import { assertOwnOrigin } from '#platform/pages/origin.ts'
import {
  assertionIn,
  findUser,
  finishWithCode,
  sendLink,
  signInWithPasskey,
  signInWithPassword,
} from '#users'
import { findClient } from '../clients/queries.ts'
import { during } from '../provider/current.ts'
import { BASE } from '../provider/issuer.ts'
import { sendPage, settingFor } from '../provider/pages.ts'
import { CONFIRM_EMAIL } from '../provider/policy.ts'
import type { TenantProvider } from '../provider/provider.ts'
import { providersOf } from '../provider/providers.ts'
import {
  codePage,
  confirmEmailPage,
  consentPage,
  type LoginFault,
  loginPage,
  problemPage,
} from './pages.ts'

const Params = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{10,100}$' }) })
const Login = Body({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
})

const SecondStep = Body({
  mfaToken: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.String({ minLength: 1, maxLength: 50 }),
  passkey: Type.Optional(Type.Literal('1')),
})

const PasskeyStep = Body({
  mfaToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  response: Type.String({ minLength: 1, maxLength: 12_000 }),
})

/** The pages on which people sign in and give applications their consent; plain forms throughout. */
export const interactionRoutes: Routes = (app, deps) => {
  const providerFor = providersOf(deps)
  readForms(app)

  // Errors are shown as a page, because a person reads them, unless the client does not accept HTML.
  app.setErrorHandler(async (error, request, reply) => {
    const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '')
    if (!wantsPage || !(error instanceof Problem) || error.statusCode >= 500) throw error
    const setting = await settingFor(request.db, request.tenantId, localeFacts(request))
    return sendPage(
      reply.code(error.statusCode).headers(error.headers),
      problemPage(setting, error.statusCode),
    )
  })

  const own = {
    onRequest: async (request: FastifyRequest) => {
      if (request.method !== 'POST') return
      assertOwnOrigin(request, (await providerFor(request)).provider.issuer)
    },
    schema: { params: Params },
  }

  app.route({
    method: 'GET',
    url: `${BASE}/interaction/:uid`,
    config: { access: 'public', hidden: true },
    ...own,
    async handler(request, reply) {
      const it = await interactionOf(await providerFor(request), request, reply)
      const { interaction } = it
      if (interaction.prompt.name === 'login') {
        const hint = interaction.params.login_hint
        const email = typeof hint === 'string' ? hint : ''
        return sendPage(reply, loginPage(it.setting, it.shown, { email }))
      }
      const user = await personOf(request, interaction)
      if (interaction.prompt.name === CONFIRM_EMAIL) {
        return sendPage(reply, confirmEmailPage(it.setting, it.shown, user))
      }
      const facts = { email: user.email, scopes: wantedScopes(interaction) }
      return sendPage(reply, consentPage(it.setting, it.shown, facts))
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/login`,
    config: { access: 'public', hidden: true, quota: 'auth' },
    ...own,
    schema: { params: Params, body: Login },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      const it = await interactionOf(tenant, request, reply)
      if (it.interaction.prompt.name !== 'login') throw expired()
      const { email } = request.body
      const again = (fault: LoginFault) =>
        sendPage(reply.code(401), loginPage(it.setting, it.shown, { email, fault }))
      const step = await signInWithPassword(deps, request, request.body).catch(faultIn)
      if (typeof step === 'string') return again(step)
      if (step.status === 'signed_in')
        return signIn(tenant, request, reply, { ...step, amr: ['pwd'] })
      const codes = step.methods.some((method) => method !== 'passkey')
      const shown = { token: step.mfaToken, codes, passkey: step.methods.includes('passkey') }
      return sendPage(reply, codePage(it.setting, it.shown, shown))
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/code`,
    config: { access: 'public', hidden: true, quota: 'auth' },
    ...own,
    schema: { params: Params, body: SecondStep },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      const it = await interactionOf(tenant, request, reply)
      if (it.interaction.prompt.name !== 'login') throw expired()
      const step = await finishWithCode(deps, request, request.body).catch(faultIn)
      if (step === 'suspended' || step === 'unconfirmed') {
        return sendPage(reply.code(401), loginPage(it.setting, it.shown, { fault: step }))
      }
      if (typeof step === 'string') {
        const { mfaToken: token, passkey } = request.body
        const asked = { token, codes: true, passkey: passkey !== undefined, wrong: true }
        const page = codePage(it.setting, it.shown, asked)
        return sendPage(reply.code(401), page)
      }
      return signIn(tenant, request, reply, { ...step, amr: ['pwd', 'mfa'] })
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/passkey`,
    config: { access: 'public', hidden: true, quota: 'auth' },
    ...own,
    schema: { params: Params, body: PasskeyStep },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      const it = await interactionOf(tenant, request, reply)
      if (it.interaction.prompt.name !== 'login') throw expired()
      const { mfaToken } = request.body
      const response = assertionIn(request.body.response)
      const step = await signInWithPasskey(deps, request, { mfaToken, response }).catch(faultIn)
      if (typeof step === 'string') {
        const fault = step === 'wrong' ? 'wrongPasskey' : step
        return sendPage(reply.code(401), loginPage(it.setting, it.shown, { fault }))
      }
      const first = mfaToken === undefined ? 'user' : 'pwd'
      return signIn(tenant, request, reply, { ...step, amr: [first, 'pop', 'mfa'] })
    },
  })

  // If the shop confirms addresses before the first sign-in: the same answer for every address.
  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/send-link`,
    config: { access: 'public', hidden: true, quota: 'auth' },
    ...own,
    schema: { params: Params, body: Body({ email: Email }) },
    async handler(request, reply) {
      const it = await interactionOf(await providerFor(request), request, reply)
      if (it.interaction.prompt.name !== 'login') throw expired()
      const { tenantId, body } = request
      const email = body.email.toLowerCase()
      await request.transact((tx) => enqueue(tx, sendLink, { tenantId, email, purpose: 'verify' }))
      return sendPage(reply, loginPage(it.setting, it.shown, { email, sent: true }))
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/confirm`,
    config: { access: 'public', hidden: true, quota: 'auth' },
    ...own,
    schema: { params: Params, body: Body({}) },
    async handler(request, reply) {
      const it = await interactionOf(await providerFor(request), request, reply)
      if (it.interaction.prompt.name !== CONFIRM_EMAIL) throw expired()
      const { email } = await personOf(request, it.interaction)
      const { tenantId } = request
      await request.transact((tx) => enqueue(tx, sendLink, { tenantId, email, purpose: 'verify' }))
      return sendPage(reply, confirmEmailPage(it.setting, it.shown, { email, sent: true }))
    },
  })

  // The policy of the sign-in decides whether the address is confirmed by now.
  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/continue`,
    config: { access: 'public', hidden: true },
    ...own,
    schema: { params: Params, body: Body({}) },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      const { interaction } = await interactionOf(tenant, request, reply)
      if (interaction.prompt.name !== CONFIRM_EMAIL) throw expired()
      return proceed(tenant, request, reply, {})
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/consent`,
    config: { access: 'public', hidden: true },
    ...own,
    schema: { params: Params, body: Body({}) },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      const { interaction } = await interactionOf(tenant, request, reply)
      const { prompt, session, params, grantId } = interaction
      if (prompt.name !== 'consent' || !session) throw expired()
      const { Grant } = tenant.provider
      const known = grantId ? await Grant.find(grantId) : undefined
      const { accountId } = session
      const grant = known ?? new Grant({ accountId, clientId: String(params.client_id) })
      grant.addOIDCScope(wantedScopes(interaction).join(' '))
      const consent = { grantId: await during(request, () => grant.save()) }
      return proceed(tenant, request, reply, { consent })
    },
  })

  app.route({
    method: 'POST',
    url: `${BASE}/interaction/:uid/cancel`,
    config: { access: 'public', hidden: true },
    ...own,
    schema: { params: Params, body: Body({}) },
    async handler(request, reply) {
      const tenant = await providerFor(request)
      await interactionOf(tenant, request, reply)
      const description = 'the person did not agree'
      return proceed(tenant, request, reply, {
        error: 'access_denied',
        error_description: description,
      })
    },
  })

  /** The sign-in that the URL names, if it belongs to this browser. Throws 410 if it is over. */
  async function interactionOf(
    { provider }: TenantProvider,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { db, tenantId } = request
    const { uid } = request.params as Static<typeof Params>
    const interaction = await provider
      .interactionDetails(request.raw, reply.raw)
      .catch(async (error: unknown) => {
        const { errors } = await import('oidc-provider')
        throw error instanceof errors.SessionNotFound ? expired() : error
      })
    if (interaction.uid !== uid) throw expired()
    const { client_id, redirect_uri, ui_locales } = interaction.params
    const client = await findClient(db, { tenantId, id: String(client_id) })
    if (!client) throw expired()
    const setting = await settingFor(db, tenantId, {
      ...localeFacts(request),
      asked: ui_locales,
    })
    const address = `${BASE}/interaction/${uid}`
    const shown = { address, application: client.name, leadsTo: [String(redirect_uri)] }
    return { interaction, setting, shown }
  }

  /** Continues for a person who has shown everything required; tokens will depend on their session. */
  function signIn(
    tenant: TenantProvider,
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, sessionId, amr }: { userId: string; sessionId: string; amr: string[] },
  ): Promise<FastifyReply> {
    const login = { accountId: userId, userSessionId: sessionId, amr }
    return proceed(tenant, request, reply, { login })
  }

  /** Stores the person's decision, and redirects the browser: always to one of our own URLs. */
  async function proceed(
    { provider }: TenantProvider,
    request: FastifyRequest,
    reply: FastifyReply,
    result: Parameters<typeof provider.interactionResult>[2],
  ): Promise<FastifyReply> {
    // A consent is added to the sign-in before it; a sign-in replaces what came before.
    const options = { mergeWithLastSubmission: !result.login }
    const next = await during(request, () =>
      provider.interactionResult(request.raw, reply.raw, result, options),
    )
    return reply.redirect(next, 303)
  }
}

/** The person who signs in. Throws 410 if their account is deleted. */
async function personOf(
  { db, tenantId }: FastifyRequest,
  { session }: { session?: { accountId?: string | undefined } | undefined },
) {
  const user = await findUser(db, { tenantId, userId: session?.accountId ?? '' })
  if (!user) throw expired()
  return user
}

type Asked = { params: Record<string, unknown>; prompt: { details: Record<string, unknown> } }

/** The scopes that an application requests and does not have yet. */
function wantedScopes({ prompt }: Asked): string[] {
  const { missingOIDCScope } = prompt.details
  return Array.isArray(missingOIDCScope) ? missingOIDCScope.map(String) : []
}

/** The reason a page shows for a refused sign-in. Throws errors that are not a refusal. */
function faultIn(error: unknown): LoginFault {
  if (error instanceof Problem && error.code === 'account_suspended') return 'suspended'
  if (error instanceof Problem && error.code === 'sign_in_failed') return 'unconfirmed'
  if (error instanceof Problem && error.statusCode === 401) return 'wrong'
  throw error
}

function localeFacts({ headers }: FastifyRequest) {
  return { header: headers['accept-language'] }
}

function expired(): Problem {
  return gone('This sign-in has expired or was finished elsewhere.')
}
