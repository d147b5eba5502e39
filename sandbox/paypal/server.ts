import { randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { addRefund, answerOf, refundView, view } from './api.ts'
import { type Call, Refused } from './call.ts'
import { selfSigned } from './certificate.ts'
import { page } from './page.ts'
import {
  captureAt,
  type Dispute,
  type Event,
  emptyStore,
  moneyOf,
  newId,
  type Order,
  type Store,
  type Webhook,
} from './store.ts'

/** How a payer ends the page, and what comes of it. */
export type Approval = {
  /** What the capture comes to: `paid`, or the issue it fails with. */
  outcome?: string
  /** What later charges of a wallet that is saved here come to. */
  laterCharges?: string
}

/** What goes wrong with the next calls of a kind. */
export type Fault = {
  method: string
  path: RegExp
  kind: '500-before' | 'hang-up-after' | '429' | 'not-json'
  times: number
}

/** A stand-in for PayPal that has no money: its API in part, a page, and knobs for tests. */
export type Paypal = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly store: Store
  /** Every request so far, as `POST /v2/checkout/orders`. */
  readonly journal: readonly string[]
  /** The payer agrees on the page; nothing is paid by that. */
  approve(orderId: string, approval?: Approval): void
  /** The money of an order that was agreed to is taken, by a call whose answer nobody read. */
  capture(orderId: string): void
  /** A payer complains, and the bank or PayPal takes the money. */
  dispute(captureId: string, stage?: 'INQUIRY' | 'CHARGEBACK'): Dispute
  /** Decides a dispute; of what was claimed the buyer may get only a part, in cents. */
  resolve(
    disputeId: string,
    outcome: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR',
    units?: number,
  ): void
  /** Somebody refunds on PayPal's own pages. */
  refundByHand(captureId: string, units: number): string
  /** A pending refund ends; PayPal tells nobody. */
  endRefund(refundId: string, status: 'COMPLETED' | 'FAILED'): void
  removeToken(tokenId: string): void
  fault(fault: Fault): void
  /** Whether messages are sent at all; they are logged in any case. */
  deliver(on: boolean): void
  /** Sends the newest events once more. */
  redeliver(count: number): void
  /** A message as it is sent, for whoever wants to forge one. */
  messageOf(event: Event, webhookId: string): { headers: Record<string, string>; body: string }
  settled(): Promise<void>
  close(): Promise<void>
}

const TRIES = 5
const TRY_AGAIN_MS = 100
const YEAR_MS = 365 * 24 * 3600 * 1000
const CERTIFICATE = '/v1/notifications/certs/CERT-sandbox'
const signing = selfSigned('messageverificationcerts.sandbox', {
  from: new Date(Date.now() - YEAR_MS),
  to: new Date(Date.now() + 10 * YEAR_MS),
})

