import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { PanelOptions } from '#sandbox/panel/server.ts'
import { type TestOptions, until } from './app.ts'
import { type BillingShop, billingShop } from './billing-shop.ts'
import type { Answer } from './client.ts'
import { type Person, person } from './people.ts'
import { sandboxPanel } from './sandbox-panel.ts'
import { type Made, type Shop, shopOf } from './shop.ts'

type Body = Answer['body']

/** A whole shop: the service between a sandbox payment provider and a sandbox game panel. */
export type GameShop = BillingShop & {
  readonly panel: Awaited<ReturnType<typeof sandboxPanel>>
  readonly catalog: Shop
  readonly nodeId: string
  readonly eggId: string
  /** A product that is a game server, with a monthly plan of 1000 cents. */
  server(product?: object, plan?: object): Promise<{ product: Made; plan: Made }>
  customer(country?: string): Promise<Person>
  /** Puts plans into a cart and checks out. */
  order(customer: Person, planId: string, how?: object): Promise<Body>
  /** An order that is paid on the provider's page. */
  buy(customer: Person, planId: string): Promise<Body>
  /** Waits until the first service of an order has a status. */
  serviceBecame(customer: Person, status: string): Promise<Body>
  /** The servers the panel has. */
  servers(): Promise<Body[]>
}

export type GameShopOptions = TestOptions & { panel?: PanelOptions }

/** Starts it all, with the panel's eggs read and a gateway that is registered. */
export async function gameShop({ panel: panelOptions, ...options }: GameShopOptions = {}) {
  const panel = await sandboxPanel({ after }, { installSeconds: 0.05, ...panelOptions })
  const shop = await billingShop({
    ...options,
    config: { privateHosts: [`127.0.0.1:${panel.port}`], ...options.config },
  })
  const { app, admin, gatewayId } = shop
  const catalog = shopOf(admin)
  const nodeId = await addNode(admin, panel)
  const eggId = await eggNamed(admin, 'Paper')

  async function order(customer: Person, planId: string, how: object = {}): Promise<Body> {
    const added = await customer.post('/v1/cart/items', { planId })
    assert.equal(added.status, 201, added.text)
    const { status, body } = await customer.post('/v1/billing/checkout', { gatewayId, ...how })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  const all: GameShop = {
    ...{ ...shop, panel, catalog, nodeId, eggId, order },
    async server(product = {}, plan = {}) {
      const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
      const provisioning = { eggId, nodeIds: [nodeId], limits }
      return catalog.offer(plan, { provisioning, ...product })
    },
    customer: (country = 'FR') => person(app, { country }),
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
  }
  return all
}

async function addNode(admin: Person, panel: GameShop['panel']): Promise<string> {
  const { status, body } = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Panel', url: panel.url, type: 'pterodactyl' },
    ...{ apiKey: panel.applicationKey, clientApiKey: panel.clientKey },
  })
  assert.equal(status, 201, JSON.stringify(body))
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
