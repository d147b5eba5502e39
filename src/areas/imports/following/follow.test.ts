import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { importDump, smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { database } = app.deps
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')

/** Notes of single rows, and every sum: an import that changed nothing leaves these as they were. */
const STATE = [
  `select email, name, company, address_line1, address_city, vat_number, vat_status
   from users.users order by email`,
  `select status, number, paid_cents, refunded_cents, credited_cents, due_at, paid_at
   from billing.invoices order by id`,
  `select name, price_cents, plan_id, current_period_end, suspended_at, ended_at, end_reason
   from services.services order by id`,
  `select code, currency, balance_cents, may_be_in_debit from ledger.balances
   join ledger.accounts on accounts.id = account_id order by code, currency`,
  'select count(*)::int as count, sum(change_cents)::int as sum from billing.dues',
  'select count(*)::int as count, sum(change_cents)::int as sum from services.recurring',
  'select count(*)::int as count from ledger.transactions',
  'select count(*)::int as count from billing.imported_payments',
  'select source_table, source_id, source_hash, credit from imports.origins order by 1, 2',
  'select source_id, source_fingerprint, target_fingerprint from billing.invoices order by 1',
]

async function state(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const statement of STATE) found.push((await database.execute(statement)).rows)
  return found
}

afterEach(async () => {
  const found: string[] = []
  for await (const fault of faultsIn(app.deps, areas)) found.push(fault)
  assert.deepEqual(found, [])
  // Only who paid here is told of it.
  const { rows } = await database.execute(
    `select count(*)::int as count from notifications.mails where recipient <> 'bob@example.com'`,
  )
  assert.equal(rows[0]?.count, 0)
})

async function signedIn(email: string): Promise<Client> {
  const { status, body, text } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  assert.equal(status, 200, text)
  return app.as(body.accessToken)
}

/** What an import said of rows that did not become something new. */
async function reasonsIn(rows: WhmcsRows): Promise<Record<string, Record<string, string[]>>> {
  const { status, report } = await importDump(app, smallDump(rows))
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  return Object.fromEntries(
    ['users', 'services', 'invoices', 'transactions'].map((name) => [
      name,
      Object.fromEntries(
        (report.resources[name]?.reasons ?? []).map((it) => [it.code, it.rows.map(({ id }) => id)]),
      ),
    ]),
  )
}

const invoiceOf = async (customer: Client, number: string) =>
  (await customer.get('/v1/billing/invoices?limit=100')).body.data.find(
    (it: { number: string }) => it.number === number,
  )

const creditOf = async (customer: Client) =>
  (await customer.get('/v1/billing/credits')).body.balanceCents

/** The one line of an invoice, by its place and whose it is. */
const itemOf = (userid: number, place: number) => ({ id: place + 1, invoiceid: place + 1, userid })

const first: WhmcsRows = {
  tblclients: [
    { id: 7, email: 'ada@example.com', password, credit: '5.00', country: 'DE' },
    { id: 9, email: 'bob@example.com', firstname: 'Bob', password, credit: '18.00', country: 'DE' },
    { id: 10, email: 'eve@example.com', firstname: 'Eve', password, country: 'DE' },
  ],
  tblhosting: [
    { id: 1, userid: 7 },
    { id: 2, userid: 9 },
    { id: 3, userid: 10 },
    { id: 4, userid: 10, domainstatus: 'Pending' },
  ],
  tblinvoices: [
    { id: 1, userid: 7, status: 'Unpaid' },
    { id: 2, userid: 9, status: 'Unpaid' },
    { id: 3, userid: 10, status: 'Unpaid' },
    { id: 4, userid: 10, status: 'Unpaid' },
    { id: 5, userid: 7, status: 'Unpaid' },
    { id: 6, userid: 7, status: 'Draft' },
    { id: 7, userid: 10, status: 'Unpaid' },
    { id: 8, userid: 10, status: 'Unpaid' },
  ],
  tblinvoiceitems: [7, 9, 10, 10, 7, 7, 10, 10].map(itemOf),
  tblcredit: [
    { id: 1, clientid: 7, amount: '5.00' },
    { id: 2, clientid: 9, amount: '18.00' },
  ],
}

