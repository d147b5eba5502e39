import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createOutbound } from '#platform/outbound.ts'
import { type Ending, type Mollie, startMollie } from '#sandbox/mollie/server.ts'
import { type Approval, type Paypal, startPaypal } from '#sandbox/paypal/server.ts'
import { type TestOptions, until } from './app.ts'
import { type BillingShop, billingShop, sessionOf } from './billing-shop.ts'

/** How a payer or a bank behaves; each provider has cards or knobs for it. */
export type Behaviour = 'fine' | 'declined' | 'declined-later' | 'asks-later'

/** One provider with the knobs that every acceptance test needs, whatever it calls them. */
export type ProviderBench = {
  readonly driver: string
  /** Whether a declined card ends the hosted page. */
  readonly declineEnds: boolean
  /** What people know a method saved there by. */
  readonly last4: string | null
  /** Whether the provider says so when a refund fails; else it is asked now and then. */
  readonly tellsOfRefunds: boolean
  /** Whether a method can be saved without paying anything. */
  readonly savesAlone: boolean
  /** The gateway of this provider in the shop. */
  readonly gatewayId: string
  /** The body that adds another gateway of the same account. */
  readonly gateway: Record<string, unknown>
  /** Ends a hosted page. `declined-later` and `asks-later` save a method that is so from then on. */
  pay(url: string, behaviour?: Behaviour): Promise<void>
  /** Ends a hosted page so that its money is there; nobody tells us of it. */
  payUntold(url: string): Promise<void>
  /** Messages are thrown away until they are wanted again. */
  deliver(on: boolean): Promise<void>
  /** Reports a payment again, some times over. */
  repeat(paymentId: string, times: number): Promise<void>
  /** The next call that makes something of a kind is done, and its answer lost. */
  loseAnswer(what: 'checkout' | 'charge' | 'refund'): Promise<void>
  /** A bank takes a payment back, for good unless it is given back. */
  chargeBack(paymentId: string): Promise<string>
  giveBack(chargebackId: string): Promise<void>
  loseForGood(chargebackId: string): Promise<void>
  /** Somebody refunds at the provider. */
  refundThere(paymentId: string, amountCents: number): Promise<void>
  failRefund(providerRefundId: string): Promise<void>
  /** A saved method stops working at the provider. */
  removeMethod(providerMethodId: string): Promise<void>
  /** How many payments the provider has that brought money. */
  countPaid(): Promise<number>
  settled(): Promise<void>
  /** The secret that must never be seen. */
  readonly secret: string
}

/** A shop with a gateway of each driver that takes money by itself. */
export type ProviderShop = BillingShop & {
  readonly mollie: Mollie
  readonly paypal: Paypal
  readonly benches: readonly ProviderBench[]
}

/** Starts the stand-ins and a shop that uses them all. */
export async function providerShop(options: TestOptions = {}): Promise<ProviderShop> {
  const [mollie, paypal] = await Promise.all([startMollie(), startPaypal()])
  after(() => Promise.all([mollie.close(), paypal.close()]))
  const shop = await billingShop({
    ...options,
    config: { ...options.config, ...reaching(mollie, paypal) },
  })
  const gateway = {
    ...{ driver: 'sandbox_mollie', name: 'Mollie', mode: 'test', enabled: true },
    secrets: { apiKey: mollie.apiKey },
  }
  const { status, body } = await shop.admin.post('/v1/admin/gateways', gateway)
  assert.equal(status, 201, JSON.stringify(body))
  const wallets = await addWallets(shop, paypal)
  return {
    ...shop,
    ...{ mollie, paypal },
    benches: [
      stripeBench(shop),
      mollieBench(mollie, { gatewayId: body.id, gateway }),
      paypalBench(paypal, wallets),
    ],
  }
}

type Added = Pick<ProviderBench, 'gatewayId' | 'gateway'>

