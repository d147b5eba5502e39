import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { database } = app.deps

const euros = { id: 7, email: 'ada@example.com', currency: 1, credit: '5.00' }
const yens = { id: 8, email: 'kei@example.com', currency: 2 }
const content = smallDump({
  tblcurrencies: [{}, { id: 2, code: 'USD', default: 0 }],
  tblclients: [euros, yens],
  tblorders: [],
  tblinvoices: [
    { id: 1, userid: 7, status: 'Paid' },
    { id: 2, userid: 7, status: 'Draft' },
  ],
  // Somebody else's, by its own account: an invoice is in one currency all the same.
  tblinvoiceitems: [{ id: 1, invoiceid: 1, userid: 8 }],
  tblaccounts: [{ id: 31, userid: 7, invoiceid: 2 }],
  tblcredit: [{ id: 41, clientid: 7, amount: '5.00' }],
})

test('of rows with the same id the first counts', async () => {
  const doubles = smallDump({
    tblclients: [euros, { ...euros, email: 'eve@example.com' }, euros, yens],
    tblcurrencies: [{}, { id: 2, code: 'USD', default: 0 }],
  })
  const { report } = await importDump(app, doubles, true)
  const { users } = report.resources
  assert.equal(users?.read, 4)
  assert.equal(users?.failed, 2)
  assert.deepEqual(
    users?.reasons.map(({ code, count }) => [code, count]),
    [['duplicate_id', 2]],
  )
})

test('an invoice without a number of its own is called by its id there, and the first of a number by it', async (t) => {
  const shop = await testApp(t)
  const numbers = [null, null, '', 'A-1', 'A-1', 'A-2']
  const invoices = numbers.map((invoicenum, index) => ({ id: 51 + index, invoicenum }))
  const { report } = await importDump(
    shop,
    smallDump({ tblclients: [euros], tblinvoices: invoices.map((it) => ({ ...it, userid: 7 })) }),
  )
  const { rows } = await shop.deps.database.execute(
    'select number from billing.invoices order by created_at, id',
  )
  assert.deepEqual(rows.map(({ number }) => number).sort(), ['51', '52', '53', '55', 'A-1', 'A-2'])
  const doubles = report.warnings.find(({ code }) => code === 'duplicate_invoice_number')
  assert.equal(doubles?.count, 1)
})

test('a line is in the currency of its invoice, whoever it says it is of', async () => {
  const { status, report } = await importDump(app, content)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.deepEqual(report.controls.invoiceItems?.imported, { EUR: { count: 1, amountCents: 1000 } })
})

test('history is known again by its id there', async () => {
  const rows = async () => {
    const found = await database.execute(
      `select 'payment' as what, system, source_id from billing.imported_payments
       union all select 'credit', system, source_id from billing.imported_credit order by 1`,
    )
    return found.rows.map((it) => ({ ...it, source_id: Number(it.source_id) }))
  }
  const before = await rows()
  assert.deepEqual(before, [
    { what: 'credit', system: 'whmcs', source_id: 41 },
    { what: 'payment', system: 'whmcs', source_id: 31 },
  ])
  const { status, report } = await importDump(app, content)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  for (const name of ['transactions', 'creditLedger']) {
    const reasons = report.resources[name]?.reasons.map(({ code, count }) => [code, count])
    assert.deepEqual(reasons, [['already_imported', 1]], name)
  }
  assert.deepEqual(await rows(), before)
})

const refusals = [
  ['a payment of nobody', 'update billing.imported_payments set user_id = gen_random_uuid()'],
  ['a payment of no invoice', 'update billing.imported_payments set invoice_id = id'],
  ['credit of nobody', 'update billing.imported_credit set user_id = gen_random_uuid()'],
  [
    'another payment of nobody',
    `insert into billing.imported_payments
       (tenant_id, id, import_id, user_id, currency, gateway, reference, description, in_cents,
        out_cents, fee_cents, created_at)
     select tenant_id, gen_random_uuid(), import_id, gen_random_uuid(), currency, gateway, '', '', 1,
       0, 0, created_at
     from billing.imported_payments`,
  ],
  [
    'an order of no invoice',
    `insert into orders.imported_orders
       (tenant_id, id, import_id, user_id, number, status, amount_cents, currency, invoice_id, created_at)
     select tenant_id, gen_random_uuid(), import_id, user_id, '', '', 1, currency, gen_random_uuid(),
       created_at
     from billing.imported_payments`,
  ],
] as const

for (const [what, statement] of refusals) {
  test(`the database refuses ${what}`, async () => {
    await assert.rejects(database.execute(statement), { code: '23503' })
  })
}

test('the database keeps who and what history is of', async () => {
  await assert.rejects(database.execute(`delete from billing.invoices where status = 'draft'`), {
    code: '23503',
  })
  await assert.rejects(
    database.execute(`update users.users set id = gen_random_uuid() where email = $1`, [
      euros.email,
    ]),
    { code: '23001' },
  )
})

const hash = (cost: string) => `$2y$${cost}$abcdefghijklmnopqrstuuWQ9uVn3zTjJ1KfVqSg0nWwUuGEk1T0K6`

test('a password that would take hours to compare is not kept', async () => {
  const tblclients = ['10', '14', '15', '31'].map((cost) => ({
    ...{ id: Number(cost), email: `cost${cost}@example.com`, password: hash(cost) },
  }))
  const { report } = await importDump(app, smallDump({ tblclients }))
  const resets = report.warnings.find(({ code }) => code === 'password_reset_required')
  assert.deepEqual(resets?.rows, ['15', '31'])
  const { rows } = await database.execute(
    `select email, form from users.legacy_passwords
     join users.users on users.id = user_id where email like 'cost%' order by email`,
  )
  assert.deepEqual(
    rows.map(({ email, form }) => `${email} ${form}`),
    [
      'cost10@example.com bcrypt',
      'cost14@example.com bcrypt',
      'cost15@example.com none',
      'cost31@example.com none',
    ],
  )
})