const later: WhmcsRows = {
  ...first,
  tblclients: [
    { ...first.tblclients?.[0], address1: '2 Street', city: 'Berlin', credit: '12.00' },
    { ...first.tblclients?.[1], firstname: 'Robert', credit: '13.00' },
    { ...first.tblclients?.[2] },
    { id: 11, email: 'new@example.com', country: 'DE', credit: '1.00' },
  ],
  tblhosting: [
    { id: 1, userid: 7, amount: '15.00', nextduedate: '2099-02-15', billingcycle: 'Quarterly' },
    { id: 2, userid: 9, domainstatus: 'Suspended' },
    { id: 3, userid: 10, domainstatus: 'Terminated', termination_date: '2024-05-01' },
    { id: 4, userid: 10 },
    { id: 5, userid: 11 },
  ],
  tblinvoices: [
    { id: 1, userid: 7, status: 'Paid', datepaid: '2024-03-01' },
    { id: 2, userid: 9, status: 'Cancelled' },
    { id: 3, userid: 10, status: 'Cancelled' },
    { id: 4, userid: 10, subtotal: '20.00', total: '20.00' },
    // A part of it was paid there.
    { id: 5, userid: 7 },
    { id: 6, userid: 7, status: 'Unpaid' },
    // A fee was added because it was paid late; the other one lost a line and was then canceled.
    ...[
      {
        id: 7,
        userid: 10,
        subtotal: '12.00',
        total: '12.00',
        status: 'Paid',
        datepaid: '2024-03-01',
      },
      { id: 8, userid: 10, subtotal: '8.00', total: '8.00', status: 'Cancelled' },
    ],
    { id: 9, userid: 11 },
  ],
  tblinvoiceitems: [7, 9, 10, 10, 7, 7, 10, 10, 11].map(itemOf),
  tblaccounts: [
    { id: 1, userid: 7, invoiceid: 1 },
    { id: 2, userid: 7, invoiceid: 5, amountin: '4.00' },
    { id: 3, userid: 10, invoiceid: 7, amountin: '12.00' },
  ],
  tblcredit: [
    { id: 1, clientid: 7, amount: '5.00' },
    { id: 2, clientid: 9, amount: '18.00' },
    { id: 3, clientid: 7, amount: '7.00' },
    { id: 4, clientid: 9, amount: '-5.00' },
    { id: 5, clientid: 11, amount: '1.00' },
  ],
}

test('a newer dump changes what changed there, and leaves alone what was changed here', async () => {
  assert.deepEqual((await reasonsIn(first)).invoices, {})
  const [ada, bob, eve] = [
    await signedIn('ada@example.com'),
    await signedIn('bob@example.com'),
    await signedIn('eve@example.com'),
  ]
  assert.equal((await bob.patch('/v1/users/me', { name: 'Bobby' })).status, 200)
  const { id } = await invoiceOf(bob, '2')
  const paid = await bob.post(`/v1/billing/invoices/${id}/pay`, { useCredits: true })
  assert.ok(paid.status < 300, paid.text)
  const [service] = (await bob.get('/v1/services')).body.data
  const kept = await bob.patch(`/v1/services/${service.id}`, { name: 'Mine' })
  assert.equal(kept.status, 200, kept.text)

  const told = await reasonsIn(later)
  assert.deepEqual(told, {
    users: { updated: ['7'], changed_here: ['9'], already_imported: ['10'] },
    services: { updated: ['1', '2', '3', '4'] },
    invoices: {
      updated: ['1', '3', '5', '6', '7', '8'],
      changed_here: ['2'],
      document_changed: ['4'],
    },
    transactions: {},
  })
  const me = (await ada.get('/v1/users/me')).body
  assert.deepEqual([me.address.line1, me.address.city], ['2 Street', 'Berlin'])
  assert.equal((await bob.get('/v1/users/me')).body.name, 'Bobby')
  const standing = async (customer: Client, number: string) => {
    const { status, paidCents, totalCents } = await invoiceOf(customer, number)
    return [status, paidCents, totalCents]
  }
  assert.deepEqual(await standing(ada, '1'), ['paid', 1000, 1000])
  assert.deepEqual(await standing(bob, '2'), ['paid', 1000, 1000])
  assert.deepEqual(await standing(eve, '3'), ['void', 0, 1000])
  assert.deepEqual(await standing(eve, '4'), ['open', 0, 1000])
  // Settled there with other amounts: here with its own, and nobody is asked for it.
  assert.deepEqual(await standing(eve, '7'), ['paid', 1000, 1000])
  assert.deepEqual(await standing(eve, '8'), ['void', 0, 1000])
  const { rows: others } = await database.execute(
    `select source_id::int as id from imports.notes
     where code = 'settled_with_other_amounts' order by 1`,
  )
  assert.deepEqual(others, [{ id: 7 }, { id: 8 }])
  assert.deepEqual(await standing(ada, '5'), ['open', 400, 1000])
  assert.deepEqual(await standing(ada, '6'), ['open', 0, 1000])
  // Credit moves by what it moved there: Bob has spent 10.00 here and 5.00 there of 18.00.
  assert.deepEqual([await creditOf(ada), await creditOf(bob)], [1200, 300])
  const [hers] = (await ada.get('/v1/services')).body.data
  assert.deepEqual(
    [hers.plan.priceCents, hers.plan.intervalCount, hers.currentPeriodEnd],
    [1500, 3, '2099-02-15T00:00:00.000Z'],
  )
  // Only its name was changed here.
  const [his] = (await bob.get('/v1/services')).body.data
  assert.deepEqual([his.name, his.status], ['Mine', 'suspended'])
  const { data } = (await eve.get('/v1/services')).body
  const states = data.map((it: { status: string; endReason: string }) => [it.status, it.endReason])
  assert.deepEqual(states.sort(), [
    ['active', null],
    ['ended', 'terminated'],
  ])
})

