import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PaymentView } from '#billing'
import { newId } from '#lib/id.ts'
import { Body } from '#lib/schema.ts'
import { NOTE_LENGTH } from '#orders'
import type { Routes } from '#platform/http/index.ts'
import { siteOf } from '#users'
import { confirmFirstPage } from '../accounts/confirmation-pages.ts'
import { profileIn, registrationIn } from '../accounts/fields.ts'
import { errorsOf } from '../accounts/routes.ts'
import { register } from '../accounts/session.ts'
import { availabilityText, isBlocked } from '../cart/availability.ts'
import { cartFor, type ShownCart, type TypedPlace } from '../cart/cart.ts'
import { applyCoupon, couponIn, removeCoupon } from '../cart/coupons.ts'
import { productFor } from '../catalogue/catalogue.ts'
import { guarded } from '../guarded.ts'
import { type Exchange, Refusal, refusalOf, sendPage, type Visit, visitsOf } from '../visit.ts'
import { type CheckoutData, checkoutFor, waysFor } from './data.ts'
import { storeDraft, useUpDraft } from './draft.ts'
import { checkoutPage, GATEWAY, NOTHING_TYPED, SAVED, seenOf } from './page.ts'
import {
  failedPage,
  handoverPage,
  instructionsPage,
  unpaidPage,
  waitPage,
  wayTried,
} from './payment-pages.ts'

const Text = (maxLength = 200) => Type.Optional(Type.String({ maxLength }))
const CheckoutForm = Body({
  ...{ intent: Text(36), seen: Text(50), account: Text(36) },
  ...{ name: Text(), email: Text(254), password: Text() },
  ...{ line1: Text(), postcode: Text(20), city: Text(100), country: Text(2) },
  ...{ company: Text(), vatNumber: Text(30), phone: Text(30), method: Text(60) },
  // Browsers send each line break of a note as two characters.
  note: Text(2 * NOTE_LENGTH),
  ...{ useCredits: Text(1), immediateStart: Text(1), terms: Text(7), code: Text(50) },
})
const CheckForm = Body({ ...CheckoutForm.properties, touched: Text(200) })
const CouponForm = Body({ ...CheckoutForm.properties, remove: Text(50) })
const RetryForm = Body({ invoice: Text(36), method: Text(60) })

type Form = Readonly<Record<string, string>>
type CheckedOut = { order: { id: string }; payment: PaymentView | null }
type Followed = PaymentView & { invoiceIds: string[] }
type Invoice = { id: string; orderId: string | null; dueCents: number; currency: string }

const SIGN_IN = '/sign-in?next=/checkout'

/** Whether a guest cannot open an account here, so that only people with an account can buy. */
function mustSignIn({ session }: Visit, { registration }: CheckoutData): boolean {
  return session === null && registration !== 'open'
}

