import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp } from '#test/app.ts'
import { type Client, clientFor } from '#test/client.ts'
import { assertReport, type Expected, endedImport, uploadDump } from '#test/dumps.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { fossbillingExpected } from '#test/fossbilling-expected.ts'
import { faults, imported, rowCounts } from '#test/imports.ts'
import { paymenterDump } from '#test/paymenter-dump.ts'
import { paymenterExpected } from '#test/paymenter-expected.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)

const paymenter = paymenterDump({ seed: 3 })
const fossbilling = fossbillingDump({ seed: 4 })

const NOTHING = { imported: -1, merged: -1, reasons: [] }

/** Everything of a dump is reported, written once, and in order. */
async function takesOver(there: TestApp, content: Buffer, expected: Expected): Promise<void> {
  const before = await rowCounts(there)
  const tried = await imported(there, content, { dryRun: true })
  assertReport(tried.report, expected)
  assert.deepEqual(await rowCounts(there), before)

  const first = await imported(there, content)
  assert.equal(first.status, 'completed_with_failures', JSON.stringify(first.fault))
  assertReport(first.report, expected)
  assert.deepEqual(await faults(there), [])

  const counts = await rowCounts(there)
  assert.equal(counts.get('notifications.mails'), 0)
  const again = await imported(there, content)
  assert.equal(again.status, 'completed_with_failures', JSON.stringify(again.report.differences))
  assert.deepEqual(await rowCounts(there), counts)
  for (const name of ['users', 'services', 'invoices', 'transactions', 'creditBalances']) {
    const { imported: made, merged, reasons = [] } = again.report.resources[name] ?? NOTHING
    const known = reasons.find(({ code }) => code === 'already_imported')?.count ?? 0
    const { imported: wasMade, merged: wasMerged } = first.report.resources[name] ?? NOTHING
    assert.deepEqual([made, merged], [0, 0], name)
    assert.equal(known, Number(wasMade) + Number(wasMerged), name)
  }
  assert.deepEqual(await faults(there), [])
}

/** Signs somebody in with the password that they had. */
async function signedIn(email: string, password: string): Promise<Client> {
  const { status, text, body } = await app.post('/v1/auth/login', { email, password })
  assert.equal(status, 200, text)
  return clientFor(app.url, { authorization: `Bearer ${body.accessToken}` })
}

/** Everybody whose password is known gets in, with bcrypt and with argon2, and with no other. */
async function signIns(logins: readonly { email: string; password: string }[]): Promise<void> {
  const [first, , third] = logins
  for (const login of [first, third]) {
    const { email = '', password = '' } = login ?? {}
    const wrong = await app.post('/v1/auth/login', { email, password: `${password}?` })
    assert.equal(wrong.status, 401)
    await signedIn(email, password)
  }
}

/** What somebody's invoices are, by their number. */
async function invoicesOf(email: string): Promise<Map<unknown, unknown>> {
  const { rows } = await app.deps.database.execute(
    `select number, concat_ws(' ', status, currency, net_cents, tax_cents, total_cents, paid_cents)
       as told
     from billing.invoices as invoice
     join users.users as person on person.tenant_id = invoice.tenant_id and person.id = user_id
     where person.email = $1`,
    [email],
  )
  return new Map(rows.map(({ number, told }) => [number, told]))
}

function assertHas(found: ReadonlyMap<unknown, unknown>, wanted: Record<string, string>): void {
  const picked = Object.keys(wanted).map((number) => [number, found.get(number)])
  assert.deepEqual(Object.fromEntries(picked), wanted)
}

