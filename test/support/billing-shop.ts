import assert from 'node:assert/strict'
import { after } from 'node:test'
import { dueCents, type InvoiceDocument, type InvoiceRow, openInvoice } from '#billing'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { newId } from '#lib/id.ts'
import { basisPoints, type Cents, cents, portion } from '#lib/money.ts'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import { type Provider, startProvider } from '#sandbox/provider/server.ts'
import { type TestApp, type TestOptions, testApp, until } from './app.ts'
import type { Answer } from './client.ts'
import { apiKey, type Person, person } from './people.ts'
import { freePort } from './processes.ts'

/** A shop whose gateway is the real driver, talking to a sandbox provider that answers by webhook. */
export type BillingShop = {
  readonly app: TestApp
  readonly provider: Provider
  readonly admin: Person
  readonly gatewayId: string
  readonly tenantId: string
  readonly db: Db
  /** A person who buys, and whose credential outlives every movement of the clock. */
  buyer(wanted?: Parameters<typeof person>[1]): Promise<Person>
  /** Turns one of the provider's knobs. */
  control(path: string, body?: object): Promise<Record<string, unknown>>
  /** Pays a hosted page as a customer would, or saves a card on it. */
  complete(url: string, body?: object): Promise<Record<string, unknown>>
  /** All messages of the provider are delivered. */
  settled(): Promise<void>
  /** Opens an invoice of a gross amount at 20 %. */
  invoice(user: Person, wanted?: WantedInvoice): Promise<InvoiceRow>
  /** Opens an invoice and begins to pay it on the hosted page. */
  checkout(user: Person, totalCents?: number, how?: object): Promise<Checkout>
  inLedger<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** What a customer's credit is, in cents. */
  creditOf(user: Person): Promise<number>
  /** The books balance, and customers owe what their numbered invoices say is due. */
  assertSound(userId?: string): Promise<void>
  /** Waits until an invoice has a status. */
  became(user: Person, invoiceId: string, status: string): Promise<Answer['body']>
}

export type Checkout = { invoice: InvoiceRow; payment: Answer['body']; url: string }

export type WantedInvoice = {
  totalCents?: number
  kind?: 'checkout' | 'upgrade' | 'renewal' | 'manual'
  reference?: string
  currency?: string
  dueAt?: InvoiceRow['createdAt']
}

/** Starts a provider and a service that reach each other, with a gateway that is registered. */
export async function billingShop(options: TestOptions = {}): Promise<BillingShop> {
  const provider = await startProvider({ retryPlanMs: [50, 200, 500, 1000, 2000] })
  after(() => provider.close())
  const port = await freePort()
  const app = await testApp(null, {
    ...options,
    config: {
      port,
      publicUrl: `http://127.0.0.1:${port}`,
      sandboxProviderUrl: provider.url,
      ...options.config,
    },
  })
  const { tenantId } = app
  const db = app.deps.database.of(tenantId)
  async function buyer(wanted: Parameters<typeof person>[1] = {}): Promise<Person> {
    const made = await person(app, wanted)
    return { ...made, ...(await apiKey(app, made, { permission: 'read-write' })) }
  }
  const admin = await buyer({ admin: true })
  const gatewayId = await addGateway(admin, provider)
  const inLedger = <T>(work: (tx: Tx) => Promise<T>) => transact(db, work)

  async function control(path: string, body: object = {}) {
    const response = await fetch(`${provider.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.controlToken}` },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, unknown>
    assert.equal(response.status, 200, JSON.stringify(answer))
    return answer
  }

  function invoice(user: Person, { totalCents = 1200, ...wanted }: WantedInvoice = {}) {
    const { kind = 'checkout', reference = newId(), currency = 'EUR' } = wanted
    const now = app.deps.clock.now()
    const document = documentOf([{ totalCents, rate: 2000 }], currency)
    const about = { tenantId, userId: user.userId, kind, reference }
    const { dueAt = now } = wanted
    return inLedger((tx) => openInvoice(tx, { ...about, document, dueAt }, now))
  }

  return {
    ...{ app, provider, admin, gatewayId, tenantId, db, buyer, control, invoice, inLedger },
    complete: (url, body = {}) => control(`checkout-sessions/${sessionOf(url)}/complete`, body),
    settled: async () => void (await control('deliveries/settle')),
    async checkout(user, totalCents = 1200, how = {}) {
      const opened = await invoice(user, { totalCents })
      const { status, body } = await user.post(`/v1/billing/invoices/${opened.id}/pay`, {
        gatewayId,
        ...how,
      })
      assert.equal(status, 200, JSON.stringify(body))
      return { invoice: opened, payment: body, url: body.redirectUrl }
    },
    creditOf: async (user) => (await user.get('/v1/billing/credits')).body.balanceCents,
    assertSound: (userId) => assertSound(db, tenantId, userId),
    became: (user, invoiceId, status) =>
      until(`invoice is ${status}`, async () => {
        const { body } = await user.get(`/v1/billing/invoices/${invoiceId}`)
        return body.status === status && body
      }),
  }
}

