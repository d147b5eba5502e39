import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import { notice } from '#platform/pages/fields.ts'
import { html } from '#platform/pages/html.ts'
import type { RegistrationMode } from '#users'
import { guarded } from '../guarded.ts'
import { messagePage } from '../parts/frames.ts'
import { ownPath, Refusal, sendPage, type Visit, visitsOf } from '../visit.ts'
import { confirmFirstPage } from './confirmation-pages.ts'
import { registrationIn, shopFactsFor } from './fields.ts'
import {
  codePage,
  forgotPage,
  type Register,
  registerPage,
  registrationClosedPage,
  resetPage,
  type SignInFault,
  signInPage,
} from './pages.ts'
import { begin, register, type SignedIn, type SignInAnswer, startOf } from './session.ts'

const Text = (maxLength = 200) => Type.String({ maxLength })
const SignIn = Body({ email: Text(254), password: Text(), next: Text(600) })
const SecondStep = Body({ mfaToken: Text(), code: Text(50), passkey: Text(1), next: Text(600) })
const PasskeyStep = Body({
  ...{ response: Text(12_000), next: Text(600) },
  mfaToken: Type.Optional(Text()),
})
const Optional = (maxLength = 200) => Type.Optional(Text(maxLength))
const Registration = Body({
  ...{ name: Text(), email: Text(254), password: Text() },
  ...{ country: Text(2), next: Text(600), terms: Optional(7) },
  ...{ company: Optional(), vatNumber: Optional(30), phone: Optional(30) },
  ...{ line1: Optional(), postcode: Optional(20), city: Optional(100) },
})
const NewPassword = Body({ token: Text(), password: Text() })

/** Sign-in, sign-up and forgotten passwords, with plain forms. */
export const accountPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true, whileSuspended: true })

  page('GET', '/sign-in', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const next = nextIn(request.query)
    if (visit.session) return reply.redirect(next || (await startOf(visit)), 303)
    return sendPage(request, reply, signInPage(visit, { next }))
  })

  page(
    'POST',
    '/sign-in',
    async (request, reply) => {
      const { email, password, next: wanted } = request.body as Record<string, string>
      const next = ownPath(wanted, '')
      const visit = await visitOf(request, reply)
      const body = { email, password }
      const answer = await faultOf(visit.call<SignInAnswer>('POST', '/v1/auth/login', { body }))
      if (typeof answer === 'string') {
        const again = signInPage(visit, { next, email: email ?? '', fault: answer })
        return sendPage(request, reply.code(statusOf(answer)), again)
      }
      if (!('mfaRequired' in answer)) {
        await begin(deps, visit, { request, reply }, answer)
        return reply.redirect(next || (await startOf(visit, answer)), 303)
      }
      const { mfaToken, methods } = answer
      const codes = methods.some((method) => method !== 'passkey')
      const step = { next, mfaToken, codes, passkey: methods.includes('passkey') }
      return sendPage(request, reply, codePage(visit, step))
    },
    { body: SignIn },
  )

  page(
    'POST',
    '/sign-in/code',
    async (request, reply) => {
      const { mfaToken = '', code, passkey, next: wanted } = request.body as Record<string, string>
      const next = ownPath(wanted, '')
      const visit = await visitOf(request, reply)
      const body = { mfaToken, code }
      const answer = await faultOf(visit.call<SignedIn>('POST', '/v1/auth/login/mfa', { body }))
      if (typeof answer === 'string') {
        const step = { next, mfaToken, codes: true, passkey: passkey === '1' }
        const again = codePage(visit, { ...step, fault: answer })
        return sendPage(request, reply.code(statusOf(answer)), again)
      }
      await begin(deps, visit, { request, reply }, answer)
      return reply.redirect(next || (await startOf(visit, answer)), 303)
    },
    { body: SecondStep },
  )

  page(
    'POST',
    '/sign-in/passkey',
    async (request, reply) => {
      const { response = '', mfaToken, next: wanted } = request.body as Record<string, string>
      const next = ownPath(wanted, '')
      const visit = await visitOf(request, reply)
      const shown = objectIn(response)
      const body = { response: shown, ...(mfaToken && { mfaToken }) }
      const answer = shown
        ? await faultOf(visit.call<SignedIn>('POST', '/v1/auth/passkeys/verify', { body }))
        : 'passkeyFailed'
      if (typeof answer === 'string') {
        const fault = answer === 'wrong' ? 'passkeyFailed' : answer
        return sendPage(request, reply.code(statusOf(fault)), signInPage(visit, { next, fault }))
      }
      await begin(deps, visit, { request, reply }, answer)
      return reply.redirect(next || (await startOf(visit, answer)), 303)
    },
    { body: PasskeyStep },
  )

  page('POST', '/sign-out', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const refreshToken = readCookie(request, 'session')
    if (refreshToken) await visit.call('POST', '/v1/auth/logout', { body: { refreshToken } })
    writeCookie(request, reply, 'session', '')
    return reply.redirect('/', 303)
  })

  page('GET', '/register', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const next = nextIn(request.query)
    if (visit.session) return reply.redirect(next || (await startOf(visit)), 303)
    const shop = await shopFactsFor(visit)
    if (shop.registration !== 'open' && !isInvited(shop.registration, next)) {
      const closed = registrationClosedPage(visit, shop.registration)
      return sendPage(request, reply.code(403), closed)
    }
    const values = { country: visit.country ?? shop.country }
    return sendPage(request, reply, registerPage(visit, { next, values }))
  })

  page(
    'POST',
    '/register',
    async (request, reply) => {
      const { next: wanted, ...form } = request.body as Record<string, string>
      const next = ownPath(wanted, '')
      const visit = await visitOf(request, reply)
      const { password: _, ...values } = form
      const again = (status: number, shown: Pick<Register, 'errors' | 'message'>) =>
        sendPage(request, reply.code(status), registerPage(visit, { next, values, ...shown }))
      const terms = visit.legalVersions.get('terms')
      if (terms !== undefined && form.terms !== String(terms)) {
        return again(422, { errors: { terms: visit.texts.checkout.termsMissing } })
      }
      const invitationToken = invitationIn(next)
      const person = { ...registrationIn(form), ...(invitationToken && { invitationToken }) }
      try {
        const awaited = { next, draft: null }
        const answer = await register(deps, visit, { request, reply }, person, awaited)
        if (!answer) {
          const sent = { email: form.email ?? '', next, orders: false }
          return sendPage(request, reply, confirmFirstPage(visit, sent))
        }
        return reply.redirect(next || (await startOf(visit, answer)), 303)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return again(error.status, {
          errors: errorsOf(error),
          message: messageOf(visit, error),
        })
      }
    },
    { body: Registration },
  )

  page('GET', '/forgot', async (request, reply) =>
    sendPage(request, reply, forgotPage(await visitOf(request, reply))),
  )

  page(
    'POST',
    '/forgot',
    async (request, reply) => {
      const { email = '' } = request.body as { email: string }
      const visit = await visitOf(request, reply)
      const { account } = visit.texts
      await visit.call('POST', '/v1/auth/password/forgot', { body: { email } })
      const said = { title: account.sentTitle, lead: account.sent(email) }
      return sendPage(
        request,
        reply,
        messagePage(visit, { ...said, to: '/sign-in', link: account.backToSignIn }),
      )
    },
    { body: Body({ email: Text(254) }) },
  )

  page(
    'GET',
    '/reset/:token',
    async (request, reply) => {
      const { token = '' } = request.params as Record<string, string>
      const visit = await visitOf(request, reply)
      return sendPage(request, reply, resetPage(visit, { token }))
    },
    {},
    { quota: 'auth' },
  )

  page(
    'POST',
    '/reset',
    async (request, reply) => {
      const { token = '', password = '' } = request.body as Record<string, string>
      const visit = await visitOf(request, reply)
      const { account } = visit.texts
      const body = { token, password }
      try {
        await visit.call('POST', '/v1/auth/password/reset', { body })
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        const over = error.status === 410 || error.status === 404
        const message = over ? account.linkOver : error.message
        return sendPage(
          request,
          reply.code(error.status),
          resetPage(visit, { token, error: message }),
        )
      }
      const said = { title: account.savedTitle, lead: account.signInLead }
      return sendPage(
        request,
        reply,
        messagePage(visit, { ...said, to: '/sign-in', link: account.submit }),
      )
    },
    { body: NewPassword },
  )

  // Mails of earlier versions lead here.
  for (const [old, now] of [
    ['/verify-email', '/verify'],
    ['/reset-password', '/reset'],
  ]) {
    page('GET', old ?? '', async (request, reply) => {
      const { token } = request.query as Record<string, unknown>
      const part = typeof token === 'string' ? encodeURIComponent(token) : ''
      return reply.redirect(`${now}/${part}`, 303)
    })
  }
}

