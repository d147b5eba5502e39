import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { type Answer, type Client, clientFor } from '#test/client.ts'
import { freePort, runToEnd } from '#test/processes.ts'
import { fill, payOnPage, SECRET_KEY, startPanel, startProvider, TOKEN } from '#test/real-shop.ts'
import { controlsOf } from '#test/sandbox.ts'
import { type Running, settingsFor, started } from './ground.ts'

type Body = Answer['body']

/** What somebody has ordered and not paid yet: its page at the provider, and the service to come. */
export type Placed = { readonly page: string; readonly serviceId: string }

/** A service of one process, a provider and a panel, each in a process of its own. */
export type PipelineShop = {
  readonly service: Running
  readonly admin: Client
  /** Has so many new customers order a server each. */
  place(count: number): Promise<Placed[]>
  /** Throws unless each order has one charge, one server and one active service, and the books balance. */
  assertWhole(client: pg.Client, orders: number): Promise<void>
}

const PASSWORD = 'a long enough password'
const ADMIN = { email: 'admin@example.com', password: PASSWORD }
/** Limits count as always; they are not what is measured when they refuse. */
const MANY = '1000000'
const ROOMY_PANEL = {
  ...{ INSTALL_SECONDS: '0', RATE_LIMIT: MANY, PORTS_PER_NODE: '2000' },
  ...{ NODES: '1', MEMORY: '100000000', DISK: '100000000' },
}
/** So many order at once; nothing of it is measured. */
const ORDERING = 8

