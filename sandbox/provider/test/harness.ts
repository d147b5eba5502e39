import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { TestContext } from 'node:test'
import Stripe from 'stripe'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import type { JournalEntry } from '../journal.ts'
import { type ProviderOptions, startProvider } from '../server.ts'
import type { Delivery, Event } from '../store.ts'
import { assertConforms, assertEventConforms } from './conformance.ts'

/** Signs nothing, answers what it is told, and remembers what it was sent. */
export type Receiver = {
  url: string
  received: { body: string; headers: IncomingHttpHeaders }[]
  /** The status of the next answers. */
  status: number
  types(): string[]
}

/**
 * A provider with the official SDK in front of it. When the test ends, everything that was
 * answered and every event must have been what the API describes.
 */
export async function sandbox(t: TestContext, options: ProviderOptions = {}) {
  const provider = await startProvider({ delayedPaymentMs: 60_000, ...options })
  const { url, port, secretKey, controlToken } = provider
  const stripe = new Stripe(secretKey, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  })

  async function control<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
  ): Promise<T> {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status !== 200) throw new ControlError(response.status, await response.text())
    return response.json() as Promise<T>
  }

  async function assertAllConforms(): Promise<void> {
    const { entries } = await control<{ entries: JournalEntry[] }>('GET', 'journal?limit=5000')
    for (const entry of entries) assertConforms(entry)
    const { store } = await control<{ store: { events: [string, Event][] } }>('GET', 'snapshot')
    for (const [, event] of store.events) assertEventConforms(event)
  }

  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= assertAllConforms().finally(provider.close)
    return stopped
  }
  t.after(stop)

  return {
    provider,
    stripe,
    get: <T>(path: string) => control<T>('GET', path),
    post: <T>(path: string, body: object = {}) => control<T>('POST', path, body),
    stop,
    deliveries: () => control<{ waiting: Delivery[]; past: Delivery[] }>('GET', 'deliveries'),
    settled: () => control('POST', 'deliveries/settle'),
  }
}

export type TestSandbox = Awaited<ReturnType<typeof sandbox>>

export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A server that events can be sent to. */
export async function receiver(t: TestContext): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(it.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const it: Receiver = {
    url: `http://127.0.0.1:${address.port}/events`,
    received,
    status: 200,
    types: () => received.map(({ body }) => JSON.parse(body).type),
  }
  return it
}

/** What a browser does with a form, without following where it is sent. */
export async function submit(url: string, fields: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  const location = response.headers.get('location') ?? ''
  return { status: response.status, location, text: await response.text() }
}

/** The id of an expandable field, whether it was expanded or not. */
export function idOf(field: string | { id: string } | null | undefined): string {
  assert.ok(field)
  return typeof field === 'string' ? field : field.id
}

/** The error a promise is rejected with, which must be the SDK's. */
export async function stripeError(promise: Promise<unknown>) {
  const error = await promise.then(
    () => assert.fail('The call was expected to fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

/** A customer who has this test card. */
export async function customerWith(stripe: Stripe, card = 'pm_card_visa') {
  const customer = await stripe.customers.create({ email: 'ada@example.org', name: 'Ada' })
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id })
  return { customer: customer.id, payment_method: method.id }
}

/** What a shop sends to have an order of 12.34 EUR paid. */
export const order = {
  mode: 'payment',
  success_url: 'https://shop.example/done?cs={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/cancel',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'eur', unit_amount: 1234, product_data: { name: 'Order 1042' } },
    },
  ],
} satisfies Stripe.Checkout.SessionCreateParams
