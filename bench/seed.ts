import { newId } from '#lib/id.ts'
import { basisPoints, cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { json, type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { findDefaultTenant } from '#tenants'
import { accessTokens, insertUser, openSession } from '#users'

const PEOPLE = 100
/** What each of them has of everything. */
const EACH = 20
const RATE = basisPoints(2000)
const START = instant('2030-01-08T09:15:00.500Z')

/** Whose lists are read: one of many, with 20 services, 20 invoices and 20 notifications. */
export type Reader = { tenantId: string; userId: string; token: string }

type Owner = { tenantId: string; userId: string }
type Sold = { nodeId: string; productId: string; planId: string }

/** Fills a migrated database with the customers of a small shop. */
export async function seed(deps: Deps): Promise<Reader> {
  const { database, clock } = deps
  const tenant = await findDefaultTenant(database.everywhere)
  if (!tenant) throw new Error('The database has no tenant')
  const now = clock.now()
  const tenantId = tenant.id
  return transact(database.of(tenantId), async (tx) => {
    const sold = await insertCatalogue(tx, tenantId)
    let last = ''
    for (let number = 0; number < PEOPLE; number += 1) {
      last = await insertPerson(tx, tenantId, number)
      await insertPossessions(tx, { tenantId, userId: last }, sold)
    }
    const key = { tenantId, userId: last }
    const device = { address: '127.0.0.1', userAgent: 'bench' }
    const { sessionId } = await openSession(tx, { ...key, device }, now)
    return { ...key, token: accessTokens(deps).sign({ ...key, sessionId }, now) }
  })
}

async function insertCatalogue(tx: Tx, tenantId: string): Promise<Sold> {
  const [nodeId, productId, planId] = [newId(), newId(), newId()]
  const createdAt = START
  await tx
    .insertInto('panel.nodes')
    .values({
      ...{ tenantId, id: nodeId, name: 'Panel', url: 'https://panel.example.org' },
      ...{ type: 'pterodactyl', sealedApiKey: 'sealed', maskedApiKey: '…1234', createdAt },
    })
    .execute()
  await tx
    .insertInto('store.products')
    .values({ tenantId, id: productId, slug: 'minecraft', name: 'Minecraft server', createdAt })
    .execute()
  await tx
    .insertInto('store.plans')
    .values({
      ...{ tenantId, id: planId, productId, name: 'Monthly', interval: 'month' },
      ...{ intervalCount: 1, priceCents: cents(1000), currency: 'EUR', createdAt },
    })
    .execute()
  return { nodeId, productId, planId }
}

async function insertPerson(tx: Tx, tenantId: string, number: number): Promise<string> {
  const id = newId()
  const row = { tenantId, id, name: `Customer ${number}`, country: 'FR', createdAt: START }
  const email = `customer${number}@example.org`
  await insertUser(tx, { ...row, email, passwordHash: null, emailVerifiedAt: START })
  return id
}

async function insertPossessions(tx: Tx, owner: Owner, sold: Sold): Promise<void> {
  const numbers = Array.from({ length: EACH }, (_, index) => index)
  const invoices = numbers.map((number) => invoiceOf(owner, number))
  await tx.insertInto('billing.invoices').values(invoices).execute()
  await tx.insertInto('billing.invoice_lines').values(invoices.map(lineOf)).execute()
  await tx.insertInto('billing.invoice_taxes').values(invoices.map(taxOf)).execute()
  const services = invoices.map((invoice, number) => serviceOf(owner, sold, invoice.id, number))
  await tx.insertInto('services.services').values(services).execute()
  await tx.insertInto('services.members').values(services.map(memberOf)).execute()
  const notifications = numbers.map((number) => notificationOf(owner, number))
  await tx.insertInto('notifications.notifications').values(notifications).execute()
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

function memberOf({ tenantId, userId, id, createdAt }: ReturnType<typeof serviceOf>) {
  const permissions = ['view', 'power', 'console', 'files', 'backups', 'settings']
  return { tenantId, userId, serviceId: id, role: 'owner' as const, permissions, createdAt }
}

function notificationOf(owner: Owner, number: number) {
  return {
    ...{ ...owner, id: newId(), kind: 'invoice-paid', title: 'Paid', body: 'Thank you.' },
    ...{ data: json({ number }), createdAt: START, readAt: number % 2 === 0 ? START : null },
  }
}
