import { Type } from 'typebox'
import type { PaymentView } from '#billing'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { siteOf } from '#users'
import type { Ways } from '../checkout/data.ts'
import { handoverPage, instructionsPage } from '../checkout/payment-pages.ts'
import { guarded } from '../guarded.ts'
import { Refusal, sendPage, type Visit, visitsOf } from '../visit.ts'
import { expiredPage, type PaymentLink, payPage } from './page.ts'

const Params = Type.Object({ token: Type.String({ maxLength: 100 }) })
const Form = Body({ gateway: Type.Optional(Type.String({ maxLength: 36 })) })

/** The statuses with which a provider reports a failed payment. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'canceled', 'expired'])

/** Pays one invoice without a sign-in: mails about an invoice link here. */
export const payPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  async function shownOf(visit: Visit, token: string) {
    const [link, { gateways }] = await Promise.all([
      visit.call<PaymentLink>('GET', apiPath(token)),
      visit.call<Pick<Ways, 'gateways'>>('GET', '/v1/meta'),
    ])
    return { link, gateways, path: `/pay/${encodeURIComponent(token)}` }
  }

  page(
    'GET',
    '/pay/:token',
    async (request, reply) => {
      const { token } = request.params as { token: string }
      const { status } = request.query as Record<string, unknown>
      const visit = await visitOf(request, reply)
      const shown = await shownOf(visit, token).catch(nullIfExpired)
      if (!shown) return sendPage(request, reply.code(410), expiredPage(visit))
      const { failedTitle } = visit.texts.back
      const fault = FAILED.has(status) && shown.link.status === 'open' ? failedTitle : null
      return sendPage(request, reply, payPage(visit, { ...shown, fault }))
    },
    { params: Params },
  )

  page(
    'POST',
    '/pay/:token',
    async (request, reply) => {
      const { token } = request.params as { token: string }
      const { gateway: gatewayId } = request.body as { gateway?: string }
      const visit = await visitOf(request, reply)
      const { origin } = await siteOf(deps, request)
      const path = `/pay/${encodeURIComponent(token)}`
      const body = { ...(gatewayId && { gatewayId }), returnUrl: origin + path }
      try {
        const payment = await visit.call<PaymentView>('POST', `${apiPath(token)}/pay`, { body })
        if (payment.redirectUrl) {
          return await sendPage(request, reply, handoverPage(visit, payment.redirectUrl))
        }
        if (payment.instructions) {
          const way = { to: path, link: visit.texts.order.invoice }
          return await sendPage(request, reply, instructionsPage(visit, payment, way))
        }
        return await reply.redirect(`${path}?status=${payment.status}`, 303)
      } catch (error) {
        // The amount changed or the invoice was paid meanwhile: show the current state.
        if (!(error instanceof Refusal) || error.status === 404 || error.status >= 500) throw error
        const shown = await shownOf(visit, token).catch(nullIfExpired)
        if (!shown) return sendPage(request, reply.code(410), expiredPage(visit))
        const again = payPage(visit, { ...shown, fault: error.message })
        return sendPage(request, reply.code(error.status), again)
      }
    },
    { params: Params, body: Form },
  )
}

function nullIfExpired(error: unknown): null {
  if (error instanceof Refusal && error.status === 410) return null
  throw error
}

function apiPath(token: string): string {
  return `/v1/billing/payment-links/${encodeURIComponent(token)}`
}
