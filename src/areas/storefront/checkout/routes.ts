import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PaymentView } from '#billing'
import { newId } from '#lib/id.ts'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { siteOf } from '#users'
import { profileIn, registrationIn } from '../accounts/fields.ts'
import { errorsOf, register } from '../accounts/routes.ts'
import { productFor } from '../catalogue/catalogue.ts'
import { guarded } from '../guarded.ts'
import { type Exchange, Refusal, refusalOf, sendPage, type Visit, visitsOf } from '../visit.ts'
import { type CheckoutData, checkoutFor } from './data.ts'
import { keepDraft, takeDraft } from './draft.ts'
import { checkoutPage, GATEWAY, NOTHING_TYPED, SAVED, seenOf } from './page.ts'
import { failedPage, handoverPage, instructionsPage, waitPage } from './payment-pages.ts'

const Text = (maxLength = 200) => Type.Optional(Type.String({ maxLength }))
const CheckoutForm = Body({
  ...{ intent: Text(36), seen: Text(50), account: Text(36) },
  ...{ name: Text(), email: Text(254), password: Text() },
  ...{ line1: Text(), postcode: Text(20), city: Text(100), country: Text(2) },
  ...{ company: Text(), vatNumber: Text(30), phone: Text(30), method: Text(60) },
  ...{ useCredits: Text(1), immediateStart: Text(1), terms: Text(7) },
})
const RetryForm = Body({ invoice: Text(36), method: Text(60) })

type Form = Readonly<Record<string, string>>
type CheckedOut = { order: { id: string }; payment: PaymentView | null }
type Followed = PaymentView & { invoiceIds: string[] }
type Invoice = { id: string; orderId: string | null; dueCents: number; currency: string }

const SIGN_IN = '/sign-in?next=/checkout'

/** Whether a guest cannot open an account here: only people who have one buy. */
function mustSignIn({ session }: Visit, { registration }: CheckoutData): boolean {
  return session === null && registration !== 'open'
}

/** From the cart to the payment, and back from it. */
export const checkoutPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  /** Where a provider sends the browser back to: this shop, under the name it was reached by. */
  async function returnUrlOf(request: FastifyRequest): Promise<string> {
    return `${(await siteOf(deps, request)).origin}/checkout/return`
  }

  /** Opens an account for a guest, and answers the visit as its owner makes it. */
  async function registered(visit: Visit, exchange: Exchange, form: Form): Promise<Visit> {
    const { accessToken } = await register(deps, visit, exchange, registrationIn(form))
    return {
      ...visit,
      session: { userId: '', sessionId: '', accessToken },
      call: (method, path, more = {}) => visit.call(method, path, { token: accessToken, ...more }),
    }
  }

  page('GET', '/checkout', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const data = await checkoutFor(visit)
    if (data.cart.items.length === 0) return reply.redirect('/cart', 303)
    if (mustSignIn(visit, data)) return reply.redirect(SIGN_IN, 303)
    const values = data.me && takeDraft(deps, { request, reply }, data.me.id)
    const typed = values
      ? {
          ...NOTHING_TYPED,
          values,
          message: visit.texts.checkout.resumed,
          tone: 'attention' as const,
        }
      : NOTHING_TYPED
    return sendPage(request, reply, checkoutPage(visit, data, typed))
  })

  page(
    'POST',
    '/checkout',
    async (request, reply) => {
      const form = request.body as Form
      const exchange = { request, reply }
      let visit = await visitOf(request, reply)
      if (form.account && form.account !== visit.session?.userId) {
        keepDraft(deps, exchange, form)
        return reply.redirect(visit.session ? '/checkout' : SIGN_IN, 303)
      }
      const again = async (errors: Form, message: string | null, status = 422) => {
        // A refusal is kept under its key: what is sent next is another intent.
        const { password: _password, intent: _intent, ...values } = form
        const data = await checkoutFor(visit)
        if (data.cart.items.length === 0) return reply.redirect('/cart', 303)
        if (mustSignIn(visit, data)) return reply.redirect(SIGN_IN, 303)
        return sendPage(
          request,
          reply.code(status),
          checkoutPage(visit, data, { values, errors, message }),
        )
      }
      const missing = missingIn(visit, form)
      if (Object.keys(missing).length > 0) return again(missing, null)
      try {
        if (visit.session) await visit.call('PATCH', '/v1/users/me', { body: profileIn(form) })
        else visit = await registered(visit, exchange, form)
        const { cart } = await checkoutFor(visit)
        if (seenOf({ cart }) !== form.seen)
          return await again({}, visit.texts.checkout.changed, 409)
        const body = {
          ...wayToPay(form.method),
          ...(form.useCredits && { useCredits: true }),
          ...(form.immediateStart && { immediateStart: true }),
          ...(form.terms && { acceptedTermsVersion: Number.parseInt(form.terms, 10) }),
          returnUrl: await returnUrlOf(request),
        }
        const idempotencyKey = `checkout-${form.intent ?? newId()}`
        const { order, payment } = await visit.call<CheckedOut>('POST', '/v1/billing/checkout', {
          ...{ body, idempotencyKey },
        })
        return await led(visit, exchange, { payment, path: `/orders/${order.id}` })
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        const { checkout } = visit.texts
        if (error.code === 'immediate_start_required') {
          return again({ immediateStart: checkout.consentMissing }, null)
        }
        if (error.code === 'terms_not_accepted') {
          return again({ terms: checkout.termsMissing }, null)
        }
        const errors = knownErrors(errorsOf(error))
        if (error.status === 409 && !visit.session) {
          return again({ email: visit.texts.account.taken }, null, 409)
        }
        const message = Object.keys(errors).length > 0 ? null : await refusedWith(visit, error)
        return again(errors, message, error.status === 409 ? 409 : 422)
      }
    },
    { body: CheckoutForm },
  )

  page('GET', '/checkout/return', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const { payment: id } = request.query as Record<string, unknown>
    const here = `/checkout/return?payment=${encodeURIComponent(String(id ?? ''))}`
    if (!visit.session) return reply.redirect(`/sign-in?next=${encodeURIComponent(here)}`, 303)
    const payment = await visit.call<Followed>('GET', `/v1/billing/payments/${idIn(id)}`)
    const [invoiceId] = payment.invoiceIds
    if (invoiceId === undefined) return reply.redirect('/', 303)
    const invoice = await visit.call<Invoice>('GET', `/v1/billing/invoices/${invoiceId}`)
    const path = invoice.orderId ? `/orders/${invoice.orderId}` : '/'
    if (payment.status === 'paid' || payment.status === 'processing') {
      return reply.redirect(path, 303)
    }
    if (payment.status === 'open' || payment.status === 'action_required') {
      return sendPage(request, reply, waitPage(visit, here))
    }
    const data = await checkoutFor(visit)
    const reason = payment.failure?.message ?? null
    return sendPage(request, reply, failedPage(visit, { data, invoice, reason }))
  })

  page(
    'POST',
    '/checkout/pay',
    async (request, reply) => {
      const { invoice: id, method } = request.body as Form
      const visit = await visitOf(request, reply)
      if (!visit.session) return reply.redirect('/sign-in', 303)
      const invoice = await visit.call<Invoice>('GET', `/v1/billing/invoices/${idIn(id)}`)
      const path = invoice.orderId ? `/orders/${invoice.orderId}` : '/'
      const body = { ...wayToPay(method), returnUrl: await returnUrlOf(request) }
      const paying = visit.call<PaymentView>('POST', `/v1/billing/invoices/${invoice.id}/pay`, {
        body,
      })
      const refused = await refusalOf(paying)
      if (!refused) return led(visit, { request, reply }, { payment: await paying, path })
      const data = await checkoutFor(visit)
      const failed = failedPage(visit, { data, invoice, reason: refused.message })
      return sendPage(request, reply.code(refused.status), failed)
    },
    { body: RetryForm },
  )
}

