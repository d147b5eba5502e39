import { type Answer, type Call, type Fields, ok, type Place, Refused } from './call.ts'
import {
  type Capture,
  captureAt,
  hasRightDecimals,
  type Money,
  newId,
  type Order,
  type Refund,
  refundedOf,
  type Store,
  type Token,
  unitsOf,
} from './store.ts'
import { listTransactions } from './transactions.ts'

type Handler = (place: Place, ids: string[], call: Call) => Answer

const ROUTES: readonly [method: string, path: RegExp, handler: Handler][] = [
  ['POST', /^\/v2\/checkout\/orders$/, createOrder],
  [
    'GET',
    /^\/v2\/checkout\/orders\/(\w+)$/,
    ({ store, url }, [id]) => ok(view(url, orderAt(store, id))),
  ],
  ['POST', /^\/v2\/checkout\/orders\/(\w+)\/capture$/, captureOrder],
  [
    'GET',
    /^\/v2\/payments\/captures\/(\w+)$/,
    ({ store }, [id = '']) => ok(found(captureAt(store, id)).capture),
  ],
  ['POST', /^\/v2\/payments\/captures\/(\w+)\/refund$/, refundCapture],
  ['DELETE', /^\/v3\/vault\/payment-tokens\/([\w-]+)$/, deleteToken],
  [
    'GET',
    /^\/v1\/customer\/disputes\/([\w-]+)$/,
    ({ store }, [id = '']) => ok(found(store.disputes.get(id))),
  ],
  ['GET', /^\/v1\/customer\/disputes$/, listDisputes],
  ['GET', /^\/v1\/reporting\/transactions$/, listTransactions],
  [
    'GET',
    /^\/v1\/notifications\/webhooks$/,
    ({ store }) => ok({ webhooks: [...store.webhooks.values()] }),
  ],
  ['POST', /^\/v1\/notifications\/webhooks$/, createWebhook],
  ['PATCH', /^\/v1\/notifications\/webhooks\/([\w-]+)$/, changeWebhook],
  ['GET', /^\/v1\/notifications\/webhooks-events$/, listEvents],
]

/** Does what a call asks for. Throws `Refused`. */
export function answerOf(place: Place, call: Call): Answer {
  for (const [method, path, handler] of ROUTES) {
    const [whole, ...ids] = path.exec(call.path) ?? []
    if (whole !== undefined && method === call.method) return handler(place, ids, call)
  }
  throw new Refused(404, 'RESOURCE_NOT_FOUND')
}

function found<T>(it: T | null | undefined): T {
  if (it === undefined || it === null) throw new Refused(404, 'INVALID_RESOURCE_ID')
  return it
}

function orderAt(store: Store, id = ''): Order {
  return found(store.orders.get(id))
}

function fieldsOf({ body }: Call): Fields {
  try {
    return JSON.parse(body) as Fields
  } catch {
    throw new Refused(400, 'MALFORMED_REQUEST_JSON')
  }
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const name of path) here = (here as Fields | undefined)?.[name]
  return here
}

function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = at(value, ...path)
  return typeof text === 'string' ? text : undefined
}

function moneyIn(value: unknown): Money {
  const money = { currency_code: textAt(value, 'currency_code'), value: textAt(value, 'value') }
  if (!money.currency_code || !money.value) throw new Refused(400, 'MISSING_REQUIRED_PARAMETER')
  if (!hasRightDecimals(money as Money)) throw new Refused(422, 'DECIMAL_PRECISION')
  if (unitsOf(money as Money) < 1) throw new Refused(422, 'CANNOT_BE_ZERO_OR_NEGATIVE')
  return money as Money
}

/** An order as PayPal shows it. */
export function view(url: string, order: Order): object {
  const { id, status, create_time, update_time, amount, customId, token } = order
  const payable = status === 'PAYER_ACTION_REQUIRED' || status === 'APPROVED'
  const vault = token && { id: token.id, status: 'VAULTED' }
  return {
    ...{ id, status, intent: 'CAPTURE', create_time, update_time },
    purchase_units: [
      {
        ...{ reference_id: 'default', amount, custom_id: customId, invoice_id: order.invoiceId },
        ...(order.captures.length > 0 && {
          payments: {
            captures: order.captures,
            ...(order.refunds.length > 0 && { refunds: order.refunds }),
          },
        }),
      },
    ],
    payment_source: { paypal: wallet(vault) },
    links: [
      { rel: 'self', href: `${url}/v2/checkout/orders/${id}` },
      ...(payable ? [{ rel: 'payer-action', href: `${url}/checkoutnow/${id}` }] : []),
    ],
  }
}