/** Adds a gateway at the stand-in for PayPal, once it has said where to report. */
async function addWallets({ admin }: BillingShop, paypal: Paypal): Promise<Added> {
  const { clientId, clientSecret } = paypal
  const gateway = {
    ...{ driver: 'sandbox_paypal', name: 'PayPal', mode: 'test', enabled: true },
    secrets: { clientId, clientSecret },
  }
  const { status, body } = await admin.post('/v1/admin/gateways', gateway)
  assert.equal(status, 201, JSON.stringify(body))
  await registered(admin, body.id)
  return { gatewayId: body.id, gateway }
}

/** Waits until a provider knows where to report what happens to a gateway. */
export function registered(admin: BillingShop['admin'], gatewayId: string) {
  return until('the webhook is registered', async () => {
    const { body } = await admin.get(`/v1/admin/gateways/${gatewayId}`)
    return body.webhookRegistered
  })
}

/** The configuration in which the stand-ins for Mollie and PayPal are reached. */
export function reaching(mollie: Pick<Mollie, 'url'>, paypal: Pick<Paypal, 'url'>) {
  return {
    ...{ sandboxMollieUrl: mollie.url, sandboxPaypalUrl: paypal.url },
    privateHosts: [mollie, paypal].map(({ url }) => `payment=${new URL(url).host}`),
  }
}

/** The way out of a driver that is tried alone. */
export function outboundTo({ url }: Pick<Mollie, 'url'>) {
  const outbound = createOutbound({ privateHosts: [new URL(url).host] })
  after(() => outbound.close())
  return outbound
}

const CARDS: Readonly<Record<Behaviour, string>> = {
  fine: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclined',
  'declined-later': 'pm_card_chargeCustomerFail',
  'asks-later': 'pm_card_authenticationRequired',
}

function stripeBench(shop: BillingShop): ProviderBench {
  const { control, provider, gatewayId } = shop
  const routes = {
    checkout: 'POST /v1/checkout/sessions',
    charge: 'POST /v1/payment_intents',
    refund: 'POST /v1/refunds',
  } as const
  async function read(path: string) {
    const response = await fetch(`${provider.url}/v1/${path}`, {
      headers: { authorization: `Bearer ${provider.secretKey}` },
    })
    return (await response.json()) as { data: { id: string; status: string; type: string }[] }
  }
  return {
    ...{ driver: 'sandbox', declineEnds: false, savesAlone: true, gatewayId },
    ...{ last4: '4242', tellsOfRefunds: true },
    secret: provider.secretKey,
    gateway: {
      ...{ driver: 'sandbox', name: 'Cards', mode: 'test', enabled: true },
      secrets: { secretKey: provider.secretKey },
    },
    async pay(url, behaviour = 'fine') {
      await control(`checkout-sessions/${sessionOf(url)}/complete`, { card: CARDS[behaviour] })
    },
    payUntold: async (url) => void (await control(`checkout-sessions/${sessionOf(url)}/complete`)),
    deliver: async (on) => void (await control('delivery', { mode: on ? 'auto' : 'drop' })),
    async repeat(_paymentId, times) {
      const { data } = await read('events?limit=2')
      const events = data.flatMap(({ id }) => new Array<string>(times).fill(id))
      await Promise.all(events.map((event) => control('delivery', { mode: 'redeliver', event })))
    },
    // The SDK sends a request that was cut off once more.
    async loseAnswer(what) {
      await control('faults', { route: routes[what], kind: 'timeout-after', n: 4, ms: 1 })
    },
    chargeBack: async (paymentIntent) => String((await control('disputes', { paymentIntent })).id),
    giveBack: async (id) => void (await control(`disputes/${id}/close`, { outcome: 'won' })),
    loseForGood: async (id) => void (await control(`disputes/${id}/close`, { outcome: 'lost' })),
    async refundThere(paymentIntent, amount) {
      await control('refunds', { paymentIntent, amount })
    },
    failRefund: async (id) => void (await control(`refunds/${id}/fail`)),
    removeMethod: async (id) => void (await control(`payment-methods/${id}/detach`)),
    async countPaid() {
      const { data } = await read('payment_intents?limit=100')
      return data.filter(({ status }) => status === 'succeeded').length
    },
    settled: shop.settled,
  }
}

