import { newId } from '#lib/id.ts'
import { basisPoints, cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { json, type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Secrets } from '#platform/secrets.ts'
import { SANDBOX_SELLER } from '#sandbox/seller.ts'
import { findDefaultTenant } from '#tenants'
import { accessTokens, insertUser, openSession } from '#users'

const PEOPLE = 100
/** What each of them has of everything. */
const EACH = 20
const PRODUCTS = 12
const RATE = basisPoints(2000)
const START = instant('2030-01-08T09:15:00.500Z')

/**
 * Whose lists are read: one of many, with 20 services, orders, invoices and notifications, who also
 * runs the shop. One of their services and invoices, and a product's short name.
 */
export type Reader = {
  readonly tenantId: string
  readonly userId: string
  readonly token: string
  /** Continues their session in a browser, once. */
  readonly refreshToken: string
  readonly serviceId: string
  readonly invoiceId: string
  readonly slug: string
}

type Owner = { tenantId: string; userId: string }
type Sold = { nodeId: string; productId: string; planId: string }
type Had = { serviceId: string; invoiceId: string }

/** Fills a migrated database with the customers of a small shop. */
export async function seed(deps: Deps): Promise<Reader> {
  const { database, clock, secrets } = deps
  const tenant = await findDefaultTenant(database.everywhere)
  if (!tenant) throw new Error('The database has no tenant')
  const now = clock.now()
  const tenantId = tenant.id
  return transact(database.of(tenantId), async (tx) => {
    const seller = { seller: json(SANDBOX_SELLER), sellerReadyAt: START }
    await tx.updateTable('tenants.tenants').set(seller).where('id', '=', tenantId).execute()
    const sold = await insertCatalogue(tx, tenantId, secrets)
    let last = ''
    let had: Had = { serviceId: '', invoiceId: '' }
    for (let number = 0; number < PEOPLE; number += 1) {
      last = await insertPerson(tx, tenantId, number)
      had = await insertPossessions(tx, { tenantId, userId: last }, sold)
    }
    const key = { tenantId, userId: last }
    await insertCart(tx, key, sold)
    await makeAdministrator(tx, key)
    const device = { address: '127.0.0.1', userAgent: 'bench' }
    const { sessionId, refreshToken } = await openSession(tx, { ...key, device }, now)
    const token = accessTokens(deps).sign({ ...key, sessionId }, now)
    return { ...key, ...had, token, refreshToken, slug: 'minecraft-0' }
  })
}

/** Products with two plans each; the first of them is what everybody has. */
async function insertCatalogue(tx: Tx, tenantId: string, secrets: Secrets): Promise<Sold> {
  const nodeId = newId()
  // A service starts only with a key that opens what is sealed.
  const sealedApiKey = secrets.seal('ptla_1234', `panel.nodes ${tenantId} ${nodeId} apiKey`)
  const createdAt = START
  await tx
    .insertInto('panel.nodes')
    .values({
      ...{ tenantId, id: nodeId, name: 'Panel', url: 'https://panel.example.org' },
      ...{ type: 'pterodactyl', sealedApiKey, maskedApiKey: '…1234', createdAt },
    })
    .execute()
  const eggId = newId()
  const none = json([])
  await tx
    .insertInto('panel.eggs')
    .values({
      ...{ tenantId, id: eggId, source: 'panel', nodeId, remoteId: 1, name: 'Paper' },
      ...{ description: '', stop: 'stop', contentHash: eggId, createdAt, updatedAt: createdAt },
      ...{ tags: none, features: none, doneMarkers: none, variables: none },
      dockerImages: json([{ label: 'Java 21', image: 'java_21' }]),
      startupCommands: json([{ label: 'Default', command: 'java -jar server.jar' }]),
    })
    .execute()
  const limits = { memoryMb: 4096, diskMb: 20_480, cpuPercent: 200, swapMb: 0, io: 500 }
  const featureLimits = { databases: 1, backups: 2, allocations: 1 }
  const made = { eggId, nodeIds: [nodeId], locationIds: [], limits, featureLimits, environment: {} }
  const products = Array.from({ length: PRODUCTS }, (_, number) => ({
    ...{ tenantId, id: newId(), slug: `minecraft-${number}`, name: `Minecraft server ${number}` },
    ...{
      position: number,
      createdAt,
      provisioning: json(made),
      publishedAt: createdAt,
      sellableSince: createdAt,
    },
  }))
  await tx.insertInto('store.products').values(products).execute()
  const plans = products.flatMap(({ id: productId }) =>
    (['month', 'year'] as const).map((interval) => ({
      ...{ tenantId, id: newId(), productId, name: interval, interval, intervalCount: 1 },
      ...{ priceCents: cents(interval === 'month' ? 1000 : 10_000), currency: 'EUR', createdAt },
    })),
  )
  await tx.insertInto('store.plans').values(plans).execute()
  const [first] = plans
  if (!first) throw new Error('Nothing is sold')
  return { nodeId, productId: first.productId, planId: first.id }
}

async function insertCart(tx: Tx, owner: Owner, { planId }: Sold): Promise<void> {
  const at = { createdAt: START }
  await tx
    .insertInto('store.carts')
    .values({ ...owner, ...at, currency: 'EUR', updatedAt: START })
    .execute()
  const items = [1, 2].map((quantity) => ({ ...owner, ...at, id: newId(), planId, quantity }))
  await tx.insertInto('store.cart_items').values(items).execute()
}

/** Lets a person look at the services of everybody. */
export async function makeAdministrator(tx: Tx, { tenantId, userId }: Owner): Promise<void> {
  const id = newId()
  const role = { tenantId, id, name: 'Desk', permissions: ['services:read'], createdAt: START }
  await tx.insertInto('rbac.roles').values(role).execute()
  await tx
    .insertInto('rbac.user_roles')
    .values({ tenantId, userId, roleId: id, createdAt: START })
    .execute()
}

async function insertPerson(tx: Tx, tenantId: string, number: number): Promise<string> {
  const id = newId()
  const row = { tenantId, id, name: `Customer ${number}`, country: 'FR', createdAt: START }
  const email = `customer${number}@example.org`
  await insertUser(tx, { ...row, email, passwordHash: null, emailVerifiedAt: START })
  return id
}

async function insertPossessions(tx: Tx, owner: Owner, sold: Sold): Promise<Had> {
  const numbers = Array.from({ length: EACH }, (_, index) => index)
  const invoices = numbers.map((number) => invoiceOf(owner, number))
  await tx.insertInto('billing.invoices').values(invoices).execute()
  await tx.insertInto('billing.invoice_lines').values(invoices.map(lineOf)).execute()
  await tx.insertInto('billing.invoice_taxes').values(invoices.map(taxOf)).execute()
  const services = invoices.map((invoice, number) => serviceOf(owner, sold, invoice.id, number))
  const orders = services.map((service, number) => orderOf(owner, service, number))
  await tx.insertInto('orders.orders').values(orders).execute()
  await tx.insertInto('orders.order_items').values(services.map(itemOf)).execute()
  await tx.insertInto('services.services').values(services).execute()
  await tx.insertInto('services.members').values(services.map(memberOf)).execute()
  const notifications = numbers.map((number) => notificationOf(owner, number))
  await tx.insertInto('notifications.notifications').values(notifications).execute()
  return { serviceId: services[0]?.id ?? '', invoiceId: invoices[0]?.id ?? '' }
}

function invoiceOf({ tenantId, userId }: Owner, number: number) {
  const at = later(START, number * 1000)
  const money = { netCents: cents(1000), taxCents: cents(200), totalCents: cents(1200) }
  return {
    ...{ tenantId, id: newId(), userId, kind: 'checkout' as const, reference: newId() },
    ...{ status: 'paid' as const, number: `INV-${userId}-${number}`, currency: 'EUR' },
    ...{ priceMode: 'exclusive' as const, subtotalCents: cents(1000), discountCents: cents(0) },
    ...{ ...money, paidCents: money.totalCents, contentHash: Buffer.alloc(32, number) },
    seller: json({ name: 'Bench hosting', country: 'FR' }),
    buyer: json({ name: 'Customer', country: 'FR' }),
    ...{ createdAt: at, issuedAt: at, dueAt: at, paidAt: at },
  }
}

type NewInvoice = ReturnType<typeof invoiceOf>

function lineOf({ tenantId, id, netCents, taxCents, totalCents, createdAt }: NewInvoice) {
  return {
    ...{ tenantId, invoiceId: id, id: newId(), position: 0, quantity: 1 },
    ...{ description: 'Minecraft server, Monthly', unitPriceCents: cents(1000) },
    ...{ subtotalCents: cents(1000), discountCents: cents(0), netCents, taxCents, totalCents },
    ...{ rateBasisPoints: RATE, taxCategory: 'S' as const, taxCountry: 'FR' },
    ...{ periodStart: createdAt, periodEnd: later(createdAt, 1000) },
  }
}

function taxOf({ tenantId, id, netCents, taxCents }: NewInvoice) {
  const rate = { category: 'S' as const, rateBasisPoints: RATE, country: 'FR' }
  return { tenantId, invoiceId: id, position: 0, ...rate, netCents, taxCents }
}

function serviceOf(owner: Owner, sold: Sold, invoiceId: string, number: number) {
  const id = newId()
  const at = later(START, number * 1000)
  return {
    ...{ ...owner, ...sold, id, invoiceId, orderId: newId(), orderItemId: newId() },
    ...{ name: `Server ${number}`, priceCents: cents(1000), valueCents: cents(1000) },
    ...{ currency: 'EUR', interval: 'month' as const, intervalCount: 1, externalId: id },
    ...{ anchorAt: at, currentPeriodStart: at, currentPeriodEnd: later(at, 1000) },
    ...{ serverId: number, serverUuid: newId(), identifier: id.slice(-8) },
    ...{ address: '192.0.2.1:25565', createdAt: at, paidAt: at, activatedAt: at },
  }
}

type NewService = ReturnType<typeof serviceOf>

function orderOf({ tenantId, userId }: Owner, { orderId, invoiceId }: NewService, number: number) {
  const at = later(START, number * 1000)
  return {
    ...{ tenantId, userId, id: orderId, invoiceId, number: `ORD-${userId}-${number}` },
    ...{ totalCents: cents(1200), currency: 'EUR', immediateStart: true },
    ...{ createdAt: at, paidAt: at, fulfilledAt: at },
  }
}

function itemOf({ tenantId, orderId, orderItemId, productId, planId }: NewService) {
  const totalCents = cents(1200)
  return { tenantId, id: orderItemId, orderId, productId, planId, quantity: 1, totalCents }
}

function memberOf({ tenantId, userId, id, createdAt }: NewService) {
  const permissions = ['view', 'power', 'console', 'files', 'backups', 'settings']
  return { tenantId, userId, serviceId: id, role: 'owner' as const, permissions, createdAt }
}

function notificationOf(owner: Owner, number: number) {
  return {
    ...{ ...owner, id: newId(), kind: 'invoice-paid', title: 'Paid', body: 'Thank you.' },
    ...{ data: json({ number }), createdAt: START, readAt: number % 2 === 0 ? START : null },
  }
}
