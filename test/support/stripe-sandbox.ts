import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import Stripe from 'stripe'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { type Provider, startProvider } from '#sandbox/provider/server.ts'
import type {
  EventEnvelope,
  GatewayContext,
  PaymentGateway,
  RawWebhook,
  StartPaymentInput,
} from '../../src/areas/billing/gateways/contract.ts'
import type { Observation } from '../../src/areas/billing/gateways/snapshots.ts'
import { stripeGateway } from '../../src/areas/billing/gateways/stripe/gateway.ts'
import { correlation, gatewayContext } from './gateway-context.ts'

/** A Stripe driver, all its methods, and the provider it talks to. */
export type StripeSandbox = {
  gateway: Required<PaymentGateway>
  context: GatewayContext
  provider: Provider
  /** The provider's API as its owner uses it, past the driver. */
  sdk: Stripe
  /** Turns one of the provider's knobs: `control('clock', { advanceSeconds: 60 })`. */
  control(path: string, body?: object): Promise<Record<string, unknown>>
  /** Pays a hosted page, or saves a card on it. */
  complete(checkoutId: string | undefined, body?: object): Promise<Record<string, unknown>>
  /** A new customer with a card that was saved on a hosted page. */
  savedCard(card?: string): Promise<{ customerId: string; methodId: string }>
  /** Messages that have come in since the last call, once nothing more is on its way. */
  received(): Promise<RawWebhook[]>
  /** What those messages mean now, to this or another gateway. */
  observed(context?: GatewayContext): Promise<Observation[]>
}

/** Starts a provider, a listener for its messages, and a driver that is registered for them. */
export async function stripeSandbox(t: TestContext): Promise<StripeSandbox> {
  const provider = await startProvider()
  t.after(() => provider.close())
  const mailbox: RawWebhook[] = []
  const webhookUrl = await listener(t, mailbox)
  const { url: baseUrl, secretKey } = provider
  const gateway = stripeGateway({ driver: 'sandbox', baseUrl }) as Required<PaymentGateway>
  const unregistered = gatewayContext({ webhookUrl, secrets: { secretKey } })
  const { endpointId, newSecret = '' } = await gateway.ensureWebhook(unregistered)
  const secrets = { secretKey, webhookSecret: newSecret }
  const context = { ...unregistered, webhookEndpointId: endpointId, secrets }
  const { hostname: host, port } = new URL(baseUrl)
  const sdk = new Stripe(secretKey, { host, port, protocol: 'http', telemetry: false })

  async function control(path: string, body: object = {}) {
    const response = await fetch(`${baseUrl}/_sandbox/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.controlToken}` },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, unknown>
    assert.equal(response.status, 200, JSON.stringify(answer))
    return answer
  }

  function complete(checkoutId = '', body: object = {}) {
    return control(`checkout-sessions/${checkoutId}/complete`, body)
  }

  async function savedCard(card = 'pm_card_visa') {
    const customer = { userId: 'user-1', email: 'ada@example.org' }
    const { customerId } = await gateway.ensureCustomer(context, customer, 'inst-1:cus:user-1:1')
    const { setupId } = await gateway.startSetup(context, {
      correlation: correlation({ attemptId: 'setup-1' }),
      idempotencyKey: 'inst-1:setup:setup-1:1',
      customerId,
      currency: 'EUR',
      returnUrl: 'https://shop.example/return',
      cancelUrl: 'https://shop.example/cancel',
    })
    await complete(setupId, { card })
    const { method } = await gateway.fetchSetup(context, setupId)
    assert.ok(method)
    return { customerId, methodId: method.methodId }
  }

  async function received() {
    await control('deliveries/settle')
    return mailbox.splice(0)
  }

  async function observed(as = context) {
    const events: EventEnvelope[] = []
    for (const message of await received()) {
      events.push(...(await gateway.receiveWebhook(context, message)))
    }
    const observations = await Promise.all(events.map((event) => gateway.observe(as, event)))
    return observations.flat()
  }

  return { gateway, context, provider, sdk, control, complete, savedCard, received, observed }
}

async function listener(t: TestContext, mailbox: RawWebhook[]): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const body = await buffer(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const receivedAt = instant(Date.now())
    mailbox.push({ headers: Object.fromEntries(headers), body, query: {}, receivedAt })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Paying 12.50 EUR for invoice-1 on a hosted page. */
export function paymentInput(changes: Partial<StartPaymentInput> = {}): StartPaymentInput {
  return {
    correlation: correlation(),
    idempotencyKey: 'inst-1:checkout:attempt-1:1',
    amount: { amountCents: cents(1250), currency: 'EUR' },
    description: 'Order 1042',
    saveMethod: false,
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
    ...changes,
  }
}
