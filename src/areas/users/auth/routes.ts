import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { conflict, unauthorized } from '#lib/problem.ts'
import { Body, Country, Email, Line, Locale } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import { assertSameOrigin } from '#platform/pages/origin.ts'
import { tokenHash } from '#platform/secrets.ts'
import { acceptedTerms, brandOf } from '#tenants'
import { consentIn, NO_PROFILE, profileColumns } from '../profile/rules.ts'
import { NewAddress, NewPassword, Password, Phone, ProfileChange } from '../schema.ts'
import { Code } from '../second-factors/schema.ts'
import { endSession, refreshSession } from '../sessions/actions.ts'
import { assertTransport, deviceOf, signedInAnswers, TransportField } from '../sessions/answer.ts'
import { findRefreshToken } from '../sessions/queries.ts'
import { SignedIn } from '../sessions/schema.ts'
import { register } from './actions.ts'
import { assertGuessResistant, hashPassword } from './password.ts'
import { assertMayRegister } from './registration.ts'
import { acceptRegistration } from './requested.ts'
import { Accepted, MfaToken, SignedInOrPending } from './schema.ts'
import { finishWithCode, openFor, pendingView, signInWithPassword } from './sign-in.ts'
import { confirmsBeforeSession } from './unconfirmed.ts'

const tags: Tag[] = ['Auth & Users']
const config = { access: 'public', quota: 'auth' } as const

const Registration = Body({
  ...TransportField,
  email: Email,
  password: NewPassword,
  name: Line(),
  company: Type.Optional(Line()),
  vatNumber: Type.Optional(Line(30)),
  address: Type.Optional(NewAddress),
  country: Type.Optional(Country),
  phone: Type.Optional(Phone),
  marketingConsent: ProfileChange.properties.marketingConsent,
  locale: Type.Optional(Locale),
  acceptedTermsVersion: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1_000_000 },
      description: 'Required if the shop has published terms',
    }),
  ),
  invitationToken: Type.Optional({
    ...Line(200),
    description: 'Of an invitation, for a shop that is `inviteOnly`',
  }),
  referralCode: Type.Optional({ ...Line(64), description: 'Of the affiliate; beats a click' }),
  visitorToken: Type.Optional({
    ...Line(64),
    description: 'The `visitorToken` that `POST /v1/affiliation/visits` answered',
  }),
  state: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Answered by `/v1/auth/email/verify`, where that opens the session',
    }),
  ),
})
const RefreshToken = Type.String({ minLength: 1, maxLength: 200 })