/** From the cart to the payment, and back from it. */
export const checkoutPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  /** Where a provider sends the browser back to: this shop, under the host name of the request. */
  async function returnUrlOf(request: FastifyRequest): Promise<string> {
    return `${(await siteOf(deps, request)).origin}/checkout/return`
  }

  /**
   * Opens an account for a guest, and returns the visit as that of its owner. Null if the address has to be
   * confirmed first: nothing is ordered, and the checkout continues later with what was typed.
   */
  async function registered(visit: Visit, exchange: Exchange, form: Form): Promise<Visit | null> {
    const { password: _password, intent: _intent, seen: _seen, ...draft } = form
    const awaited = { next: '/checkout', draft }
    const answer = await register(deps, visit, exchange, registrationIn(form), awaited)
    if (!answer) return null
    const { accessToken } = answer
    return {
      ...visit,
      session: { userId: '', sessionId: '', accessToken },
      call: (method, path, more = {}) => visit.call(method, path, { token: accessToken, ...more }),
    }
  }

  /** Applies or removes a coupon and shows the checkout again, with what was typed except the password. */
  async function changeCoupons(exchange: Exchange, form: Form): Promise<unknown> {
    const { request, reply } = exchange
    const { password: _password, code, remove, ...typed } = form
    let visit = await visitOf(request, reply)
    let fault: string | null = null
    if (remove) visit = await removeCoupon(deps, visit, exchange, remove)
    else if (couponIn(code) !== '') {
      const change = await applyCoupon(deps, visit, exchange, couponIn(code))
      visit = change.visit
      fault = change.fault
    }
    const data = await checkoutFor(visit, placeIn(form))
    if (data.cart.items.length === 0) return reply.redirect('/cart', 303)
    if (mustSignIn(visit, data)) return reply.redirect(SIGN_IN, 303)
    const values = { ...typed, ...(fault && { code: couponIn(code) }) }
    const shown = { values, errors: fault ? { code: fault } : {}, message: null }
    return sendPage(request, reply.code(fault ? 422 : 200), checkoutPage(visit, data, shown))
  }

  page('GET', '/checkout', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const data = await checkoutFor(visit)
    // The cart shows what cannot be ordered as it is, before the buyer fills in a form.
    if (data.cart.items.length === 0 || isBlocked(data.cart)) return reply.redirect('/cart', 303)
    if (mustSignIn(visit, data)) return reply.redirect(SIGN_IN, 303)
    const values = data.me && useUpDraft(deps, { request, reply }, data.me.id)
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
        storeDraft(deps, exchange, form)
        return reply.redirect(visit.session ? '/checkout' : SIGN_IN, 303)
      }
      const again = async (
        errors: Form,
        message: string | null,
        { status = 422, inCart = false, intent = undefined as string | undefined } = {},
      ) => {
        // The API stores a refusal under its idempotency key: the next submission is another intent.
        const { password: _password, intent: _intent, ...typed } = form
        const values = { ...typed, ...(intent && { intent }) }
        const data = await checkoutFor(visit, placeIn(form))
        if (data.cart.items.length === 0) return reply.redirect('/cart', 303)
        if (mustSignIn(visit, data)) return reply.redirect(SIGN_IN, 303)
        return sendPage(
          request,
          reply.code(status),
          checkoutPage(visit, data, { values, errors, message, inCart }),
        )
      }
      // A code that was typed and not applied yet: nothing is ordered for a price without it.
      if (couponIn(form.code) !== '') return changeCoupons(exchange, form)
      const missing = missingIn(visit, form)
      if (Object.keys(missing).length > 0) return again(missing, null)
      try {
        // No account is opened for something that cannot be bought, or for a price other than the one shown.
        if (!visit.session) {
          const cart = await cartFor(visit, placeIn(form))
          const full = await fullOf(visit, cart)
          if (full) return await again({}, full, { inCart: true })
          if (seenOf({ cart }) !== form.seen) {
            return await again({}, visit.texts.checkout.changed, { status: 409 })
          }
        }
        if (visit.session) await visit.call('PATCH', '/v1/users/me', { body: profileIn(form) })
        else {
          const owner = await registered(visit, exchange, form)
          if (!owner) {
            const sent = { email: form.email ?? '', next: '/checkout', orders: true }
            return sendPage(request, reply, confirmFirstPage(visit, sent))
          }
          visit = owner
        }
        const { cart } = await checkoutFor(visit)
        if (seenOf({ cart }) !== form.seen)
          return await again({}, visit.texts.checkout.changed, { status: 409 })
        const body = {
          ...wayToPay(form.method),
          ...(form.useCredits && { useCredits: true }),
          ...(form.immediateStart && { immediateStart: true }),
          ...(form.terms && { acceptedTermsVersion: Number.parseInt(form.terms, 10) }),
          ...(form.note?.trim() && { note: form.note.replaceAll('\r\n', '\n') }),
          returnUrl: await returnUrlOf(request),
        }
        const idempotencyKey = `checkout-${form.intent ?? newId()}`
        const { order, payment } = await visit.call<CheckedOut>('POST', '/v1/billing/checkout', {
          ...{ body, idempotencyKey },
        })
        return await led(visit, exchange, { payment, path: `/orders/${order.id}` })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { account, checkout, problem } = visit.texts
        if (isPassing(error)) {
          // No refusal is stored under the key: the next submission is the same intent.
          const message = error.status === 429 ? account.tooMany : problem.kept
          return await again({}, message, { status: error.status, intent: form.intent })
        }
        // The answer to the first submission was lost, and its order was not.
        if (error.code === 'already_answered') return reply.redirect('/orders', 303)
        if (error.code === 'immediate_start_required') {
          return again({ immediateStart: checkout.consentMissing }, null)
        }
        if (error.code === 'terms_not_accepted') {
          return again({ terms: checkout.termsMissing }, null)
        }
        if (error.code === 'environment_invalid') {
          const message = error.details.map((it) => it.message).join(' ')
          return again({}, message, { inCart: true })
        }
        const errors = knownErrors(errorsOf(error))
        if (error.status === 409 && !visit.session) {
          return again({ email: visit.texts.account.taken }, null, { status: 409 })
        }
        const message = Object.keys(errors).length > 0 ? null : await refusedWith(visit, error)
        const status = error.status === 409 ? 409 : 422
        return again(errors, message, { status, inCart: IN_CART.has(error.code) })
      }
    },
    { body: CheckoutForm },
  )

  page('GET', '/checkout/coupons', async (_request, reply) => reply.redirect('/checkout', 303))

  page(
    'POST',
    '/checkout/coupons',
    (request, reply) => changeCoupons({ request, reply }, request.body as Form),
    { body: CouponForm },
  )

  page('GET', '/checkout/check', async (_request, reply) => reply.redirect('/checkout', 303))

  // What the script asks for while the form is filled in: the same page for what was typed so far.
  page(
    'POST',
    '/checkout/check',
    async (request, reply) => {
      const { password: _password, touched = '', ...values } = request.body as Form
      const visit = await visitOf(request, reply)
      const data = await checkoutFor(visit, placeIn(values))
      const missing = missingIn(visit, values)
      const names = touched.split(',')
      const errors = Object.fromEntries(
        Object.entries(missing).filter(([name]) => names.includes(name)),
      )
      const typed = { values, errors, message: null }
      return sendPage(request, reply, checkoutPage(visit, data, typed))
    },
    { body: CheckForm },
  )

  // Where providers send the browser: they add the payment to the query of one address.
  page('GET', '/checkout/return', async (request, reply) => {
    const { payment, status: _status, ...query } = request.query as Record<string, string>
    if (!payment) return reply.redirect('/invoices', 303)
    const rest = new URLSearchParams(query).toString()
    return reply.redirect(`/checkout/return/${idIn(payment)}${rest && `?${rest}`}`, 303)
  })

  page('GET', '/checkout/return/:payment', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const { payment: id } = request.params as Record<string, string>
    const here = `/checkout/return/${idIn(id)}`
    if (!visit.session) return reply.redirect(`/sign-in?next=${encodeURIComponent(here)}`, 303)
    const payment = await visit.call<Followed>('GET', `/v1/billing/payments/${idIn(id)}`)
    const [invoiceId] = payment.invoiceIds
    if (invoiceId === undefined) return reply.redirect('/', 303)
    const invoice = await visit.call<Invoice>('GET', `/v1/billing/invoices/${invoiceId}`)
    const order = orderOf(invoice)
    const onward = order ?? `/invoices/${invoiceId}`
    if (payment.status === 'paid' || payment.status === 'processing' || invoice.dueCents === 0) {
      return reply.redirect(onward, 303)
    }
    const isOpen = payment.status === 'open' || payment.status === 'action_required'
    if (isOpen && payment.instructions) {
      const way = { to: onward, link: visit.texts.order.number }
      return sendPage(request, reply, instructionsPage(visit, payment, way))
    }
    // The provider has not been reached: the payment is started again by itself.
    if (isOpen && !payment.redirectUrl) {
      return sendPage(request, reply, waitPage(visit, { again: here, order }))
    }
    const ways = await waysFor(visit)
    if (isOpen) {
      return sendPage(request, reply, unpaidPage(visit, { ways, invoice, here, order }))
    }
    const reason = payment.failure?.message ?? null
    const tried = wayTried(payment)
    return sendPage(request, reply, failedPage(visit, { ways, invoice, tried, reason, order }))
  })

  page(
    'POST',
    '/checkout/pay',
    async (request, reply) => {
      const { invoice: id, method } = request.body as Form
      const visit = await visitOf(request, reply)
      if (!visit.session) return reply.redirect('/sign-in', 303)
      const invoice = await visit.call<Invoice>('GET', `/v1/billing/invoices/${idIn(id)}`)
      const order = orderOf(invoice)
      const body = { ...wayToPay(method), returnUrl: await returnUrlOf(request) }
      const paying = visit.call<PaymentView>('POST', `/v1/billing/invoices/${invoice.id}/pay`, {
        body,
      })
      const refused = await refusalOf(paying)
      if (!refused) {
        return led(visit, { request, reply }, { payment: await paying, path: order ?? '/' })
      }
      // The amount due changed, or was paid meanwhile: the page of the order shows its status.
      if (order && CHANGED.has(refused.code)) return reply.redirect(order, 303)
      const ways = await waysFor(visit)
      const reason = refused.message
      const failed = failedPage(visit, { ways, invoice, reason, order, tried: method ?? null })
      return sendPage(request, reply.code(refused.status), failed)
    },
    { body: RetryForm },
  )
}

