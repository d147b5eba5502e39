import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { answerOf, Refused } from './api.ts'
import { page } from './page.ts'
import {
  type Chargeback,
  emptyStore,
  type Mandate,
  moneyOf,
  newId,
  type Payment,
  type Store,
} from './store.ts'
import { viewsOf } from './views.ts'

/** How a customer ends a hosted page. */
export type Ending = {
  status?: 'paid' | 'pending' | 'failed' | 'canceled' | 'expired'
  method?: string
  failureReason?: string
  /** What later charges of a mandate made here come to: `paid`, `pending`, or why they fail. */
  laterCharges?: string
}

/** What goes wrong with the next calls of a kind. */
export type Fault = {
  method: string
  path: RegExp
  kind: '500-before' | '500-after' | 'hang-up-after' | '429' | 'not-json'
  times: number
}

/** A stand-in for Mollie that has no money: its API in part, hosted pages, and knobs for tests. */
export type Mollie = {
  readonly url: string
  readonly apiKey: string
  readonly store: Store
  /** Every request so far, as `POST /v2/payments`. */
  readonly journal: readonly string[]
  /** Ends a hosted page as its customer would. */
  complete(paymentId: string, ending?: Ending): void
  /** A bank takes a payment back. */
  chargeBack(paymentId: string, units?: number): Chargeback
  reverse(chargebackId: string): void
  /** Somebody refunds in the dashboard. */
  refundByHand(paymentId: string, units: number): string
  endRefund(refundId: string, status: 'refunded' | 'failed' | 'canceled'): void
  revoke(mandateId: string): void
  fault(fault: Fault): void
  /** Whether messages are sent at all. */
  deliver(on: boolean): void
  /** Reports a payment once more, to the address it was made with. */
  report(paymentId: string): void
  /** All messages have been answered, or given up. */
  settled(): Promise<void>
  /** How the messages so far were answered. */
  readonly answers: readonly number[]
  close(): Promise<void>
}

export const TEST_KEY = 'test_sandboxsandboxsandboxsandbox'
const TRIES = 5
const TRY_AGAIN_MS = 100