test('everything of a Paymenter is written, quietly, and the books are right', async () => {
  await takesOver(app, paymenter.content, paymenterExpected(paymenter))
  await signIns(paymenter.logins)
  assertHas(await invoicesOf('player1@example.org'), {
    // Without a number of its own, and with one that is another's: the id.
    25: 'paid EUR 1000 190 1190 1190',
    34: 'paid EUR 992 198 1190 1190',
    'INV-26': 'paid EUR 992 198 1190 1190',
    // 1.90 from credit and 4.00 by a card; what failed and what is on its way are not paid.
    'INV-28': 'open EUR 992 198 1190 590',
    'INV-29': 'open EUR 992 198 1190 0',
    'INV-30': 'void EUR 992 198 1190 0',
    'INV-36': 'paid JPY 909 91 1000 1000',
  })
  const [{ email, password } = { email: '', password: '' }] = paymenter.logins
  const customer = await signedIn(email, password)
  const { body } = await customer.get('/v1/users/me')
  assert.deepEqual(
    [body.name, body.company, body.address.line1, body.address.postcode, body.address.country],
    ['Player Müller-1', 'Limited \\ Sons', "1 O'Connell St.", '12345', 'FR'],
  )
  const services = await customer.get('/v1/services')
  assert.ok(services.body.data.length > 0, services.text)
})

test('a FOSSBilling is written beside it, though its rows have the same ids', async () => {
  await takesOver(app, fossbilling.content, fossbillingExpected(fossbilling))
  await signIns(fossbilling.logins)
  const invoices = await invoicesOf('client1@example.net')
  assertHas(invoices, {
    // Money that came for it is credit, until it is enough.
    FOSS000102: 'open EUR 3490 359 3849 0',
    'CN-000001': 'paid EUR -1000 -200 -1200 0',
    FOSS000139: 'void EUR 1000 200 1200 0',
    'P-000145': 'paid EUR 30 0 30 30',
    'P-000148': 'paid JPY 333 33 366 366',
  })
  assert.equal(invoices.get(null), 'draft EUR 1000 200 1200 0')
  const [{ email, password } = { email: '', password: '' }] = fossbilling.logins
  const customer = await signedIn(email, password)
  const { body } = await customer.get('/v1/users/me')
  assert.deepEqual(body.address, {
    ...{ line1: '1 Harbour Road', line2: null, postcode: '29200', city: 'Brest', region: null },
    country: 'FR',
  })
})

test('a FOSSBilling whose prices are rows of their own is read the same', async () => {
  const later = fossbillingDump({ seed: 4, later: true })
  const there = await testApp(null)
  const { report } = await imported(there, later.content, { dryRun: true })
  assertReport(report, fossbillingExpected(later))
})

test('without a tax in the settings of a Paymenter, what was frozen on invoices counts alone', async () => {
  const untaxed = paymenterDump({ seed: 5, taxed: false })
  const there = await testApp(null)
  const { report } = await imported(there, untaxed.content, { dryRun: true })
  assertReport(report, paymenterExpected(untaxed, false))
})

test('a dump of two systems is turned down unless it is said which is meant', async () => {
  const admin = await person(app, { admin: true })
  const tried = async (content: Buffer, source?: string) => {
    const fields = { dryRun: 'true', ...(source && { source }) }
    const { status, body, text } = await uploadDump(admin, content, fields)
    assert.equal(status, 202, text)
    return endedImport(app, admin, body.id)
  }
  const both = Buffer.concat([paymenter.content, fossbilling.content])
  const { status, fault } = await tried(both)
  assert.deepEqual([status, fault.code], ['rejected', 'several_systems'])
  const meant = await tried(Buffer.concat([both, Buffer.from('-- again\n')]), 'fossbilling')
  assert.equal(meant.report.source.system, 'fossbilling')
  const old = 'CREATE TABLE `order_products` (`id` int, `order_id` int, `product_id` int);'
  const prices = 'CREATE TABLE `product_price` (`id` int, `monthly` int, `quarterly` int);'
  const refused = await tried(Buffer.from(`${old}\n${prices}\n`))
  assert.deepEqual([refused.status, refused.fault.code], ['rejected', 'unsupported_version'])
})