/** Whether the same submission may succeed later: the service failed, is busy, or still works on the first one. */
function isPassing({ status, code }: Refusal): boolean {
  return status >= 500 || status === 429 || code === 'in_progress'
}

/** Sends the browser on after a payment was started: to the provider, to the transfer details, or to the order. */
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
    return reply.redirect(`/checkout/return/${payment.id}`, 303)
  }
  return reply.redirect(path, 303)
}

/** The page of the order that an invoice is for; null for none. */
function orderOf({ orderId }: Invoice): string | null {
  return orderId ? `/orders/${orderId}` : null
}

const CHANGED: ReadonlySet<string> = new Set([
  ...['quote_expired', 'invoice_paid', 'invoice_void', 'payment_in_progress'],
])

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

/** The place that the buyer entered. */
function placeIn({ country, postcode, vatNumber }: Form): TypedPlace {
  return {
    ...(country && { country }),
    ...(postcode?.trim() && { postcode: postcode.trim() }),
    ...(vatNumber?.trim() && { vatNumber: vatNumber.trim() }),
  }
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

/** The codes of refusals that are about the items in the cart. */
const IN_CART: ReadonlySet<string> = new Set([
  ...['no_capacity', 'out_of_stock', 'plan_not_for_sale', 'coupon_not_applicable'],
  ...['location_required', 'location_unknown'],
])

/** Says that a visitor's cart cannot be ordered for lack of capacity, and which locations have some; null if it can. */
async function fullOf(visit: Visit, { items }: ShownCart): Promise<string | null> {
  const item = items.find(({ room }) => room === 'full')
  if (!item) return null
  const { orderForm } = await productFor(visit, item.productSlug)
  const free = orderForm.locations.filter(({ room }) => room !== 'full')
  return withRoomElsewhere(
    visit,
    availabilityText(visit, item) ?? '',
    free.map(({ name }) => name),
  )
}

/** Why an order was refused, with the names of the locations that have room. */
async function refusedWith(visit: Visit, { message, alternatives }: Refusal): Promise<string> {
  if (alternatives.length === 0) return message
  const { items } = await cartFor(visit)
  const slugs = new Set(items.map(({ productSlug }) => productSlug))
  const products = await Promise.all([...slugs].map((slug) => productFor(visit, slug)))
  const known = products.flatMap(({ orderForm }) => orderForm.locations)
  const names = known.filter((it) => alternatives.includes(it.slug)).map((it) => it.name)
  return withRoomElsewhere(visit, message, names)
}

function withRoomElsewhere({ texts }: Visit, message: string, names: readonly string[]): string {
  if (names.length === 0) return message
  return `${message} ${texts.checkout.roomElsewhere([...new Set(names)].join(', '))}`
}