/** Where a payment that was begun leads: to the provider, to what is to be transferred, or to the order. */
async function led(
  visit: Visit,
  { request, reply }: Exchange,
  { payment, path }: { payment: PaymentView | null; path: string },
): Promise<unknown> {
  if (payment?.redirectUrl) {
    return sendPage(request, reply, handoverPage(visit, payment.redirectUrl))
  }
  if (payment?.instructions) {
    const way = { to: path, link: visit.texts.order.number }
    return sendPage(request, reply, instructionsPage(visit, payment, way))
  }
  if (payment?.status === 'failed' || payment?.status === 'open') {
    return reply.redirect(`/checkout/return?payment=${payment.id}`, 303)
  }
  return reply.redirect(path, 303)
}

function missingIn({ texts, session, legalVersions }: Visit, form: Form): Record<string, string> {
  const { required, termsMissing } = texts.checkout
  const missing: Record<string, string> = {}
  const empty = (name: string) => (form[name] ?? '').trim() === ''
  if (!session) {
    if (empty('name')) missing.name = required.name
    if (!/^[^@\s]+@[^@\s]+$/.test(form.email ?? '')) missing.email = required.email
    if ((form.password ?? '').length < 10) missing.password = required.password
  }
  const terms = legalVersions.get('terms')
  if (terms !== undefined && form.terms !== String(terms)) missing.terms = termsMissing
  if (empty('line1')) missing.line1 = required.line1
  if (empty('postcode')) missing.postcode = required.postcode
  if (empty('city')) missing.city = required.city
  return missing
}

function wayToPay(method: string | undefined) {
  if (method?.startsWith(SAVED)) return { paymentMethodId: method.slice(SAVED.length) }
  if (method?.startsWith(GATEWAY)) return { gatewayId: method.slice(GATEWAY.length) }
  return {}
}

const FIELDS = new Set([
  ...['name', 'email', 'password', 'line1', 'postcode', 'city', 'country'],
  ...['company', 'vatNumber', 'phone'],
])

function knownErrors(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => FIELDS.has(name)))
}

function idIn(value: unknown): string {
  return encodeURIComponent(typeof value === 'string' ? value : '')
}

/** Why an order was refused, with the names of the locations that have room. */
async function refusedWith(visit: Visit, { message, alternatives }: Refusal): Promise<string> {
  if (alternatives.length === 0) return message
  const { cart } = await checkoutFor(visit)
  const slugs = new Set(cart.items.map(({ productSlug }) => productSlug))
  const products = await Promise.all([...slugs].map((slug) => productFor(visit, slug)))
  const known = products.flatMap(({ orderForm }) => orderForm.locations)
  const names = new Set(known.filter((it) => alternatives.includes(it.slug)).map((it) => it.name))
  return `${message} ${visit.texts.checkout.roomElsewhere([...names].join(', '))}`
}