export const authRoutes: Routes = (app, deps) => {
  const { secrets, clock, forgetCallers } = deps
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'POST',
    url: '/v1/auth/register',
    config: { ...config, whileSuspended: false, setsCookie: true },
    schema: {
      tags,
      summary: 'Open an account; the address is confirmed by e-mail',
      description:
        'The setting `registration.mode` decides who may register. A taken address is a 409; its owner is notified, at most once a day. A network that tries too many taken addresses in an hour, or registers too often in a day, gets a 429 (`limit_reached`). With `registration.confirmBeforeSession` every address gets a 202; the session comes with `/v1/auth/email/verify`.',
      body: Registration,
      response: { 201: SignedIn, 202: Accepted, ...problems(403, 409, 422) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      const { body, tenantId, db, ip, now, transact } = request
      const { email, password, referralCode = null, visitorToken = null, ...more } = body
      const { invitationToken, acceptedTermsVersion, locale: wish, ...rest } = more
      const { transport: _, state: registrationState = null, marketingConsent, ...change } = rest
      await assertMayRegister(deps, { db, tenantId, email, invitationToken, now })
      const consent = consentIn(marketingConsent, 'registration')
      const profile = profileColumns(NO_PROFILE, { ...change, consent }, now)
      assertGuessResistant(password, email.toLowerCase())
      // Before the address is looked up, so that a taken one takes the same time.
      const passwordHash = await hashPassword(password)
      const locale = wish ?? (await brandOf(db, tenantId)).locale ?? 'en'
      const terms = await acceptedTerms(db, { tenantId, locale }, acceptedTermsVersion)
      const person = {
        ...profile,
        ...terms,
        tenantId,
        email,
        passwordHash,
        locale,
        name: change.name,
      }
      const wanted = { ...person, referralCode, visitorToken, network: networkOf(ip) }
      if (await confirmsBeforeSession(db, tenantId)) {
        const requested = { ...wanted, registrationState }
        await transact((tx) => acceptRegistration(tx, secrets, requested, now))
        return reply.code(202).send({ accepted: true })
      }
      const session = await transact(async (tx) => {
        const user = await register(tx, secrets, wanted, now)
        const device = deviceOf(request)
        return user && openFor(tx, { tenantId, userId: user.id, device, secondFactorAt: null }, now)
      })
      if (!session) {
        throw conflict('An account cannot be opened with this address.', 'address_unavailable')
      }
      return reply.code(201).send(await signedIn(request, reply, session))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/login',
    config: { ...config, setsCookie: true },
    schema: {
      tags,
      summary: 'Sign in',
      description:
        'For an account with a second factor the answer has an `mfaToken` instead of a session; exchange it at `/v1/auth/login/mfa` or `/v1/auth/passkeys/verify`.',
      body: Body({ ...TransportField, email: Email, password: Password }),
      response: { 200: SignedInOrPending, ...problems(401, 403) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      const answer = await signInWithPassword(deps, request, request.body)
      return answer.status === 'signed_in' ? signedIn(request, reply, answer) : pendingView(answer)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/login/mfa',
    config: { ...config, setsCookie: true },
    schema: {
      tags,
      summary: 'Finish a sign-in with a code of the authenticator app or a recovery code',
      description: 'An `mfaToken` ends after five wrong codes.',
      body: Body({ ...TransportField, mfaToken: MfaToken, code: Code }),
      response: { 200: SignedIn, ...problems(401, 403) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      return signedIn(request, reply, await finishWithCode(deps, request, request.body))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/refresh',
    config,
    schema: {
      tags,
      summary: 'Exchange a refresh token for the next pair of tokens',
      description:
        'A token works once; using it again ends its session. Without a token in the body, the session cookie of a browser is used, for pages of this host; that token is not replaced.',
      body: Body({ refreshToken: Type.Optional(RefreshToken) }),
      response: { 200: SignedIn, ...problems(401, 403) },
    },
    async handler(request, reply) {
      const { body, tenantId, db, now, ip, transact } = request
      const kept = body.refreshToken === undefined
      const token = body.refreshToken ?? tokenInCookie(request)
      // Read before anything is locked: a token that is fresh now was not exchanged before this request came.
      const seen = token === null ? null : await findRefreshToken(db, tenantId, tokenHash(token))
      if (!seen) throw unauthorized(SIGN_IN_AGAIN)
      // Windows that wake up together do not call in the same millisecond: gives the other requests time to arrive.
      if (!kept) await setTimeout(TOGETHER_MS)
      const wanted = { tenantId, seen, address: ip, kept }
      const session = await transact((tx) => refreshSession(tx, wanted, now, clock))
      if (!session || 'reused' in session) {
        forgetCallers({ credentialId: seen.sessionId })
        throw unauthorized(SIGN_IN_AGAIN)
      }
      return signedIn(request, reply, session)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/logout',
    config: { ...config, setsCookie: true },
    schema: {
      tags,
      summary: 'Sign out: the session of a refresh token ends, known or not',
      description:
        'Without a token in the body, the session cookie of a browser is used, for pages of this host, and removed.',
      body: Body({ refreshToken: Type.Optional(RefreshToken) }),
      response: { 200: Type.Object({ ended: Type.Boolean() }), ...problems(403) },
    },
    async handler(request, reply) {
      const { body, tenantId, now, transact } = request
      const token = body.refreshToken ?? tokenInCookie(request)
      if (body.refreshToken === undefined) writeCookie(request, reply, 'session', '')
      if (token === null) return { ended: true }
      const hash = tokenHash(token)
      const session = await transact((tx) => endSession(tx, { tenantId, hash }, now))
      if (session) forgetCallers({ credentialId: session.sessionId })
      return { ended: true }
    },
  })
}

/**
 * The refresh token in a browser's cookie; null without one. Throws 403 for a page of another origin:
 * other sites must not use a cookie that the browser sends by itself.
 */
function tokenInCookie(request: FastifyRequest): string | null {
  assertSameOrigin(request)
  return readCookie(request, 'session')
}

const TOGETHER_MS = 25
const SIGN_IN_AGAIN = 'Sign in again.'
