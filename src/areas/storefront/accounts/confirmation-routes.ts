import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import type { Routes } from '#platform/http/index.ts'
import { storeDraft } from '../checkout/draft.ts'
import { guarded } from '../guarded.ts'
import { messagePage } from '../parts/frames.ts'
import { type Exchange, ownPath, Refusal, sendPage, type Visit, visitsOf } from '../visit.ts'
import { openAwaited } from './awaited.ts'
import { resendPage, verifyPage } from './confirmation-pages.ts'
import { shopFactsFor } from './fields.ts'
import { codePage } from './pages.ts'
import { begin, HOME, type SignInAnswer, startOf } from './session.ts'

const Text = (maxLength = 200) => Type.String({ maxLength })
type MailedLink = { email: string; passwordNeeded: boolean }
type Confirmed = { signIn: SignInAnswer | null; state: string | null }

/** The pages that confirm an address, and sign in a new account if the shop requires the confirmation first. */
export const confirmationPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true, whileSuspended: true })

  page('GET', '/verify/resend', async (request, reply) =>
    sendPage(request, reply, resendPage(await visitOf(request, reply))),
  )

  page(
    'POST',
    '/verify/resend',
    async (request, reply) => {
      const { email = '' } = request.body as { email: string }
      const visit = await visitOf(request, reply)
      const { account } = visit.texts
      await visit.call('POST', '/v1/auth/email/resend', { body: { email } })
      const said = { title: account.sentTitle, lead: account.resent(email) }
      const onward = { to: '/sign-in', link: account.backToSignIn }
      return sendPage(request, reply, messagePage(visit, { ...said, ...onward }))
    },
    { body: Body({ email: Text(254) }) },
  )

  page(
    'GET',
    '/verify/:token',
    async (request, reply) => {
      const { token = '' } = request.params as Record<string, string>
      const visit = await visitOf(request, reply)
      const email = await addressWithPassword(visit, token)
      return sendPage(request, reply, verifyPage(visit, { token, email }))
    },
    {},
    { quota: 'auth' },
  )

  page(
    'POST',
    '/verify',
    async (request, reply) => {
      const { token = '', password } = request.body as Record<string, string>
      const visit = await visitOf(request, reply)
      const { account } = visit.texts
      const onward = { to: HOME, link: account.toShop }
      const body = { token, ...(password && { password }) }
      try {
        const confirmed = await visit.call<Confirmed>('POST', '/v1/auth/email/verify', { body })
        if (confirmed.signIn) {
          return await goOn(deps, visit, { request, reply }, confirmed.signIn, confirmed.state)
        }
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        reply.code(error.status)
        if (error.code === 'password_required') {
          const email = await addressWithPassword(visit, token)
          return sendPage(request, reply, verifyPage(visit, { token, email, wrong: true }))
        }
        const lead = error.status === 429 ? account.tooMany : account.linkOver
        const said = { title: account.verifyTitle, lead }
        return sendPage(request, reply, messagePage(visit, { ...said, ...onward }))
      }
      const said = { title: account.verifiedTitle, lead: visit.texts.home.lead }
      return sendPage(request, reply, messagePage(visit, { ...said, ...onward }))
    },
    {
      body: Body({
        token: Text(),
        password: Type.Optional(Text()),
        email: Type.Optional(Text(254)),
      }),
    },
  )
}

/** The address that a link confirms together with the password; null if the link is enough, or has expired. */
async function addressWithPassword(visit: Visit, token: string): Promise<string | null> {
  if (!(await shopFactsFor(visit)).confirmBeforeSession) return null
  try {
    const body = { token }
    const link = await visit.call<MailedLink>('POST', '/v1/auth/links/check', { body })
    return link.passwordNeeded ? link.email : null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null
    throw error
  }
}

/** Continues what the visitor was doing before confirming an address. It orders nothing. */
async function goOn(
  deps: Deps,
  visit: Visit,
  { request, reply }: Exchange,
  signIn: SignInAnswer,
  state: string | null,
): Promise<unknown> {
  const awaited = openAwaited(deps.secrets, request.tenantId, state)
  const next = ownPath(awaited?.next, '')
  if ('mfaRequired' in signIn) {
    const { mfaToken, methods } = signIn
    const codes = methods.some((method) => method !== 'passkey')
    const step = { next, mfaToken, codes, passkey: methods.includes('passkey') }
    return sendPage(request, reply, codePage(visit, step))
  }
  // What this browser has selected is newer than what was selected before the registration.
  const isHere = visit.selection.items.length > 0 || visit.selection.coupons.length > 0
  const { selection, selectionKey } = isHere || !awaited ? visit : awaited
  await begin(deps, { ...visit, selection, selectionKey }, { request, reply }, signIn)
  if (awaited?.draft) {
    storeDraft(deps, { request, reply }, { ...awaited.draft, account: signIn.user.id })
  }
  return reply.redirect(next || (await startOf(visit, signIn)), 303)
}