function wallet(vault: object | null) {
  return {
    ...{ email_address: 'ada@payer.example', account_id: 'PAYERACCOUNT1' },
    ...{ address: { country_code: 'DE' }, ...(vault && { attributes: { vault } }) },
  }
}

function createOrder({ store, url, tell }: Place, _: string[], call: Call): Answer {
  const fields = fieldsOf(call)
  const unit = at(fields, 'purchase_units', 0)
  const source = at(fields, 'payment_source', 'paypal')
  const now = new Date().toISOString()
  const vaultId = textAt(source, 'vault_id')
  const token = vaultId ? store.tokens.get(vaultId) : null
  if (vaultId && (!token || token.gone)) throw new Refused(422, 'TOKEN_ID_NOT_FOUND')
  const saves = textAt(source, 'attributes', 'vault', 'store_in_vault') === 'ON_SUCCESS'
  const order: Order = {
    ...{ id: newId(), status: 'PAYER_ACTION_REQUIRED', create_time: now, update_time: now },
    amount: moneyIn(at(unit, 'amount')),
    ...{ customId: textAt(unit, 'custom_id'), invoiceId: textAt(unit, 'invoice_id') },
    returnUrl: textAt(source, 'experience_context', 'return_url'),
    cancelUrl: textAt(source, 'experience_context', 'cancel_url'),
    savesFor: saves
      ? (textAt(source, 'attributes', 'customer', 'merchant_customer_id') ?? 'unknown')
      : null,
    ...{ token: null, outcome: 'paid', laterCharges: 'paid', captures: [], refunds: [] },
  }
  if (token) {
    // Such an order is captured by the call that makes it, or not made.
    if (token.outcome !== 'paid') throw new Refused(422, token.outcome)
    take(store, order, tell)
  } else if (!order.returnUrl) throw new Refused(400, 'MISSING_REQUIRED_PARAMETER')
  store.orders.set(order.id, order)
  return ok(view(url, order), 201)
}

function captureOrder({ store, url, tell }: Place, [id]: string[]): Answer {
  const order = orderAt(store, id)
  if (order.status === 'COMPLETED') throw new Refused(422, 'ORDER_ALREADY_CAPTURED')
  if (order.status !== 'APPROVED') throw new Refused(422, 'ORDER_NOT_APPROVED')
  if (order.outcome !== 'paid') throw new Refused(422, order.outcome)
  take(store, order, tell)
  return ok(view(url, order), 201)
}

/** Moves the money of an order. */
function take(store: Store, order: Order, tell: Place['tell']): void {
  const { amount, customId, invoiceId, savesFor } = order
  const taken = [...store.orders.values()].some(
    (it) => invoiceId !== undefined && it.invoiceId === invoiceId && it.captures.length > 0,
  )
  if (taken) throw new Refused(422, 'DUPLICATE_INVOICE_ID')
  const now = new Date().toISOString()
  const capture: Capture = {
    ...{ id: newId(), status: 'COMPLETED', amount, create_time: now },
    ...(customId && { custom_id: customId }),
    ...(invoiceId && { invoice_id: invoiceId }),
    seller_receivable_breakdown: {
      paypal_fee: { ...amount, value: amount.value.includes('.') ? '0.35' : '35' },
    },
    supplementary_data: { related_ids: { order_id: order.id } },
  }
  order.captures.push(capture)
  order.status = 'COMPLETED'
  order.update_time = now
  if (savesFor) {
    const token: Token = {
      ...{ id: newId().toLowerCase(), merchantCustomerId: savesFor, gone: false },
      outcome: order.laterCharges,
    }
    store.tokens.set(token.id, token)
    order.token = token
    tell('VAULT.PAYMENT-TOKEN.CREATED', tokenView(token))
  }
  tell('PAYMENT.CAPTURE.COMPLETED', { ...capture })
}