async function faultOf<T>(call: Promise<T>): Promise<T | SignInFault> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 429) return 'tooMany'
    if (error.status === 403) return 'suspended'
    if (error.code === 'sign_in_failed') return 'unconfirmed'
    if (error.status === 401 || error.status === 400) return 'wrong'
    throw error
  }
}

function statusOf(fault: SignInFault): number {
  return fault === 'tooMany' ? 429 : 401
}

/** Why fields were refused, by their names. */
export function errorsOf({ details }: Refusal): Record<string, string> {
  return Object.fromEntries(
    details.map(({ path, message }) => [path.split('.').at(-1) ?? path, message]),
  )
}

function messageOf({ texts }: Visit, { status, code, message, details }: Refusal) {
  const { account, problem } = texts
  if (status >= 500) return notice({ tone: 'failed', title: problem.kept })
  if (status === 429) return notice({ tone: 'failed', title: account.tooMany })
  if (status === 409) {
    return notice({
      ...{ tone: 'attention', title: account.taken },
      body: html`<p>${account.takenHint} <a href="/sign-in">${account.submit}</a> · <a href="/forgot">${account.forgot}</a></p>`,
    })
  }
  if (code === 'invitation_required') {
    return notice({ tone: 'failed', title: account.invitationWrong })
  }
  return details.length > 0 ? null : notice({ tone: 'failed', title: message })
}

/** The token of the invitation if `next` is its page: the person came from it and returns to it. */
function invitationIn(next: string): string | null {
  return /^\/i\/([\w.~-]+)$/.exec(next)?.[1] ?? null
}

function isInvited(mode: RegistrationMode, next: string): boolean {
  return mode === 'inviteOnly' && invitationIn(next) !== null
}

function nextIn(query: unknown): string {
  return ownPath((query as Record<string, unknown>).next, '')
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