const ENDINGS: Readonly<Record<Behaviour, Ending>> = {
  fine: {},
  declined: { status: 'failed', failureReason: 'card_declined' },
  'declined-later': { laterCharges: 'insufficient_funds' },
  'asks-later': { laterCharges: 'authentication_required' },
}

function mollieBench(
  mollie: Mollie,
  { gatewayId, gateway }: Pick<ProviderBench, 'gatewayId' | 'gateway'>,
): ProviderBench {
  const paths = {
    checkout: /^\/v2\/payments$/,
    charge: /^\/v2\/payments$/,
    refund: /\/refunds$/,
  } as const
  return {
    ...{ driver: 'sandbox_mollie', declineEnds: true, savesAlone: false },
    ...{ last4: '4242', tellsOfRefunds: true },
    ...{ gatewayId, gateway },
    secret: mollie.apiKey,
    async pay(url, behaviour = 'fine') {
      mollie.complete(sessionOf(url), ENDINGS[behaviour])
    },
    payUntold: async (url) => mollie.complete(sessionOf(url), ENDINGS.fine),
    deliver: async (on) => mollie.deliver(on),
    async repeat(paymentId, times) {
      for (let time = 0; time < times; time += 1) mollie.report(paymentId)
    },
    async loseAnswer(what) {
      mollie.fault({ method: 'POST', path: paths[what], kind: 'hang-up-after', times: 1 })
    },
    chargeBack: async (paymentId) => mollie.chargeBack(paymentId).id,
    giveBack: async (id) => mollie.reverse(id),
    // The money is gone from the first moment.
    loseForGood: async () => undefined,
    refundThere: async (paymentId, amount) => void mollie.refundByHand(paymentId, amount),
    failRefund: async (id) => mollie.endRefund(id, 'failed'),
    removeMethod: async (id) => mollie.revoke(id.split('/')[1] ?? ''),
    async countPaid() {
      return [...mollie.store.payments.values()].filter(({ status }) => status === 'paid').length
    },
    settled: mollie.settled,
  }
}

const APPROVALS: Readonly<Record<Exclude<Behaviour, 'declined'>, Approval>> = {
  fine: {},
  'declined-later': { laterCharges: 'INSTRUMENT_DECLINED' },
  'asks-later': { laterCharges: 'PAYER_ACTION_REQUIRED' },
}

function paypalBench(paypal: Paypal, { gatewayId, gateway }: Added): ProviderBench {
  const paths = {
    checkout: /\/orders$/,
    charge: /\/orders$/,
    refund: /\/refund$/,
  } as const
  return {
    ...{ driver: 'sandbox_paypal', declineEnds: false, savesAlone: false },
    ...{ last4: null, tellsOfRefunds: false },
    ...{ gatewayId, gateway },
    secret: paypal.clientSecret,
    async pay(url, behaviour = 'fine') {
      // A wallet that is declined is declined on the page, and its payer stays there.
      if (behaviour !== 'declined') paypal.approve(sessionOf(url), APPROVALS[behaviour])
    },
    async payUntold(url) {
      paypal.approve(sessionOf(url))
      paypal.capture(sessionOf(url))
    },
    deliver: async (on) => paypal.deliver(on),
    async repeat(_paymentId, times) {
      for (let time = 0; time < times; time += 1) paypal.redeliver(2)
    },
    async loseAnswer(what) {
      paypal.fault({ method: 'POST', path: paths[what], kind: 'hang-up-after', times: 1 })
    },
    chargeBack: async (captureId) => paypal.dispute(captureId).dispute_id,
    giveBack: async (id) => paypal.resolve(id, 'RESOLVED_SELLER_FAVOUR'),
    loseForGood: async (id) => paypal.resolve(id, 'RESOLVED_BUYER_FAVOUR'),
    refundThere: async (captureId, amount) => void paypal.refundByHand(captureId, amount),
    failRefund: async (id) => paypal.endRefund(id, 'FAILED'),
    removeMethod: async (id) => paypal.removeToken(id),
    async countPaid() {
      return [...paypal.store.orders.values()].filter(({ captures }) => captures.length > 0).length
    },
    settled: paypal.settled,
  }
}
