import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { type InvoiceDocument, openInvoice, partsOfAll } from '#billing'
import { newId } from '#lib/id.ts'
import { portion } from '#lib/money.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { NOW, seedDueServices } from '#test/due-services.ts'
import { invoiceHash } from '../../billing/invoices/content.ts'
import type { InvoiceLineRow } from '../../billing/invoices/queries.ts'
import { renewBatch } from './batches.ts'
import { renewServices } from './jobs.ts'
import { listPeriods } from './queries.ts'

const app = await testApp(null)
const { database } = app.deps
const COUNT = 40
/** How the customers of the shop are taxed, in basis points. */
const RATES: Record<string, number> = {
  ...{ domestic: 2000, destination: 2100, outside_eu: 0, reverse_charge: 0 },
}

/** A shop of its own with services that are all due. */
async function dueShop(): Promise<{ tenantId: string; db: ReturnType<typeof database.of> }> {
  const tenantId = newId()
  const query = (text: string, values?: unknown[]) => database.execute(text, values)
  await query('insert into tenants.tenants (id, name, created_at) values ($1, $2, $3)', [
    ...[tenantId, tenantId, NOW],
  ])
  await seedDueServices({ query }, tenantId, COUNT)
  return { tenantId, db: database.of(tenantId) }
}

/** Makes the last of the shop's customers its owner. */
async function ownerOf(shop: DueShop): Promise<void> {
  const userId = (await servicesOf(shop)).at(-1)?.userId
  const [role, now] = [newId(), NOW]
  await database.execute(
    `with role as (
       insert into rbac.roles (tenant_id, id, name, permissions, system, created_at)
       values ($1, $2, 'Owner', '{*}', true, $3)
     )
     insert into rbac.user_roles (tenant_id, role_id, user_id, created_at) values ($1, $2, $4, $3)`,
    [shop.tenantId, role, now, userId],
  )
}

type DueShop = Awaited<ReturnType<typeof dueShop>>

/** Runs until nothing is left, as the job does. */
async function runAll({ db }: DueShop, now: Instant, limit = 15): Promise<void> {
  while ((await transact(db, (tx) => renewBatch(tx, now, limit))) > 0);
}

/** The job itself, at an instant. */
async function runJob({ db, tenantId }: DueShop, now: Instant): Promise<void> {
  await renewServices.run(
    {
      ...{ ...app.deps, db, tenantId, requestId: null, now, lastTry: true },
      ...{ log: pino({ level: 'silent' }), signal: new AbortController().signal },
      transact: (work) => transact(db, work),
    },
    undefined as never,
  )
}

/** What every invoice has of its own. */
const OWN = { id: null, number: null, contentHash: null, transferReference: null }

function documentLine({ taxCategory, rateBasisPoints, taxCountry, ...line }: InvoiceLineRow) {
  return { ...line, tax: { category: taxCategory, rateBasisPoints, country: taxCountry } }
}

const renewalsOf = ({ db, tenantId }: DueShop) =>
  db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', 'renewal')
    .orderBy('number')
    .execute()

const servicesOf = ({ db, tenantId }: DueShop) =>
  db
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute()

