import type Stripe from 'stripe'
import { assertChargeable, readCurrency } from '../amounts.ts'
import { invalid, noSuch, refuseParameters } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Price, Session } from '../store.ts'
import { findPrice, findProduct, newPrice, newProduct } from './catalog.ts'
import { findCustomer } from './customers.ts'
import { announce } from './events.ts'
import { cancelPayment, findPayment } from './payments.ts'
import { cancelSetup, findSetup, newSetup } from './setups.ts'

type Params = Stripe.Checkout.SessionCreateParams
type LineParams = Stripe.Checkout.SessionCreateParams.LineItem

const UNSUPPORTED = [
  'discounts',
  'invoice_creation',
  'optional_items',
  'return_url',
  'shipping_options',
  'subscription_data',
]
const SHORTEST_SECONDS = 30 * 60
const LONGEST_SECONDS = 24 * 60 * 60

/** The session of an id; 404 for none. */
export function findSession({ store }: Sandbox, id: string): Session {
  const session = store.sessions.get(id)
  if (!session) throw noSuch('checkout.session', id)
  return session
}

function create(sandbox: Sandbox, params: Params): Session {
  refuseParameters(params, UNSUPPORTED)
  assertFits(params)
  const customer = params.customer ? findCustomer(sandbox, params.customer, 'customer') : null
  const expiresAt = expiryOf(sandbox, params.expires_at)
  const id = `cs_test_${newId('x').slice(2)}`
  const lines = (params.line_items ?? []).map((it, index) => newLine(sandbox, it, index))
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
  const currency = currencyOf(params, lines)
  if (params.mode === 'payment') assertChargeable(total, currency, 'line_items')
  const session = resource<Session>('Checkout.Session', {
    ...born(sandbox),
    id,
    ...(params.mode === 'payment' && { amount_subtotal: total, amount_total: total }),
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    currency,
    customer: customer?.id ?? null,
    customer_creation: customer ? null : (params.customer_creation ?? 'if_required'),
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt,
    locale: params.locale ?? null,
    metadata: mergedMetadata(null, params.metadata),
    mode: params.mode ?? 'payment',
    payment_method_collection: 'if_required',
    payment_method_options: {},
    payment_method_types: params.allowed_payment_method_types ?? ['card'],
    payment_status: params.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    status: 'open',
    submit_type: params.submit_type ?? null,
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${sandbox.publicUrl}/c/pay/${id}`,
  })
  if (params.mode === 'setup') session.setup_intent = setupOf(sandbox, params)
  if (session.setup_intent) sandbox.store.sessionOfIntent.set(session.setup_intent, id)
  const expiry = { at: expiresAt * 1000, what: 'session-expires', id } as const
  sandbox.store.appointments.set(id, expiry)
  sandbox.store.sessions.set(id, session)
  sandbox.store.plans.set(id, { lines, intent: params.payment_intent_data ?? {} })
  return session
}

function setupOf(sandbox: Sandbox, { customer, setup_intent_data: data }: Params): string {
  const { description, metadata } = data ?? {}
  return newSetup(sandbox, { customer: customer ?? null, description, metadata }).id
}

/** 400 for parameters that do not go together; the schema cannot say that. */
function assertFits(params: Params): void {
  const { mode, ui_mode: ui = 'hosted_page', success_url: success, cancel_url: cancel } = params
  if (!mode) throw missing('mode')
  if (mode === 'subscription') throw invalid('The sandbox has no subscriptions.', { param: 'mode' })
  if (ui !== 'hosted_page')
    throw invalid('The sandbox has hosted pages only.', { param: 'ui_mode' })
  if (!success) throw missing('success_url')
  assertUrl(success, 'success_url')
  if (cancel) assertUrl(cancel, 'cancel_url')
  if (params.customer && params.customer_email) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer_email',
    })
  }
  if (mode === 'payment') {
    if (!params.line_items?.length) throw missing('line_items')
    if (params.setup_intent_data) throw onlyIn('setup', 'setup_intent_data')
    return
  }
  if (params.line_items) throw onlyIn('payment', 'line_items')
  if (params.payment_intent_data) throw onlyIn('payment', 'payment_intent_data')
  if (!params.allowed_payment_method_types && !params.currency) throw missing('currency')
}

function missing(param: string) {
  return invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' })
}

function onlyIn(mode: string, param: string) {
  return invalid(`You can only use ${param} in ${mode} mode.`, { param })
}

/** Browsers are sent there, so it must be an address of the web. */
function assertUrl(text: string, param: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const message = 'Not a valid URL: an address with http or https is required.'
    throw invalid(message, { param, code: 'url_invalid' })
  }
}

function expiryOf({ clock }: Sandbox, wanted: number | undefined): number {
  const now = clock.seconds()
  if (wanted === undefined) return now + LONGEST_SECONDS
  if (wanted >= now + SHORTEST_SECONDS && wanted <= now + LONGEST_SECONDS) return wanted
  throw invalid(
    'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout ' +
      'Session creation.',
    { param: 'expires_at' },
  )
}

function newLine(sandbox: Sandbox, line: LineParams, index: number): Stripe.LineItem {
  const at = `line_items[${index}]`
  const { quantity } = line
  if (quantity === undefined) throw missing(`${at}[quantity]`)
  if (quantity < 1) throw invalid('Quantity must be at least 1.', { param: `${at}[quantity]` })
  const price = priceOf(sandbox, line, at)
  const amount = (price.unit_amount ?? 0) * quantity
  return resource<Stripe.LineItem>('LineItem', {
    id: newId('li'),
    amount_subtotal: amount,
    amount_total: amount,
    currency: price.currency,
    description: sandbox.store.products.get(price.product)?.name ?? null,
    price: structuredClone(price),
    quantity,
  })
}

function priceOf(sandbox: Sandbox, { price, price_data: data }: LineParams, at: string): Price {
  if ((price === undefined) === (data === undefined)) {
    throw invalid('Each line item takes either price or price_data.', {
      param: `${at}[price]`,
      code: 'parameter_missing',
    })
  }
  if (!data) return findPrice(sandbox, price ?? '', `${at}[price]`)
  const param = `${at}[price_data]`
  if (data.recurring) {
    throw invalid('The sandbox has no subscriptions.', { param: `${param}[recurring]` })
  }
  if ((data.product === undefined) === (data.product_data === undefined)) {
    throw missing(`${param}[product_data]`)
  }
  const { currency, unit_amount, unit_amount_decimal } = data
  const amounts = { currency, unit_amount, unit_amount_decimal }
  const product = data.product_data
    ? newProduct(sandbox, { ...data.product_data, active: false })
    : findProduct(sandbox, data.product ?? '', `${param}[product]`)
  return newPrice(sandbox, { ...amounts, product: product.id, active: false }, param)
}

function currencyOf(params: Params, lines: readonly Stripe.LineItem[]): string {
  const given = params.currency ? readCurrency(params.currency) : undefined
  const currencies = new Set(lines.map((it) => it.currency).concat(given ?? []))
  if (currencies.size > 1) {
    throw invalid('All line items must have the same currency.', { param: 'line_items' })
  }
  return [...currencies][0] ?? 'eur'
}

function expire(sandbox: Sandbox, _params: object, id: string): Session {
  const session = findSession(sandbox, id)
  if (session.status !== 'open') {
    throw invalid(
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
        `has a status of ${session.status}.`,
    )
  }
  expireSession(sandbox, session)
  return session
}

const UNFINISHED = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Ends an open session; an intent it had opened is canceled with it. */
export function expireSession(sandbox: Sandbox, session: Session): void {
  session.status = 'expired'
  session.url = null
  sandbox.store.appointments.delete(session.id)
  if (session.payment_intent) {
    const intent = findPayment(sandbox, session.payment_intent)
    if (UNFINISHED.includes(intent.status)) cancelPayment(sandbox, intent, 'automatic')
  }
  if (session.setup_intent) {
    const intent = findSetup(sandbox, session.setup_intent)
    if (UNFINISHED.includes(intent.status)) cancelSetup(sandbox, intent, 'abandoned')
  }
  announce(sandbox, 'checkout.session.expired', session)
}

function retrieve(sandbox: Sandbox, _params: object, id: string): Session {
  return findSession(sandbox, id)
}

function list({ store }: Sandbox, params: Stripe.Checkout.SessionListParams): object {
  const { customer, payment_intent: intent, status, created } = params
  const rows = [...store.sessions.values()].filter(
    (it) =>
      (!customer || it.customer === customer) &&
      (!intent || it.payment_intent === intent) &&
      (!status || it.status === status),
  )
  return listOf(rows, { url: '/v1/checkout/sessions', page: params, ...(created && { created }) })
}

function listLines(
  sandbox: Sandbox,
  params: Stripe.Checkout.SessionListLineItemsParams,
  id: string,
): object {
  findSession(sandbox, id)
  // Line items are listed in the order of the order, unlike everything else.
  const lines = [...(sandbox.store.plans.get(id)?.lines ?? [])].reverse()
  return listOf(lines, { url: `/v1/checkout/sessions/${id}/line_items`, page: params })
}

export const sessionOperations: Operations = {
  'GET /v1/checkout/sessions': operation(list),
  'POST /v1/checkout/sessions': operation(create),
  'GET /v1/checkout/sessions/{session}': operation(retrieve),
  'POST /v1/checkout/sessions/{session}/expire': operation(expire),
  'GET /v1/checkout/sessions/{session}/line_items': operation(listLines),
}