/** Starts the stand-in on a port of this machine. */
export async function startPaypal({ port = 0 } = {}): Promise<Paypal> {
  const store = emptyStore()
  const clientId = `A${randomBytes(30).toString('hex')}`
  const clientSecret = `E${randomBytes(30).toString('hex')}`
  const token = randomBytes(20).toString('hex')
  const journal: string[] = []
  const faults: Fault[] = []
  const underway = new Set<Promise<void>>()
  const known = new Map<string, { status: number; body: object | null }>()
  let url = ''
  let delivering = true

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const body = await text(request)
    const [, orderId] = /^\/checkoutnow\/(\w+)$/.exec(pathname) ?? []
    if (orderId) return hostedPage(response, orderId, { method, body })
    if (pathname === CERTIFICATE) return void response.end(signing.pem)
    if (pathname === '/v1/oauth2/token') return giveToken(request, response)
    journal.push(`${method} ${pathname}`)
    const fault = faults.find(
      (it) => it.times > 0 && it.method === method && it.path.test(pathname),
    )
    if (fault) fault.times -= 1
    if (fault?.kind === '429') return send(response, 429, problem('RATE_LIMIT_REACHED'))
    if (fault?.kind === '500-before') return send(response, 500, problem('INTERNAL_ERROR'))
    if (fault?.kind === 'not-json') return void response.end('<h1>Bad gateway</h1>')
    if (request.headers.authorization !== `Bearer ${token}`) {
      return send(response, 401, { name: 'AUTHENTICATION_FAILURE', message: 'Who are you?' })
    }
    const key = request.headers['paypal-request-id']
    const call = { method, path: pathname, query: searchParams, body }
    const answer = once(typeof key === 'string' ? `${method} ${pathname} ${key}` : null, call)
    if (fault?.kind === 'hang-up-after') return void request.socket.destroy()
    send(response, answer.status, answer.body)
  }

  function giveToken({ headers }: IncomingMessage, response: ServerResponse): void {
    const wanted = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    if (headers.authorization !== `Basic ${wanted}`) {
      send(response, 401, { error: 'invalid_client', error_description: 'Unknown' })
      return
    }
    const about = { token_type: 'Bearer', app_id: 'APP-SANDBOX', expires_in: 32_400 }
    send(response, 200, { access_token: token, ...about })
  }

  /** What was done under a key is answered again as it is now. */
  function once(key: string | null, call: Call) {
    const before = key === null ? undefined : known.get(key)
    if (before) return before
    try {
      const answer = answerOf({ store, url, tell }, call)
      if (key !== null) known.set(key, answer)
      return answer
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: error.status, body: problem(error.issue, error.named) }
    }
  }

  function hostedPage(
    response: ServerResponse,
    orderId: string,
    { method, body }: { method: string; body: string },
  ): void {
    const order = store.orders.get(orderId)
    if (!order) {
      send(response, 404, problem('RESOURCE_NOT_FOUND'))
      return
    }
    if (method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(order))
      return
    }
    const agrees = new URLSearchParams(body).get('action') === 'approve'
    if (agrees) approve(orderId)
    const location = (agrees ? order.returnUrl : order.cancelUrl) ?? '/'
    response.writeHead(303, { location }).end()
  }

  function tell(type: string, resource: Record<string, unknown>): void {
    const event: Event = {
      ...{ id: `WH-${newId()}`, event_type: type, create_time: new Date().toISOString() },
      ...{ resource_version: '2.0', resource },
    }
    store.events.push(event)
    report(event)
  }

  function report(event: Event): void {
    if (!delivering) return
    for (const webhook of store.webhooks.values()) {
      if (!webhook.event_types.some(({ name }) => name === event.event_type)) continue
      const sending = deliver(webhook, event).finally(() => underway.delete(sending))
      underway.add(sending)
    }
  }

  function messageOf(event: Event, webhookId: string) {
    const body = JSON.stringify(event)
    const id = `${event.id}-transmission`
    const time = new Date().toISOString()
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`)
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': sign('RSA-SHA256', signed, signing.privateKey).toString('base64'),
      'paypal-cert-url': `${url}${CERTIFICATE}`,
      'paypal-auth-algo': 'SHA256withRSA',
    }
    return { headers, body }
  }

  async function deliver(webhook: Webhook, event: Event): Promise<void> {
    const { headers, body } = messageOf(event, webhook.id)
    for (let tries = 0; tries < TRIES; tries += 1) {
      const status = await fetch(webhook.url, { method: 'POST', headers, body }).then(
        (response) => response.status,
        () => 0,
      )
      if (status >= 200 && status < 300) return
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
  }

  function orderAt(id: string): Order {
    const order = store.orders.get(id)
    if (!order) throw new Error(`There is no order ${id}`)
    return order
  }

  function captured(captureId: string) {
    const found = captureAt(store, captureId)
    if (!found) throw new Error(`There is no capture ${captureId}`)
    return found
  }

  function approve(orderId: string, { outcome = 'paid', laterCharges = 'paid' }: Approval = {}) {
    const order = orderAt(orderId)
    Object.assign(order, { status: 'APPROVED', outcome, laterCharges })
    order.update_time = new Date().toISOString()
    tell('CHECKOUT.ORDER.APPROVED', view(url, order) as Record<string, unknown>)
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ url, clientId, clientSecret, store, journal, approve, messageOf },
    capture(orderId) {
      const path = `/v2/checkout/orders/${orderId}/capture`
      answerOf(
        { store, url, tell },
        { method: 'POST', path, query: new URLSearchParams(), body: '' },
      )
    },
    dispute(captureId, stage = 'CHARGEBACK') {
      const { capture } = captured(captureId)
      const dispute: Dispute = {
        ...{ dispute_id: `PP-D-${newId()}`, create_time: new Date().toISOString() },
        status: 'WAITING_FOR_SELLER_RESPONSE',
        ...{ reason: 'UNAUTHORISED', dispute_amount: capture.amount },
        dispute_life_cycle_stage: stage,
        disputed_transactions: [{ seller_transaction_id: captureId }],
      }
      store.disputes.set(dispute.dispute_id, dispute)
      tell('CUSTOMER.DISPUTE.CREATED', { ...dispute })
      return dispute
    },
    resolve(disputeId, outcome, units) {
      const dispute = store.disputes.get(disputeId)
      if (!dispute) throw new Error(`There is no dispute ${disputeId}`)
      dispute.status = 'RESOLVED'
      const { currency_code: currency } = dispute.dispute_amount
      dispute.dispute_outcome = {
        outcome_code: outcome,
        ...(units !== undefined && { amount_refunded: moneyOf(units, currency) }),
      }
      tell('CUSTOMER.DISPUTE.RESOLVED', { ...dispute })
    },
    refundByHand(captureId, units) {
      const { order, capture } = captured(captureId)
      const amount = moneyOf(units, capture.amount.currency_code)
      const refund = addRefund(order, capture, { amount, custom_id: order.customId })
      tell('PAYMENT.CAPTURE.REFUNDED', refundView(url, refund, capture))
      return refund.id
    },
    endRefund(refundId, status) {
      for (const { refunds } of store.orders.values()) {
        for (const refund of refunds) if (refund.id === refundId) refund.status = status
      }
    },
    removeToken(tokenId) {
      const saved = store.tokens.get(tokenId)
      if (saved) saved.gone = true
      tell('VAULT.PAYMENT-TOKEN.DELETED', { id: tokenId })
    },
    fault: (fault) => void faults.push({ ...fault }),
    deliver(on) {
      delivering = on
    },
    redeliver(count) {
      for (const event of store.events.slice(-count)) report(event)
    },
    async settled() {
      while (underway.size > 0) await Promise.all(underway)
    },
    async close() {
      delivering = false
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function problem(issue: string, name = 'UNPROCESSABLE_ENTITY'): object {
  return {
    ...{ name, message: 'The request was refused.', debug_id: 'debug' },
    details: [{ issue, description: issue }],
  }
}

function send(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === null ? '' : JSON.stringify(body))
}