test('a run gives each service one invoice, frozen, numbered without a gap, posted and told of', async () => {
  const shop = await dueShop()
  const { db, tenantId } = shop
  await runAll(shop, NOW)
  const invoices = await renewalsOf(shop)
  assert.equal(new Set(invoices.map(({ reference }) => reference)).size, COUNT)
  const numbers = invoices.map(({ number }) => number)
  const expected = Array.from(
    { length: COUNT },
    (_, n) => `INV-2030-${String(n + 1).padStart(6, '0')}`,
  )
  assert.deepEqual(numbers, expected)
  const { lines, taxes } = await partsOfAll(
    db,
    tenantId,
    invoices.map(({ id }) => id),
  )
  for (const invoice of invoices) {
    const { id, number, issuedAt, contentHash } = invoice
    assert.ok(number && issuedAt)
    const of = (it: { invoiceId: string }) => it.invoiceId === id
    const parts = { lines: lines.filter(of), taxes: taxes.filter(of) }
    assert.deepEqual(invoiceHash({ invoice, ...parts }, { number, issuedAt }), contentHash)
  }
  const rows = async (text: string) => (await database.execute(text, [tenantId])).rows
  const [books] = await rows(`select count(*)::int as transactions,
      (select sum(amount_cents) from ledger.postings where tenant_id = $1)::int as sum
    from ledger.transactions where tenant_id = $1 and kind = 'invoice_issued'`)
  assert.deepEqual(books, { transactions: COUNT, sum: 0 })
  const [owed] = await rows(`select sum(balance_cents)::int as cents from ledger.balances b
    join ledger.accounts a using (tenant_id) where b.account_id = a.id and a.type = 'asset'
      and tenant_id = $1`)
  assert.equal(
    owed?.cents,
    invoices.reduce((sum, { totalCents }) => sum + totalCents, 0),
  )
  const told = await rows(`select count(*)::int from notifications.notifications n
    join notifications.mails m on m.tenant_id = n.tenant_id and m.reference = n.id::text
    where n.tenant_id = $1 and n.kind = 'renewal_invoice'`)
  assert.equal(told[0]?.count, COUNT)
  const documents = await rows('select count(*)::int from billing.documents where tenant_id = $1')
  assert.equal(documents[0]?.count, COUNT)
})

test('taxes, coupons and prices of a run are those of each customer', async () => {
  const shop = await dueShop()
  await runAll(shop, NOW)
  const byService = new Map((await renewalsOf(shop)).map((it) => [it.reference, it]))
  const reasons = new Set<string>()
  for (const { id, priceCents, coupons } of await servicesOf(shop)) {
    const invoice = byService.get(id)
    const { taxReason = null, netCents = 0, taxCents } = invoice ?? {}
    assert.equal(netCents, coupons.length > 0 ? priceCents * 0.9 : priceCents)
    assert.equal(taxCents, portion(netCents, RATES[taxReason ?? ''] ?? -1, 10_000))
    reasons.add(taxReason ?? '')
  }
  assert.deepEqual(reasons, new Set(Object.keys(RATES)))
})

test('invariant 17: however late and in whatever batches, each period has one invoice and none is passed over', async () => {
  const shop = await dueShop()
  const { db } = shop
  await runAll(shop, NOW, 7)
  await runAll(shop, later(NOW, 95 * DAY_MS), 11)
  await runAll(shop, later(NOW, 95 * DAY_MS), 500)
  for (const service of await servicesOf(shop)) {
    const periods = await listPeriods(db, service)
    assert.deepEqual(
      periods.map(({ startsAt }) => startsAt.slice(0, 10)),
      ['2030-01-15', '2030-02-15', '2030-03-15', '2030-04-15', '2030-05-15'],
    )
    assert.equal(service.invoicedTo, instant('2030-06-15T00:00:00Z'))
    assert.equal(service.nextInvoiceAt, instant('2030-06-08T00:00:00Z'))
  }
  const invoices = await renewalsOf(shop)
  assert.equal(invoices.length, 4 * COUNT)
  assert.equal(new Set(invoices.map(({ number }) => number)).size, 4 * COUNT)
})

test('where numbers wait for the money, a run makes invoices without them and posts nothing', async () => {
  const shop = await dueShop()
  await database.execute(
    `insert into tenants.settings (tenant_id, section, values, updated_at)
     values ($1, 'billing', '{"numberAt": {"renewal": "payment"}}', $2)`,
    [shop.tenantId, NOW],
  )
  await runAll(shop, NOW)
  const invoices = await renewalsOf(shop)
  assert.equal(invoices.length, COUNT)
  assert.ok(invoices.every(({ number, status }) => number === null && status === 'open'))
  const { rows } = await database.execute(
    `select count(*)::int as count from ledger.transactions where tenant_id = $1`,
    [shop.tenantId],
  )
  assert.equal(rows[0]?.count, 0)
})