/** A saved wallet as events show it. */
export function tokenView({ id, merchantCustomerId }: Token): Fields {
  return {
    ...{ id, customer: { merchant_customer_id: merchantCustomerId } },
    payment_source: { paypal: wallet(null) },
  }
}

function refundCapture({ store, url, tell }: Place, [id = '']: string[], call: Call): Answer {
  const { order, capture } = found(captureAt(store, id))
  const fields = fieldsOf(call)
  const amount = moneyIn(at(fields, 'amount'))
  const left = unitsOf(capture.amount) - refundedOf(order)
  if (left === 0) throw new Refused(422, 'CAPTURE_FULLY_REFUNDED')
  if (unitsOf(amount) > left) throw new Refused(422, 'REFUND_AMOUNT_EXCEEDED')
  const refund = addRefund(order, capture, { amount, custom_id: textAt(fields, 'custom_id') })
  tell('PAYMENT.CAPTURE.REFUNDED', refundView(url, refund, capture))
  return ok(refundView(url, refund, capture), 201)
}

/** Sends money of a capture back; until it has arrived it is pending. */
export function addRefund(
  order: Order,
  capture: Capture,
  { amount, custom_id }: { amount: Money; custom_id: string | undefined },
): Refund {
  const refund = {
    ...{ id: newId(), status: 'PENDING', amount, ...(custom_id && { custom_id }) },
    create_time: new Date().toISOString(),
  }
  order.refunds.push(refund)
  const whole = refundedOf(order) === unitsOf(capture.amount)
  capture.status = whole ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  return refund
}

export function refundView(url: string, refund: Refund, { id }: Capture): Fields {
  const up = { rel: 'up', href: `${url}/v2/payments/captures/${id}` }
  return { ...refund, links: [up] }
}

function deleteToken({ store, tell }: Place, [id = '']: string[]): Answer {
  const token = found(store.tokens.get(id))
  if (token.gone) throw new Refused(404, 'RESOURCE_NOT_FOUND')
  token.gone = true
  tell('VAULT.PAYMENT-TOKEN.DELETED', { id })
  return { status: 204, body: null }
}

function createWebhook({ store }: Place, _: string[], call: Call): Answer {
  const { url, event_types: types } = fieldsOf(call)
  if (typeof url !== 'string' || !Array.isArray(types)) throw new Refused(400, 'VALIDATION_ERROR')
  if ([...store.webhooks.values()].some((it) => it.url === url)) {
    throw new Refused(400, 'WEBHOOK_URL_ALREADY_EXISTS')
  }
  const webhook = { id: newId(), url, event_types: types as { name: string }[] }
  store.webhooks.set(webhook.id, webhook)
  return ok(webhook, 201)
}

function changeWebhook({ store }: Place, [id = '']: string[], call: Call): Answer {
  const webhook = found(store.webhooks.get(id))
  const [change] = fieldsOf(call) as unknown as { value: { name: string }[] }[]
  webhook.event_types = change?.value ?? webhook.event_types
  return ok(webhook)
}

function listDisputes({ store }: Place, _: string[], { query }: Call): Answer {
  const since = query.get('create_time_after') ?? ''
  const size = Number(query.get('page_size') ?? 10)
  const skipped = (Number(query.get('page') ?? 1) - 1) * size
  const all = [...store.disputes.values()].filter(({ create_time }) => create_time >= since)
  const items = all
    .slice(skipped, skipped + size)
    .map(({ disputed_transactions: _left, ...summary }) => summary)
  return ok({ items, links: [] })
}

function listEvents({ store, url }: Place, _: string[], { query }: Call): Answer {
  const since = query.get('start_time') ?? ''
  const size = Number(query.get('page_size') ?? 10)
  const skipped = Number(query.get('from') ?? 0)
  const all = store.events.filter(({ create_time }) => create_time >= since).toReversed()
  const events = all.slice(skipped, skipped + size)
  const more = new URLSearchParams(query)
  more.set('from', String(skipped + size))
  const next = { rel: 'next', href: `${url}/v1/notifications/webhooks-events?${more}` }
  const links = skipped + size < all.length ? [next] : []
  return ok({ events, count: all.length, links })
}