/** Starts everything, does the work, and ends everything. */
export async function inPipelineShop<T>(
  databaseUrl: string,
  work: (shop: PipelineShop) => Promise<T>,
): Promise<T> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bench-'))
  const ends = [async () => fs.rmSync(dataDir, { recursive: true })]
  try {
    const provider = await startProvider()
    ends.push(provider.kill)
    const panel = await startPanel(ROOMY_PANEL)
    ends.push(panel.kill)
    const { url: providerUrl } = JSON.parse(provider.ready) as { url: string }
    const env = await environmentFor(databaseUrl, { dataDir, providerUrl, panelUrl: panel.ready })
    const service = await started('src/main.js', ['serve'], env)
    ends.push(service.end)
    const admin = await signedIn(service.url)
    const limits = { registrationsPerNetwork: 100_000 }
    const raised = await admin.patch('/v1/admin/settings', { limits })
    assert.equal(raised.status, 200, raised.text)
    const { gatewayId, planId } = await fill(admin, panel.ready)
    let people = 0
    return await work({
      service,
      admin,
      async place(count) {
        const emails = Array.from({ length: count }, (_, index) => emailOf(people + index))
        people += count
        const placed: Placed[] = []
        async function go(): Promise<void> {
          for (let email = emails.shift(); email; email = emails.shift()) {
            placed.push(await placeOrder(service.url, email, { gatewayId, planId }))
          }
        }
        await Promise.all(Array.from({ length: ORDERING }, go))
        return placed
      },
      async assertWhole(client, orders) {
        const [charges, servers] = [await chargesAt(providerUrl), await serversAt(panel.ready)]
        await assertEachOnce(client, { orders, charges, servers })
        const found = await runToEnd({ script: 'src/main.js', args: ['doctor'], env })
        assert.match(found, /Everything is in order/)
      },
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

type Around = { dataDir: string; providerUrl: string; panelUrl: string }

async function environmentFor(databaseUrl: string, { dataDir, providerUrl, panelUrl }: Around) {
  const port = String(await freePort())
  return {
    ...settingsFor(databaseUrl),
    ...{ MOORAGE_ROLE: 'all', PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` },
    ...{ MOORAGE_DATA_DIR: dataDir, RATE_LIMIT_AUTH: MANY },
    ...{ MOORAGE_ADMIN_EMAIL: ADMIN.email, MOORAGE_ADMIN_PASSWORD: ADMIN.password },
    MOORAGE_SANDBOX_PROVIDER_URL: providerUrl,
    MOORAGE_PRIVATE_HOSTS: new URL(panelUrl).host,
  }
}

async function signedIn(url: string): Promise<Client> {
  const { status, body, text } = await clientFor(url).post('/v1/auth/login', ADMIN)
  assert.equal(status, 200, text)
  return clientFor(url, { authorization: `Bearer ${body.accessToken}` })
}

function emailOf(number: number): string {
  return `customer${number}@example.org`
}

type Wanted = { gatewayId: string; planId: string }

/** Signs somebody up, who orders one server. */
async function placeOrder(
  url: string,
  email: string,
  { gatewayId, planId }: Wanted,
): Promise<Placed> {
  const wanted = { email, password: PASSWORD, name: 'Ada Lovelace', country: 'FR' }
  const made = await clientFor(url).post('/v1/auth/register', wanted)
  assert.equal(made.status, 201, made.text)
  const customer = clientFor(url, { authorization: `Bearer ${made.body.accessToken}` })
  const item = await customer.post('/v1/cart/items', { planId })
  assert.equal(item.status, 201, item.text)
  const checkout = { gatewayId, immediateStart: true }
  const { status, body, text } = await customer.post('/v1/billing/checkout', checkout)
  assert.equal(status, 201, text)
  return { page: body.payment.redirectUrl, serviceId: body.order.items[0].serviceIds[0] }
}

/** Everybody pays on their page at the same time; answers when each did, in milliseconds since 1970. */
export async function payAll(placed: readonly Placed[]): Promise<ReadonlyMap<string, number>> {
  const paidAt = new Map<string, number>()
  await Promise.all(
    placed.map(async ({ page, serviceId }) => {
      paidAt.set(serviceId, Date.now())
      await payOnPage(page)
    }),
  )
  return paidAt
}

/** How often the provider has charged for each of its payments. */
async function chargesAt(providerUrl: string): Promise<ReadonlyMap<string, number>> {
  const charged: string[] = []
  for (let last = ''; ; ) {
    const more = last && `&starting_after=${last}`
    const response = await fetch(`${providerUrl}/v1/charges?limit=100${more}`, {
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    })
    const page = (await response.json()) as Body
    for (const { status, payment_intent: payment } of page.data) {
      if (status === 'succeeded') charged.push(payment)
    }
    if (!page.has_more) return counted(charged)
    last = page.data.at(-1).id
  }
}

/** How many servers the panel has of each name that the service gave. */
async function serversAt(panelUrl: string): Promise<ReadonlyMap<string, number>> {
  const panel = controlsOf({ url: panelUrl, controlToken: TOKEN })
  const { servers } = await panel.get<{ servers: Body[] }>('servers')
  return counted(servers.map((it) => it.externalId))
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, (it) => it)].map(([name, { length }]) => [name, length]))
}

type Found = {
  orders: number
  charges: ReadonlyMap<string, number>
  servers: ReadonlyMap<string, number>
}

/** What came of each order: its payments and services by the names they have outside. */
const OF_EACH_ORDER = `
  select
    array(select payment.provider_payment_id from billing.payments payment
      join billing.attempt_invoices paid using (tenant_id, attempt_id)
      where paid.tenant_id = ordered.tenant_id and paid.invoice_id = ordered.invoice_id) as payments,
    array(select external_id from services.services service
      where service.tenant_id = ordered.tenant_id and service.order_id = ordered.id) as services,
    (select count(*) from services.services service
      where service.tenant_id = ordered.tenant_id and service.order_id = ordered.id
        and activated_at is not null and ended_at is null)::int as active
  from orders.orders ordered`

async function assertEachOnce(client: pg.Client, { orders, charges, servers }: Found) {
  type Row = { payments: string[]; services: string[]; active: number }
  const { rows } = await client.query<Row>(OF_EACH_ORDER)
  const totals = { orders: rows.length, charges: charges.size, servers: servers.size }
  assert.deepEqual(totals, { orders, charges: orders, servers: orders }, 'Something is missing')
  for (const { payments, services, active } of rows) {
    assert.deepEqual(
      {
        ...{ payments: payments.length, services: services.length, active },
        charges: charges.get(payments[0] ?? ''),
        servers: servers.get(services[0] ?? ''),
      },
      { payments: 1, services: 1, active: 1, charges: 1, servers: 1 },
      'An order was lost or doubled',
    )
  }
  const { rows: dead } = await client.query(`select from jobs.job where name = 'dead-letters'`)
  assert.equal(dead.length, 0, 'Something was given up')
}