test('an invoice made among many says what one made alone would say', async () => {
  const shop = await dueShop()
  const { db, tenantId } = shop
  await database.execute(
    `insert into users.vat_checks (tenant_id, id, user_id, vat_number, status, checked_at)
     select tenant_id, id, id, vat_number, 'valid', $2 from users.users
     where tenant_id = $1 and vat_number is not null`,
    [tenantId, NOW],
  )
  await runAll(shop, NOW)
  let checks = 0
  for (const made of await renewalsOf(shop)) {
    const { lines, taxes } = await partsOfAll(db, tenantId, [made.id])
    const { userId, kind, reference, dueAt } = made
    const document = { ...made, lines: lines.map(documentLine), taxes } as InvoiceDocument
    const about = { tenantId, userId, kind, reference, document, dueAt: dueAt ?? NOW }
    const alone = await transact(db, (tx) => openInvoice(tx, about, NOW))
    assert.deepEqual({ ...alone, ...OWN }, { ...made, ...OWN })
    if (made.evidence?.vatCheck) checks += 1
  }
  assert.equal(checks, COUNT / 5)
})

type OfService = { id: string; at: Instant; starts: string }

/** Makes a service weekly, with its next period starting on a day. */
async function makeWeekly({ tenantId }: DueShop, { id, at, starts }: OfService): Promise<void> {
  await database.execute(
    `update services.services set interval = 'week', anchor_at = $3, invoiced_to = $4,
       current_period_start = $3, current_period_end = $4, next_invoice_at = $3
     where tenant_id = $1 and id = $2`,
    [tenantId, id, at, starts],
  )
}

/** A shop in which nothing is due but one weekly service, from 9 June 2026 on. */
async function weeklyShop(): Promise<DueShop & { id: string }> {
  const shop = await dueShop()
  const [service] = await servicesOf(shop)
  assert.ok(service)
  await database.execute(
    'update services.services set next_invoice_at = null where tenant_id = $1',
    [shop.tenantId],
  )
  const week = { at: instant('2026-06-02T00:00:00Z'), starts: '2026-06-09T00:00:00Z' }
  await makeWeekly(shop, { id: service.id, ...week })
  return { ...shop, id: service.id }
}

/** The periods that renewals were made for, as invoices print them, and when each is due. */
async function renewed(shop: DueShop): Promise<(readonly [string, Instant | null])[]> {
  const invoices = await renewalsOf(shop)
  const ids = invoices.map(({ id }) => id)
  const { lines } = await partsOfAll(shop.db, shop.tenantId, ids)
  return invoices.map(({ id, dueAt }) => {
    const line = lines.find(({ invoiceId }) => invoiceId === id)
    return [line?.description.split(': ')[1] ?? '', dueAt]
  })
}

test('E44: after half a day too late one invoice is made, due now; a second run adds nothing', async () => {
  const shop = await weeklyShop()
  const now = instant('2026-06-09T12:00:00Z')
  await runAll(shop, now)
  assert.deepEqual(await renewed(shop), [['9 – 15 June 2026', now]])
  await runAll(shop, now)
  assert.equal((await renewed(shop)).length, 1)
})

test('E45: after a week two invoices are made, the second before its period', async () => {
  const shop = await weeklyShop()
  const now = instant('2026-06-15T12:00:00Z')
  await runAll(shop, now)
  assert.deepEqual(await renewed(shop), [
    ['9 – 15 June 2026', now],
    ['16 – 22 June 2026', instant('2026-06-16T00:00:00Z')],
  ])
})

test('an invoice is made at its lead and not a millisecond before', async () => {
  const shop = await weeklyShop()
  const lead = instant('2026-06-07T00:00:00Z')
  await runAll(shop, later(lead, -1))
  assert.equal((await renewed(shop)).length, 0)
  await runAll(shop, lead)
  assert.equal((await renewed(shop)).length, 1)
})

test('invariant 17: whatever the jumps of the clock and the repeats, periods follow on each other', async () => {
  const shop = await weeklyShop()
  const { db, tenantId, id } = shop
  const jumps = fc.array(fc.record({ days: fc.nat(40), runs: fc.integer({ min: 1, max: 3 }) }), {
    ...{ minLength: 1, maxLength: 5 },
  })
  let now = instant('2026-06-01T00:00:00Z')
  await fc.assert(
    fc.asyncProperty(jumps, async (steps) => {
      for (const { days, runs } of steps) {
        now = later(now, days * DAY_MS)
        for (let run = 0; run < runs; run += 1) await runAll(shop, now, 1)
      }
      const all = await listPeriods(db, { tenantId, id })
      const made = all.filter(({ startsAt }) => startsAt < '2030-01-01')
      for (const [index, period] of made.slice(1).entries()) {
        assert.equal(period.startsAt, made[index]?.endsAt)
      }
      const last = made.at(-1)
      if (last) assert.ok(later(last.startsAt, -2 * DAY_MS) <= now)
      assert.ok(later(last?.endsAt ?? instant('2026-06-09T00:00:00Z'), -2 * DAY_MS) > now)
      assert.equal((await renewalsOf(shop)).length, made.length)
    }),
    { numRuns: 10 },
  )
})

