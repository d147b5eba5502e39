import {
  type Customer,
  chargedBackOf,
  decimalsOf,
  type Mandate,
  type Money,
  newId,
  type Payment,
  type Refund,
  refundedOf,
  type Store,
  unitsOf,
} from './store.ts'
import type { Views } from './views.ts'

/** A request that Mollie says no to. */
export class Refused extends Error {
  readonly status: number
  readonly field: string | undefined

  constructor(status: number, message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

export type Call = { method: string; path: string; query: URLSearchParams; body: string }
export type Answer = { status: number; body: object | null }

type Place = { store: Store; views: Views; url: string; report: (paymentId: string) => void }
type Handler = (place: Place, ids: string[], call: Call) => Answer

const ROUTES: readonly [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^profiles\/me$/, () => ok({ resource: 'profile', id: 'pfl_sandbox', mode: 'test' })],
  ['POST', /^payments$/, createPayment],
  [
    'GET',
    /^payments$/,
    ({ store, views }, _, call) =>
      listOf('payments', [...store.payments.values()], (it) => views.payment(it), call),
  ],
  ['GET', /^payments\/(tr_\w+)$/, readPayment],
  ['DELETE', /^payments\/(tr_\w+)$/, cancelPayment],
  ['POST', /^payments\/(tr_\w+)\/refunds$/, createRefund],
  [
    'GET',
    /^refunds$/,
    ({ store, views }, _, call) =>
      listOf('refunds', [...store.refunds.values()], views.refund, call),
  ],
  [
    'GET',
    /^chargebacks$/,
    ({ store, views }, _, call) =>
      listOf('chargebacks', [...store.chargebacks.values()], views.chargeback, call),
  ],
  ['POST', /^customers$/, createCustomer],
  ['PATCH', /^customers\/(cst_\w+)$/, updateCustomer],
  ['DELETE', /^customers\/(cst_\w+)$/, deleteCustomer],
  ['GET', /^customers\/(cst_\w+)\/payments$/, listCustomerPayments],
  ['GET', /^customers\/(cst_\w+)\/mandates$/, listMandates],
  ['GET', /^customers\/(cst_\w+)\/mandates\/(mdt_\w+)$/, readMandate],
  ['DELETE', /^customers\/(cst_\w+)\/mandates\/(mdt_\w+)$/, revokeMandate],
]

/** Does what a call asks for. Throws `Refused`. */
export function answerOf(place: Place, call: Call): Answer {
  for (const [method, path, handler] of ROUTES) {
    const [found, ...ids] = path.exec(call.path) ?? []
    if (found !== undefined && method === call.method) return handler(place, ids, call)
  }
  throw new Refused(404, 'No such endpoint')
}

function ok(body: object): Answer {
  return { status: 200, body }
}

function found<T>(it: T | undefined, what: string): T {
  if (it === undefined) throw new Refused(404, `No ${what} exists with this token`)
  return it
}

function fieldsOf({ body }: Call): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    throw new Refused(400, 'The body is not JSON')
  }
}