test('the same dump again changes nothing (hardening 53)', async () => {
  const before = await state()
  const told = await reasonsIn(later)
  assert.deepEqual(told.users, { changed_here: ['9'], already_imported: ['7', '10', '11'] })
  assert.deepEqual(told.invoices?.updated, undefined)
  assert.deepEqual(told.services?.updated, undefined)
  assert.deepEqual(await state(), before)
})

test('credit that was spent in both places is told, and not taken', async () => {
  const clients = (later.tblclients ?? []).map((it) =>
    it.id === 9 ? { ...it, credit: '2.00' } : it.id === 11 ? { ...it, credit: '-3.00' } : it,
  )
  const bob = await signedIn('bob@example.com')
  const { status, report } = await importDump(app, smallDump({ ...later, tblclients: clients }))
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.equal(await creditOf(bob), 300)
  const kept = report.warnings.find(({ code }) => code === 'credit_changed_here')
  assert.deepEqual(kept?.rows, ['9'])
  // Whoever overdrew it there and did nothing here has it so here.
  const { rows } = await database.execute(
    `select -balance_cents as credit from ledger.balances
     join ledger.accounts on accounts.id = account_id
     join users.users on code = 'credit:' || users.id where email = 'new@example.com'`,
  )
  assert.equal(Number(rows[0]?.credit), -300)
  const renewed = await importDump(app, smallDump({ ...later, tblclients: clients }))
  assert.deepEqual(renewed.report.differences, [])
})

test('who was exempt from tax there is listed each time, as nothing here makes them so', async () => {
  const clients = (later.tblclients ?? []).map((it) => ({ ...it, taxexempt: it.id === 9 ? 1 : 0 }))
  const exempt = { id: 12, email: 'exempt@example.com', taxexempt: 'on', credit: '0.00' }
  const left = { id: 13, email: 'nobody', taxexempt: 1 }
  const tblclients = [...clients, exempt, left]
  const { report } = await importDump(app, smallDump({ ...later, tblclients }), true)
  const told = report.warnings.find(({ code }) => code === 'tax_exempt')
  assert.deepEqual(told?.rows, ['9', '12'])
})

test('invoices of which a row of its own says what they were, as of the first imports, are followed too', async () => {
  await reasonsIn(later)
  await database.execute(
    `insert into imports.origins (tenant_id, system, source_table, source_id, target_id, import_id,
       source_hash, target_hash)
     select tenant_id, source_system, 'tblinvoices', source_id, id, (imported ->> 'importId')::uuid,
       source_fingerprint, target_fingerprint from billing.invoices where source_id is not null`,
  )
  await database.execute(
    `update billing.invoices set source_system = null, source_id = null, source_fingerprint = null,
       target_fingerprint = null`,
  )
  const before = await state()
  assert.equal((await reasonsIn(later)).invoices?.updated, undefined)
  assert.deepEqual(await state(), before)
  const tblinvoices = (later.tblinvoices ?? []).map((it) =>
    it.id === 6 ? { ...it, status: 'Paid', datepaid: '2024-04-01' } : it,
  )
  assert.deepEqual((await reasonsIn({ ...later, tblinvoices })).invoices?.updated, ['6'])
  assert.equal((await reasonsIn({ ...later, tblinvoices })).invoices?.updated, undefined)
})