/** Starts the stand-in on a port of this machine. */
export async function startMollie({ port = 0, apiKey = TEST_KEY } = {}): Promise<Mollie> {
  const store = emptyStore()
  const journal: string[] = []
  const answers: number[] = []
  const faults: Fault[] = []
  const underway = new Set<Promise<void>>()
  const known = new Map<string, { request: string; status: number; body: object | null }>()
  let url = ''
  let delivering = true
  const views = viewsOf(store, () => url)

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const body = await text(request)
    const [, paymentId] = /^\/checkout\/(tr_\w+)$/.exec(pathname) ?? []
    if (paymentId) {
      hostedPage(response, paymentId, { method, body })
      return
    }
    journal.push(`${method} ${pathname}`)
    const fault = takeFault(method, pathname)
    if (fault === '429') return send(response, 429, problem(429, 'Too many requests'), '1')
    if (fault === '500-before') return send(response, 500, problem(500, 'Internal error'))
    if (fault === 'not-json') return void response.end('<h1>Bad gateway</h1>')
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      return send(response, 401, problem(401, 'Missing authentication, or failed to authenticate'))
    }
    const key = request.headers['idempotency-key']
    const call = { method, path: pathname.replace(/^\/v2\//, ''), query: searchParams, body }
    const { status, body: answer } = once(typeof key === 'string' ? key : null, call)
    if (fault === 'hang-up-after') return void request.socket.destroy()
    if (fault === '500-after') return send(response, 500, problem(500, 'Internal error'))
    return send(response, status, answer)
  }

  /** The answer to a key is given again, as long as the stand-in lives. */
  function once(key: string | null, call: Parameters<typeof answerOf>[1]) {
    const request = `${call.method} ${call.path} ${call.body}`
    const before = key === null ? undefined : known.get(key)
    if (before && before.request !== request) {
      return { status: 400, body: problem(400, 'This idempotency key was used otherwise') }
    }
    if (before) return before
    const answer = answered(call)
    if (key !== null && answer.status < 400) known.set(key, { request, ...answer })
    return answer
  }

  function answered(call: Parameters<typeof answerOf>[1]) {
    try {
      return answerOf({ store, views, url, report }, call)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: error.status, body: problem(error.status, error.message, error.field) }
    }
  }

  function takeFault(method: string, path: string): Fault['kind'] | undefined {
    const fault = faults.find((it) => it.times > 0 && it.method === method && it.path.test(path))
    if (fault) fault.times -= 1
    return fault?.kind
  }

  function hostedPage(
    response: ServerResponse,
    paymentId: string,
    { method, body }: { method: string; body: string },
  ): void {
    const payment = store.payments.get(paymentId)
    if (!payment) {
      send(response, 404, problem(404, 'No such page'))
      return
    }
    if (method === 'POST') {
      const status = new URLSearchParams(body).get('status') as Ending['status']
      complete(paymentId, { status: status ?? 'paid' })
      response.writeHead(303, { location: payment.redirectUrl ?? '/' }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(payment))
  }

  function report(paymentId: string): void {
    const webhookUrl = store.payments.get(paymentId)?.webhookUrl
    if (!webhookUrl || !delivering) return
    const sending = deliver(webhookUrl, paymentId).finally(() => underway.delete(sending))
    underway.add(sending)
  }

  async function deliver(webhookUrl: string, id: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const status = await fetch(webhookUrl, {
        method: 'POST',
        body: new URLSearchParams({ id }),
        redirect: 'manual',
      }).then(
        (response) => response.status,
        () => 0,
      )
      answers.push(status)
      if (status >= 200 && status < 300) return
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
  }

  function complete(paymentId: string, ending: Ending = {}): void {
    const payment = paymentAt(paymentId)
    const { status = 'paid', method = 'creditcard', failureReason } = ending
    payment.method = method
    payment.status = status
    payment.details = status === 'failed' ? { failureReason } : detailsOf(method)
    if (status === 'paid') payment.paidAt = new Date().toISOString()
    if (status === 'paid' && payment.sequenceType === 'first' && payment.customerId) {
      payment.mandateId = addMandate(payment, ending.laterCharges ?? 'paid').id
    }
    report(paymentId)
  }

  function addMandate({ customerId, method }: Payment, outcome: string): Mandate {
    const mandate: Mandate = {
      ...{ id: newId('mdt'), customerId: customerId ?? '', createdAt: new Date().toISOString() },
      ...{ status: 'valid', method: method ?? 'creditcard', outcome },
      details: detailsOf(method ?? 'creditcard'),
    }
    store.mandates.set(mandate.id, mandate)
    return mandate
  }

  function paymentAt(id: string): Payment {
    const payment = store.payments.get(id)
    if (!payment) throw new Error(`There is no payment ${id}`)
    return payment
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ url, apiKey, store, journal, answers, complete, report },
    chargeBack(paymentId, units) {
      const { amount } = paymentAt(paymentId)
      const chargeback: Chargeback = {
        ...{ id: newId('chb'), paymentId, createdAt: new Date().toISOString(), reversedAt: null },
        amount: units === undefined ? amount : moneyOf(units, amount.currency),
      }
      store.chargebacks.set(chargeback.id, chargeback)
      report(paymentId)
      return chargeback
    },
    reverse(chargebackId) {
      const chargeback = store.chargebacks.get(chargebackId)
      if (!chargeback) throw new Error(`There is no chargeback ${chargebackId}`)
      chargeback.reversedAt = new Date().toISOString()
      report(chargeback.paymentId)
    },
    refundByHand(paymentId, units) {
      const { amount } = paymentAt(paymentId)
      const id = newId('re')
      store.refunds.set(id, {
        ...{ id, paymentId, createdAt: new Date().toISOString(), status: 'pending' },
        ...{ amount: moneyOf(units, amount.currency), metadata: null },
      })
      report(paymentId)
      return id
    },
    endRefund(refundId, status) {
      const refund = store.refunds.get(refundId)
      if (!refund) throw new Error(`There is no refund ${refundId}`)
      refund.status = status
      report(refund.paymentId)
    },
    revoke(mandateId) {
      const mandate = store.mandates.get(mandateId)
      if (mandate) mandate.status = 'invalid'
    },
    fault: (fault) => void faults.push({ ...fault }),
    deliver(on) {
      delivering = on
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

function detailsOf(method: string): Record<string, unknown> {
  if (method === 'directdebit') {
    return { consumerName: 'Ada', consumerAccount: 'DE89370400440532013000' }
  }
  return {
    ...{ cardLabel: 'Visa', cardNumber: '4242', cardFingerprint: 'print-4242' },
    cardExpiryDate: '2034-12-31',
  }
}

function problem(status: number, detail: string, field?: string): object {
  return {
    ...{ status, title: 'Refused', detail, ...(field && { field }) },
    _links: { documentation: { href: 'https://docs.mollie.com', type: 'text/html' } },
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: object | null,
  retryAfter?: string,
): void {
  response.writeHead(status, {
    'content-type': 'application/hal+json',
    ...(retryAfter && { 'retry-after': retryAfter }),
  })
  response.end(body === null ? '' : JSON.stringify(body))
}