function amountIn({ amount }: Record<string, unknown>): Money {
  const { currency, value } = (amount ?? {}) as Partial<Money>
  if (typeof currency !== 'string' || typeof value !== 'string') {
    throw new Refused(422, 'The amount is missing', 'amount')
  }
  const decimals = decimalsOf(currency)
  const form = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`)
  if (!form.test(value)) throw new Refused(422, 'The amount has wrong decimals', 'amount')
  if (unitsOf({ currency, value }) < 1) {
    throw new Refused(422, 'The amount is lower than the minimum', 'amount')
  }
  return { currency, value }
}

function textIn(fields: Record<string, unknown>, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function createPayment({ store, views, report }: Place, _: string[], call: Call): Answer {
  const fields = fieldsOf(call)
  const sequence = textIn(fields, 'sequenceType') ?? 'oneoff'
  const recurring = sequence === 'recurring'
  const description = textIn(fields, 'description')
  if (!description) throw new Refused(422, 'The description is missing', 'description')
  const redirectUrl = textIn(fields, 'redirectUrl')
  if (!recurring && !redirectUrl) {
    throw new Refused(422, 'The redirect URL is missing', 'redirectUrl')
  }
  const customerId = textIn(fields, 'customerId')
  if (customerId) found(store.customers.get(customerId), 'customer')
  if (sequence !== 'oneoff' && !customerId) {
    throw new Refused(422, 'A customer is needed', 'customerId')
  }
  const now = new Date()
  const payment: Payment = {
    ...{ id: newId('tr'), createdAt: now.toISOString(), status: 'open' },
    ...{ amount: amountIn(fields), description, metadata: fields.metadata ?? null },
    ...{ method: null, sequenceType: sequence as Payment['sequenceType'], customerId },
    ...{ mandateId: null, redirectUrl, cancelUrl: textIn(fields, 'cancelUrl') },
    ...{ webhookUrl: textIn(fields, 'webhookUrl'), paidAt: null, details: null },
    expiresAt: recurring ? null : new Date(now.getTime() + 15 * 60_000).toISOString(),
  }
  if (recurring) charge(store, payment, textIn(fields, 'mandateId'))
  store.payments.set(payment.id, payment)
  if (recurring) report(payment.id)
  return { status: 201, body: views.payment(payment) }
}

/** A mandate is charged at once; a debit takes days. */
function charge(store: Store, payment: Payment, wanted: string | null): void {
  const mandate = mandatesOf(store, payment.customerId ?? '').find(
    ({ id, status }) => status === 'valid' && (wanted === null || id === wanted),
  )
  if (!mandate) throw new Refused(422, 'The customer has no valid mandate', 'mandateId')
  payment.mandateId = mandate.id
  payment.method = mandate.method
  if (mandate.outcome === 'paid' || mandate.outcome === 'pending') {
    payment.status = mandate.outcome
    payment.details = mandate.details
    payment.paidAt = mandate.outcome === 'paid' ? payment.createdAt : null
    return
  }
  payment.status = 'failed'
  payment.details = { failureReason: mandate.outcome }
}

function readPayment({ store, views }: Place, [id = '']: string[], { query }: Call): Answer {
  const embed = query.get('embed')?.split(',')
  return ok(views.payment(found(store.payments.get(id), 'payment'), embed))
}

function cancelPayment({ store, views, report }: Place, [id = '']: string[]): Answer {
  const payment = found(store.payments.get(id), 'payment')
  if (payment.status !== 'open' || payment.method !== 'banktransfer') {
    throw new Refused(422, 'The payment cannot be canceled')
  }
  payment.status = 'canceled'
  report(id)
  return ok(views.payment(payment))
}

function createRefund({ store, views, report }: Place, [id = '']: string[], call: Call): Answer {
  const payment = found(store.payments.get(id), 'payment')
  const fields = fieldsOf(call)
  const amount = amountIn(fields)
  if (payment.status !== 'paid') throw new Refused(422, 'The payment was not paid', 'status')
  const left = unitsOf(payment.amount) - refundedOf(store, id) - chargedBackOf(store, id)
  if (unitsOf(amount) > left)
    throw new Refused(422, 'The amount is higher than what is left', 'amount')
  const refund: Refund = {
    ...{ id: newId('re'), paymentId: id, createdAt: new Date().toISOString() },
    ...{ status: 'pending', amount, metadata: fields.metadata ?? null },
  }
  store.refunds.set(refund.id, refund)
  report(id)
  return { status: 201, body: views.refund(refund) }
}

function createCustomer({ store, views }: Place, _: string[], call: Call): Answer {
  const customer: Customer = {
    ...{ id: newId('cst'), createdAt: new Date().toISOString(), fields: fieldsOf(call) },
  }
  store.customers.set(customer.id, customer)
  return { status: 201, body: views.customer(customer) }
}

function updateCustomer({ store, views }: Place, [id = '']: string[], call: Call): Answer {
  const customer = found(store.customers.get(id), 'customer')
  Object.assign(customer.fields, fieldsOf(call))
  return ok(views.customer(customer))
}

function deleteCustomer({ store }: Place, [id = '']: string[]): Answer {
  found(store.customers.get(id), 'customer')
  for (const mandate of mandatesOf(store, id)) store.mandates.delete(mandate.id)
  store.customers.delete(id)
  return { status: 204, body: null }
}

function listCustomerPayments({ store, views }: Place, [id]: string[], call: Call): Answer {
  const own = [...store.payments.values()].filter(({ customerId }) => customerId === id)
  return listOf('payments', own, (it) => views.payment(it), call)
}

function mandatesOf(store: Store, customer: string): Mandate[] {
  return [...store.mandates.values()].filter(({ customerId }) => customerId === customer)
}

function listMandates({ store, views }: Place, [id = '']: string[], call: Call): Answer {
  return listOf('mandates', mandatesOf(store, id), views.mandate, call)
}

function mandateAt({ store }: Place, [customerId, id = '']: string[]): Mandate {
  const mandate = store.mandates.get(id)
  return found(mandate?.customerId === customerId ? mandate : undefined, 'mandate')
}

function readMandate(place: Place, ids: string[]): Answer {
  return ok(place.views.mandate(mandateAt(place, ids)))
}

function revokeMandate(place: Place, ids: string[]): Answer {
  const { id } = mandateAt(place, ids)
  place.store.mandates.delete(id)
  return { status: 204, body: null }
}

/** A page of a list, newest first; `from` is the id it begins with. */
function listOf<T extends { id: string }>(
  name: string,
  all: readonly T[],
  view: (it: T) => object,
  { query, path }: Call,
): Answer {
  const newest = [...all].reverse()
  const limit = Math.min(Number(query.get('limit') ?? 50), 250)
  const from = query.get('from')
  const start = from === null ? 0 : newest.findIndex(({ id }) => id === from)
  const items = newest.slice(start, start + limit)
  const next = newest[start + limit]
  const href = next && `https://api.mollie.com/v2/${path}?limit=${limit}&from=${next.id}`
  return ok({
    ...{ count: items.length, _embedded: { [name]: items.map(view) } },
    _links: { next: href ? { href, type: 'application/hal+json' } : null },
  })
}