async function assertSound(db: Db, tenantId: string, userId?: string): Promise<void> {
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
  const invoices = await db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('number', 'is not', null)
    // Credit that is bought is owed by nobody.
    .where('kind', '<>', 'top_up')
    .where((it) => (userId ? it('userId', '=', userId) : it.val(true)))
    .execute()
  const balances = await db
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', 'account.id', 'balance.accountId')
    .select(['account.code', 'balance.balanceCents'])
    .where('account.code', 'like', 'receivable:%')
    .execute()
  const owed = new Map(balances.map(({ code, balanceCents }) => [code, balanceCents]))
  const due = new Map<string, number>()
  for (const invoice of invoices) {
    const code = `receivable:${invoice.userId}`
    const open = invoice.status === 'open' ? dueCents(invoice) : 0
    due.set(code, (due.get(code) ?? 0) + open)
  }
  for (const [code, amount] of due) assert.equal(owed.get(code) ?? 0, amount, code)
}

/** Adds a gateway of the sandbox provider and waits until it reports to us. */
export async function addGateway(admin: Person, provider: Provider): Promise<string> {
  const { status, body } = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'sandbox', name: 'Cards', mode: 'test', enabled: true },
    secrets: { secretKey: provider.secretKey },
    settings: { publishableKey: provider.publishableKey },
  })
  assert.equal(status, 201, JSON.stringify(body))
  await until('the webhook is registered', async () => {
    const gateway = await admin.get(`/v1/admin/gateways/${body.id}`)
    return gateway.body.webhookRegistered
  })
  return body.id
}

/** The id of the hosted page behind an address. */
export function sessionOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

type Part = { totalCents: number; rate: number }

/** A document with one line for each gross amount and rate. */
export function documentOf(parts: readonly Part[], currency = 'EUR'): InvoiceDocument {
  const none = cents(0)
  const lines = parts.map(({ totalCents, rate }, index) => {
    const taxCents = portion(totalCents, rate, 10_000 + rate)
    const netCents = cents(totalCents - taxCents)
    const tax = { category: 'S' as const, rateBasisPoints: basisPoints(rate), country: 'FR' }
    return {
      ...{ description: `Minecraft ${index + 1}`, quantity: 1, unitPriceCents: netCents, tax },
      ...{ subtotalCents: netCents, discountCents: none, netCents, taxCents },
      totalCents: cents(totalCents),
    }
  })
  const sum = (amounts: readonly Cents[]) => cents(amounts.reduce((a, b) => a + b, 0))
  return {
    ...{ currency, priceMode: 'exclusive', lines },
    subtotalCents: sum(lines.map((line) => line.subtotalCents)),
    discountCents: none,
    netCents: sum(lines.map((line) => line.netCents)),
    taxCents: sum(lines.map((line) => line.taxCents)),
    totalCents: sum(lines.map((line) => line.totalCents)),
    taxes: lines.map(({ tax, netCents, taxCents }) => ({ ...tax, netCents, taxCents })),
  }
}