test('E23: a number that is called invalid changes no issued invoice, and the renewal is taxed', async () => {
  const shop = await dueShop()
  // The fourth of the fourth customer: a German business that pays 1000 without a coupon.
  const ada = (await servicesOf(shop))[15]
  assert.equal(ada?.priceCents, 1000)
  const said = async () =>
    (await renewalsOf(shop))
      .filter(({ reference }) => reference === ada?.id)
      .map(({ taxReason, totalCents, contentHash }) => [taxReason, totalCents, contentHash])
  await runAll(shop, NOW)
  const [first] = await said()
  assert.deepEqual(first?.slice(0, 2), ['reverse_charge', 1000])
  await database.execute(
    `update users.users set vat_status = 'invalid' where tenant_id = $1 and id = $2`,
    [shop.tenantId, ada?.userId],
  )
  await runAll(shop, later(NOW, 28 * DAY_MS))
  const [same, renewal] = await said()
  assert.deepEqual(same, first)
  assert.deepEqual(renewal?.slice(0, 2), ['destination', 1190])
})

test('what a rule refuses holds up no other service, is told once, and is made up for', async () => {
  const shop = await dueShop()
  const { tenantId } = shop
  const [first] = await servicesOf(shop)
  const moved = (country: string) =>
    database.execute(
      'update users.users set country = $1, address_country = $1 where tenant_id = $2 and id = $3',
      [country, tenantId, first?.userId],
    )
  const refused = async () =>
    (await servicesOf(shop)).filter(({ renewalFailure }) => renewalFailure !== null)
  const attention = async () => {
    const { rows } = await database.execute(
      `select title from notifications.notifications where tenant_id = $1 and kind = 'admin_attention'`,
      [tenantId],
    )
    return rows.map(({ title }) => title)
  }
  await ownerOf(shop)
  await moved('XX')
  await runAll(shop, NOW)
  const failures = await refused()
  assert.equal(failures.length, 4)
  for (const { userId, renewalFailure, nextInvoiceAt } of failures) {
    assert.equal(userId, first?.userId)
    assert.equal(renewalFailure, 'There is no country with the code XX.')
    assert.equal(nextInvoiceAt, later(NOW, 6 * HOUR_MS))
  }
  assert.equal((await renewalsOf(shop)).length, COUNT - 4)
  assert.deepEqual(await attention(), ['Server 1 et 3 autres n’ont pas pu être renouvelés'])
  await runAll(shop, later(NOW, 6 * HOUR_MS))
  assert.equal((await attention()).length, 1)
  await moved('FR')
  await runAll(shop, later(NOW, 12 * HOUR_MS))
  assert.equal((await refused()).length, 0)
  assert.equal((await renewalsOf(shop)).length, COUNT)
})

test('a service that nobody can reckon with is noted, and the others of its batch are renewed', async () => {
  const shop = await dueShop()
  const [broken] = await servicesOf(shop)
  await database.execute(
    `update services.services set invoiced_to = '2029-01-01' where tenant_id = $1 and id = $2`,
    [shop.tenantId, broken?.id],
  )
  await runJob(shop, NOW)
  const failures = (await servicesOf(shop)).filter(({ renewalFailure }) => renewalFailure !== null)
  assert.deepEqual(
    failures.map(({ id, nextInvoiceAt }) => [id, nextInvoiceAt]),
    [[broken?.id, later(NOW, 6 * HOUR_MS)]],
  )
  assert.match(failures[0]?.renewalFailure ?? '', /log/)
  const invoices = await renewalsOf(shop)
  assert.equal(invoices.length, COUNT - 1)
  assert.equal(invoices.at(-1)?.number, `INV-2030-${String(COUNT - 1).padStart(6, '0')}`)
})
