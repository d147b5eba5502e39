import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { refundInvoice } from '#billing'
import { cents } from '#lib/money.ts'
import { migrations, missingMigrations } from '#platform/database/migrate.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { asOwner, pastTriggers } from '#test/owner.ts'
import type { Person } from '#test/people.ts'
import { areas } from './areas.ts'
import { faultsIn } from './doctor.ts'

const shop = await billingShop()
const { database, clock, files } = shop.app.deps
const ada = await shop.buyer()

async function faults(): Promise<string[]> {
  const found = []
  for await (const fault of faultsIn({ database, files }, areas)) found.push(fault)
  return found
}

async function sold(customer: Person): Promise<string> {
  const { id } = await shop.invoice(customer, { kind: 'manual' })
  await shop.checkout(customer).then(({ url, invoice }) => {
    return shop.complete(url).then(() => shop.became(customer, invoice.id, 'paid'))
  })
  return id
}

const invoiceId = await sold(ada)
const paid = await shop.inLedger((tx) =>
  tx
    .selectFrom('billing.invoices')
    .select('id')
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow(),
)
await shop.inLedger((tx) =>
  refundInvoice(
    tx,
    {
      ...{ tenantId: shop.tenantId, invoiceId: paid.id, amountCents: cents(500) },
      ...{ to: 'credit', reason: { written: 'Late' } },
    },
    clock.now(),
  ),
)

test('a shop that sold, was paid and gave money back has no faults', async () => {
  assert.deepEqual(await faults(), [])
  assert.deepEqual(await missingMigrations(database), [])
})

test('a migration that a database lacks is named', async () => {
  const later = { name: '9999-later.sql', sql: '', hash: '', unusedSince: null }
  assert.deepEqual(await missingMigrations(database, [...migrations(), later]), [later.name])
})

const where = `where id = '${invoiceId}'`
const breaks: [string, string, string, RegExp][] = [
  [
    'a number that no document has',
    `update billing.invoice_series set next_sequence = next_sequence + 2 where code = 'INV'`,
    `update billing.invoice_series set next_sequence = next_sequence - 2 where code = 'INV'`,
    /Series INV-\d{4} lacks numbers 3 to 4\.$/,
  ],
  [
    'a number that was never given',
    `update billing.invoice_series set next_sequence = next_sequence - 1 where code = 'INV'`,
    `update billing.invoice_series set next_sequence = next_sequence + 1 where code = 'INV'`,
    /Series INV-\d{4} never gave number 2, but it is in use\.$/,
  ],
  [
    'a credit note that was changed',
    `update billing.credit_notes set reason = 'Other'`,
    `update billing.credit_notes set reason = 'Late'`,
    /Credit note CN-\d{4}-000001 does not say what it said when it was issued\.$/,
  ],
  [
    'an invoice line that was changed',
    `update billing.invoice_lines set quantity = 2 where invoice_id = '${invoiceId}'`,
    `update billing.invoice_lines set quantity = 1 where invoice_id = '${invoiceId}'`,
    /Invoice INV-\d{4}-000001 does not say what it said when it was issued\.$/,
  ],
  [
    'an amount the books do not have',
    `update billing.invoices set paid_cents = 100 ${where}`,
    `update billing.invoices set paid_cents = 0 ${where}`,
    /Invoices of customer .* say €11\.00 are due, the books say €12\.00\.$/,
  ],
  [
    'what is owed on an invoice and was not noted',
    `update billing.dues set change_cents = change_cents + 5
       where invoice_id = '${invoiceId}'`,
    `update billing.dues set change_cents = change_cents - 5
       where invoice_id = '${invoiceId}'`,
    /On invoice INV-\d{4}-000001 1200 cents are owed, what was noted adds up to 1205\.$/,
  ],
  [
    'credit without a note',
    `update billing.invoices set credited_cents = 0 where id = '${paid.id}'`,
    `update billing.invoices set credited_cents = 500 where id = '${paid.id}'`,
    /Invoice INV-\d{4}-000002 says 0 cents are credited, its notes 500\.$/,
  ],
  [
    'a balance that is not the sum of its postings',
    `update ledger.balances set balance_cents = balance_cents + 7 from ledger.accounts
       where accounts.id = account_id and code = 'revenue'`,
    `update ledger.balances set balance_cents = balance_cents - 7 from ledger.accounts
       where accounts.id = account_id and code = 'revenue'`,
    /The balance of revenue is kept as -€15\.76, its postings add up to -€15\.83\.$/,
  ],
  [
    'money at a gateway that payments did not bring',
    'update billing.payments set fee_cents = fee_cents + 4',
    'update billing.payments set fee_cents = fee_cents - 4',
    /Account cash:\S+ stands at €11\.\d\d, documents and payments make €11\.\d\d\.$/,
  ],
  [
    'a posting that was changed',
    `update ledger.postings set amount_cents = amount_cents + 3
       where account_id = (select id from ledger.accounts where code = 'fees')`,
    `update ledger.postings set amount_cents = amount_cents - 3
       where account_id = (select id from ledger.accounts where code = 'fees')`,
    /Ledger transaction .* is out of balance by €0\.03\.$/,
  ],
]

for (const [what, statement, repair, said] of breaks) {
  test(`${what} is found`, async () => {
    assert.equal((await pastTriggers(database, statement)).rowCount, 1)
    const found = await faults()
    await pastTriggers(database, repair)
    assert.ok(
      found.some((line) => said.test(line)),
      found.join('\n'),
    )
  })
}

test('a document whose file is gone is found', async () => {
  const made = await until('documents are made', () =>
    shop.db
      .selectFrom('billing.document_files')
      .select('fileKey')
      .where('format', '=', 'pdf')
      .executeTakeFirst(),
  )
  const content = await buffer((await files.get(made.fileKey)) ?? Readable.from([]))
  await files.delete(made.fileKey)
  const found = await faults()
  await files.put(made.fileKey, content)
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /The pdf file of document \S+-\d{4}-\d{6} is missing: .*\.pdf$/)
})

test('once all is repaired, nothing is found any more', async () => {
  assert.deepEqual(await faults(), [])
})

test('documents that lost their buyer and its evidence, as the law wants, are no fault', async () => {
  const gone = clock.now()
  const leave = 'update users.users set deleted_at = $2 where id = $1'
  await pastTriggers(database, leave, [ada.userId, gone])
  const { rows } = await asOwner(
    database,
    `select billing.anonymize_documents($1, $2::timestamptz + interval '1 day', 100, $2) as count`,
    [shop.tenantId, gone],
  )
  assert.equal(rows[0].count, 3)
  const { rows: left } = await asOwner(
    database,
    'select distinct buyer, evidence from billing.invoices where number is not null',
  )
  assert.deepEqual(left, [{ buyer: {}, evidence: null }])
  assert.deepEqual(await faults(), [])
})
