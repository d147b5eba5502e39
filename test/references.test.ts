import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

/**
 * Every reference that is looked after by the statement (`platform.refer`) instead of by a foreign key. A new one
 * is in here by being migrated; what it is tried with comes from an import.
 */
const app = await testApp(null)
const { database } = app.deps

const { rows } = await database.execute(
  `select split_part(encode(tgargs, 'escape'), '\\000', 1) as child,
     split_part(encode(tgargs, 'escape'), '\\000', 2) as column, tgrelid::regclass::text as parent
   from pg_trigger where tgfoid = 'platform.refuse_orphans'::regproc order by 1, 2`,
)
const references = rows as { child: string; column: string; parent: string }[]

const { status, report } = await importDump(
  app,
  smallDump({
    tblclients: [{ id: 1, email: 'ada@example.com', credit: '5.00' }],
    tblhosting: [{ id: 1, userid: 1, nextduedate: '2099-02-15' }],
    tblinvoices: [
      { id: 1, userid: 1, status: 'Paid' },
      { id: 2, userid: 1, status: 'Draft' },
    ],
    tblinvoiceitems: [
      { id: 1, invoiceid: 1, userid: 1 },
      { id: 2, invoiceid: 2, userid: 1 },
    ],
    tblaccounts: [{ id: 1, userid: 1, invoiceid: 1 }],
    tblcredit: [{ id: 1, clientid: 1, amount: '5.00' }],
  }),
)

await database.execute(
  `insert into orders.imported_orders (tenant_id, id, import_id, user_id, number, status, amount_cents,
     currency, invoice_id, created_at)
   select tenant_id, gen_random_uuid(), import_id, user_id, '', '', 1, currency, invoice_id, created_at
   from billing.imported_payments`,
)

await database.execute(
  `insert into billing.imported_refunds (tenant_id, id, payment_id, user_id, amount_cents, currency,
     reason, created_at)
   select tenant_id, gen_random_uuid(), id, user_id, 1, currency, '', created_at
   from billing.imported_payments`,
)

test('there is something to try every reference with', () => {
  assert.equal(status, 'completed', JSON.stringify(report))
  assert.ok(references.length >= 13, `${references.length} references`)
})

for (const { child, column, parent } of references) {
  test(`a row of ${child} that names no ${column} of ${parent} is refused`, async () => {
    const { rows: named } = await database.execute(
      `select 1 from ${child} where ${column} is not null`,
    )
    assert.ok(named.length > 0, `no row of ${child} names a ${column}`)
    const copied = `insert into ${child}
      select (jsonb_populate_record(it, jsonb_build_object('id', gen_random_uuid(),
        'external_id', gen_random_uuid(), '${column}', gen_random_uuid()))).*
      from ${child} as it where ${column} is not null limit 1`
    await assert.rejects(database.execute(copied), { code: '23503', message: /is not there/ })
    const moved = `update ${child} set ${column} = gen_random_uuid() where ${column} is not null`
    // What never changes at all says so first.
    await assert.rejects(database.execute(moved), { code: /^(?:23503|23001|42501)$/ })
  })
}

test('a line is of an invoice that is there, stays with it, and goes with a draft', async () => {
  const line = (invoice: string) => `insert into billing.invoice_lines
    select (jsonb_populate_record(it, jsonb_build_object('id', gen_random_uuid(), 'position', 9,
      'invoice_id', ${invoice}))).*
    from billing.invoice_lines as it limit 1`
  await assert.rejects(database.execute(line('gen_random_uuid()')), { code: '23503' })
  const draft = `(select id from billing.invoices where status = 'draft')`
  await database.execute(line(draft))
  const moved = `update billing.invoice_lines set invoice_id = (select id from billing.invoices
    where status <> 'draft') where invoice_id = ${draft} and position = 9`
  await assert.rejects(database.execute(moved), {
    code: '23001',
    message: /stays with its invoice/,
  })
  const { rows: before } = await database.execute(`select ${draft} as id`)
  await database.execute(`delete from billing.invoices where id = ${draft}`)
  const { rows: left } = await database.execute(
    'select count(*)::int as lines from billing.invoice_lines where invoice_id = $1',
    [before[0]?.id],
  )
  assert.deepEqual(left, [{ lines: 0 }])
})
