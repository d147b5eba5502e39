import assert from 'node:assert/strict'
import { after } from 'node:test'
import Stripe from 'stripe'
import type { PanelOptions } from '#sandbox/panel/server.ts'
import { type TestOptions, until } from './app.ts'
import { type BillingShop, billingShop } from './billing-shop.ts'
import { checkOut } from './checkout.ts'
import type { Answer } from './client.ts'
import type { Person } from './people.ts'
import { sandboxPanel } from './sandbox-panel.ts'
import { type Made, type Shop, shopOf } from './shop.ts'

type Body = Answer['body']

/** A whole shop: the service between a sandbox payment provider and a sandbox game panel. */
export type GameShop = BillingShop & {
  readonly panel: Awaited<ReturnType<typeof sandboxPanel>>
  readonly catalog: Shop
  readonly nodeId: string
  readonly eggId: string
  /** The provider's API as its owner uses it, past the service. */
  readonly sdk: Stripe
  /** A product that is a game server, with a monthly plan of 1000 cents. */
  server(product?: object, plan?: object): Promise<{ product: Made; plan: Made }>
  /** Somebody who buys, and whose credential outlives every movement of the clock. */
  customer(country?: string): Promise<Person>
  /** Puts plans into a cart and checks out. */
  order(customer: Person, planId: string, how?: object): Promise<Body>
  /** An order that is paid on the provider's page. */
  buy(customer: Person, planId: string): Promise<Body>
  /** Waits until the first service of an order has a status. */
  serviceBecame(customer: Person, status: string): Promise<Body>
  /** The servers the panel has. */
  servers(): Promise<Body[]>
  /** Waits until all messages of the provider are delivered and read. */
  quiet(): Promise<void>
  /**
   * Whatever happened on the way, an order ends as one sale: one charge at the provider, one payment
   * and one number here, and for each unit one active service with one server, told of once.
   */
  becameOneSale(customer: Person, placed: Body): Promise<void>
}

export type GameShopOptions = TestOptions & { panel?: PanelOptions }

/** Starts it all, with the panel's eggs read and a gateway that is registered. */
export async function gameShop({ panel: panelOptions, ...options }: GameShopOptions = {}) {
  const panel = await sandboxPanel(
    { after },
    { installSeconds: 0.05, rateLimits: { application: 60_000 }, ...panelOptions },
  )
  const shop = await billingShop({
    ...options,
    config: {
      ...options.config,
      privateHosts: [`127.0.0.1:${panel.port}`, ...(options.config?.privateHosts ?? [])],
    },
  })
  const { admin, gatewayId, provider } = shop
  const { hostname: host, port } = new URL(provider.url)
  const sdk = new Stripe(provider.secretKey, { host, port, protocol: 'http', telemetry: false })
  const nodeId = await addNode(admin, panel)
  const eggId = await eggNamed(admin, 'Paper')
  const place = { eggId, nodeIds: [nodeId] }
  // What is sold without further words takes no room from others.
  const catalog = shopOf(admin, { ...place, limits: { memoryMb: 0, diskMb: 0 } })

  async function order(customer: Person, planId: string, how: object = {}): Promise<Body> {
    const added = await customer.post('/v1/cart/items', { planId })
    assert.equal(added.status, 201, added.text)
    const { status, body } = await checkOut(customer, { gatewayId, ...how })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  const all: GameShop = {
    ...{ ...shop, admin, panel, catalog, nodeId, eggId, sdk, order },
    server(product = {}, plan = {}) {
      const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
      return catalog.offer(plan, { provisioning: { ...place, limits }, ...product })
    },
    customer: (country = 'FR') => shop.buyer({ country }),
    async buy(customer, planId) {
      const placed = await order(customer, planId)
      await shop.complete(placed.payment.redirectUrl)
      return placed
    },
    serviceBecame: (customer, status) =>
      until(`the service is ${status}`, async () => {
        const { body } = await customer.get('/v1/services')
        return body.data[0]?.status === status && body.data[0]
      }),
    servers: async () => {
      const response = await fetch(`${panel.url}/_sandbox/servers`, {
        headers: { authorization: `Bearer ${panel.controlToken}` },
      })
      const { servers } = (await response.json()) as { servers: Body[] }
      return servers
    },
    async quiet() {
      await shop.settled()
      await until('every message is read', async () => {
        const unread = await shop.db
          .selectFrom('billing.provider_events')
          .select('id')
          .where('state', '=', 'new')
          .execute()
        return unread.length === 0
      })
    },
    becameOneSale: (customer, placed) => becameOneSale(all, customer, placed),
  }
  return all
}

async function becameOneSale(shop: GameShop, customer: Person, placed: Body): Promise<void> {
  const { db, admin, sdk } = shop
  const order = await until('the order is fulfilled', async () => {
    const { body } = await customer.get(`/v1/billing/orders/${placed.order.id}`)
    return body.status === 'fulfilled' && body
  })
  await shop.quiet()
  const invoice = (await customer.get(`/v1/billing/invoices/${order.invoiceId}`)).body
  assert.equal(invoice.status, 'paid')
  assert.match(invoice.number, /^INV-\d{4}-\d{6}$/)
  const payments = await db
    .selectFrom('billing.payment_allocations')
    .selectAll()
    .where('invoiceId', '=', invoice.id)
    .execute()
  assert.deepEqual(
    payments.map(({ amountCents }) => amountCents),
    [invoice.totalCents],
  )
  const intents = await sdk.paymentIntents.list({ limit: 100 })
  const charged = intents.data.filter(
    ({ status, amount, currency, metadata }) =>
      status === 'succeeded' &&
      amount === invoice.totalCents &&
      currency.toUpperCase() === invoice.currency &&
      metadata.tenant_id === shop.tenantId &&
      metadata.invoice_id === invoice.id,
  )
  assert.equal(charged.length, 1, 'the provider charged once')
  const servers = await shop.servers()
  const notices: Body[] = (await customer.get('/v1/notifications')).body.data
  for (const id of order.items.flatMap((item: Body) => item.serviceIds)) {
    const { body: service } = await admin.get(`/v1/admin/services/${id}`)
    assert.equal(service.status, 'active')
    const own = servers.filter(({ externalId }) => externalId === service.externalId)
    assert.equal(own.length, 1, 'the panel has one server')
    const told = notices.filter(
      ({ kind, link }) => kind === 'service_active' && link === `/servers/${id}`,
    )
    assert.equal(told.length, 1, 'the customer was told once')
  }
  await shop.assertSound()
}

async function addNode(admin: Person, panel: GameShop['panel']): Promise<string> {
  const { status, body } = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Panel', url: panel.url, type: 'auto' },
    ...{ apiKey: panel.applicationKey, clientApiKey: panel.clientKey },
  })
  assert.equal(status, 201, JSON.stringify(body))
  const tested = await admin.post(`/v1/admin/nodes/${body.id}/test`)
  assert.equal(tested.body.ok, true, tested.text)
  const synced = await admin.post(`/v1/admin/nodes/${body.id}/sync-eggs`)
  assert.equal(synced.status, 200, synced.text)
  return body.id
}

async function eggNamed(admin: Person, name: string): Promise<string> {
  const { body } = await admin.get('/v1/admin/eggs?limit=100')
  const egg = body.data.find((it: Body) => it.name === name)
  assert.ok(egg, `There is an egg named ${name}`)
  return egg.id
}
