import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partsOf } from '#billing'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { histories, historyApp, live, type Step, shopOf } from '#test/histories.ts'
import { invoiceHash } from '../src/areas/billing/invoices/content.ts'
import { displayStatusOf, dueCents } from '../src/areas/billing/invoices/rules.ts'

/** The same ones each time; others are lived through by the long tests. */
const SEED = Number(process.env.HISTORY_SEED ?? 22)

const step = (what: Step['what'], wanted: Partial<Step> = {}): Step => {
  return { what, which: 0, percent: 100, days: 24, toCredit: false, cut: 'never', ...wanted }
}

/** Lived through each time: changes after refunds, and with a later month paid before and after their price. */
const CHANGES: Step[][] = [
  [step('pay'), step('refund', { percent: 40 }), step('upgrade')],
  [
    step('pay'),
    step('upgrade'),
    step('pay', { which: 1 }),
    step('refund', { which: 1, percent: 40 }),
    step('upgrade'),
  ],
  [
    step('pay'),
    step('wait'),
    step('renew'),
    step('pay', { which: 1 }),
    step('refund', { which: 1, percent: 40 }),
    step('upgrade'),
    step('pay', { which: 2 }),
    step('refund', { which: 2, percent: 40, toCredit: true }),
    step('upgrade'),
  ],
  [
    step('pay'),
    step('wait'),
    step('upgrade'),
    step('renew'),
    step('pay', { which: 2 }),
    step('pay', { which: 1 }),
    step('renew'),
  ],
  [
    step('pay'),
    step('wait'),
    step('upgrade'),
    step('renew'),
    step('pay', { which: 2 }),
    step('refund', { which: 2, percent: 40 }),
    step('pay', { which: 1 }),
    step('renew'),
  ],
  [
    step('pay'),
    step('wait'),
    step('upgrade'),
    step('renew'),
    step('pay', { which: 2 }),
    step('dispute', { which: 1 }),
    step('pay', { which: 1 }),
    step('win', { which: 1 }),
  ],
]

const app = await historyApp()
const shop = await shopOf(app)
const { tenantId } = app
const { database } = app.deps
const db = database.of(tenantId)

const invoicesOf = () =>
  db.selectFrom('billing.invoices').selectAll().where('tenantId', '=', tenantId).execute()

test('invariants 12, 19: after any history the books are those of the rulebook, whatever is cut or repeated (hardening 40)', async () => {
  await fc.assert(
    fc.asyncProperty(histories(4), (steps) => live(shop, steps)),
    {
      ...{ seed: SEED, numRuns: 200, interruptAfterTimeLimit: 240_000 },
      ...{ markInterruptAsFailure: true, examples: CHANGES.map((it) => [it]) },
    },
  )
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
})

test('invariant 8: an issued invoice keeps its hash, whatever became of it, its buyer and what it sold', async () => {
  await database.execute(`update users.users set name = 'Eve', country = 'DE'`)
  await database.execute(`update store.products set name = 'Another'`)
  await database.execute(`update tenants.tenants set name = 'Another'`)
  let checked = 0
  for (const invoice of await invoicesOf()) {
    const { number, issuedAt, contentHash } = invoice
    if (number === null || issuedAt === null) continue
    const parts = await partsOf(db, { tenantId, invoiceId: invoice.id })
    assert.deepEqual(invoiceHash({ invoice, ...parts }, { number, issuedAt }), contentHash)
    checked += 1
  }
  assert.ok(checked > 100)
})

test('invariant 9: the numbers of each series and year are 1 to n, and dates never run back (hardening 38)', async () => {
  const { rows } = await database.execute(`
    select kind, number, issued_at from (
      select 'invoice' as kind, number, issued_at from billing.invoices
      union all select 'note', number, issued_at from billing.credit_notes
    ) it where number is not null order by number`)
  for (const [series, those] of Map.groupBy(rows, ({ number }) => String(number).slice(0, -6))) {
    const expected = those.map((_, index) => `${series}${String(index + 1).padStart(6, '0')}`)
    assert.deepEqual(
      those.map(({ number }) => number),
      expected,
    )
    const times = those.map(({ issued_at: at }) => (at as Date).getTime())
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
  }
})

test('invariant 10: what is due and the status follow from the amounts', async () => {
  for (const it of await invoicesOf()) {
    const { totalCents: total, creditedCents: credited, paidCents: paid, status } = it
    const { refundedCents: refunded, reversedCents: reversed } = it
    assert.ok(credited <= total && refunded <= paid && dueCents(it) >= 0)
    const due = total - credited - (paid - refunded - reversed)
    if (status !== 'void') assert.equal(dueCents(it), due)
    if (status === 'paid') assert.equal(due, 0)
    if (status === 'open') assert.ok(due > 0)
    const shown = displayStatusOf(it, it.createdAt)
    const isRefunded = refunded > 0 && status !== 'void'
    if (isRefunded) assert.match(shown, /refunded/)
    else if (status === 'open') assert.equal(shown, paid > 0 ? 'partially_paid' : 'open')
    else assert.equal(shown, status)
  }
})

test('after any history totals add up, postings sum to nothing, and no money is anywhere but on invoices and credit (hardening 40)', async () => {
  const wrongTotals = await database.execute(`
    select invoice.id from billing.invoices invoice
    join (select invoice_id, sum(subtotal_cents) as subtotal, sum(discount_cents) as discount,
                 sum(tax_cents) as tax, sum(total_cents) as total
          from billing.invoice_lines group by invoice_id) line on line.invoice_id = invoice.id
    where (invoice.subtotal_cents, invoice.discount_cents) <> (line.subtotal, line.discount)
       or (invoice.tax_cents, invoice.total_cents) <> (line.tax, line.total)
       or case invoice.price_mode when 'exclusive'
            then line.subtotal - line.discount + line.tax
            else line.subtotal - line.discount end <> invoice.total_cents`)
  assert.deepEqual(wrongTotals.rows, [])
  const unbalanced = await database.execute(`
    select transaction_id from ledger.postings
    group by transaction_id having sum(amount_cents) <> 0`)
  assert.deepEqual(unbalanced.rows, [])
  const { rows } = await database.execute(`
    select person.id,
      (select coalesce(sum(received_cents), 0) from billing.payments it where it.user_id = person.id)
      - (select coalesce(sum(amount_cents), 0) from billing.refunds it
         where it.user_id = person.id and it.gateway_id is not null
           and it.state not in ('failed', 'canceled'))
      - (select coalesce(sum(held_cents + lost_cents), 0) from billing.disputes it
         join billing.payments payment on payment.id = it.payment_id
         where payment.user_id = person.id) as kept,
      (select coalesce(sum(total_cents), 0) from billing.invoices it
       where it.user_id = person.id and it.status <> 'draft') as invoiced,
      (select coalesce(-sum(balance_cents), 0) from ledger.balances balance
       join ledger.accounts account on account.id = balance.account_id
       where account.code = 'credit:' || person.id) as credit
    from users.users person`)
  const sums = rows.map((it) => [it.kept, it.invoiced, it.credit].map(Number))
  assert.ok(sums.filter(([kept = 0]) => kept > 0).length > 50)
  assert.ok(sums.some(([, , credit = 0]) => credit > 0))
  for (const [kept = 0, invoiced = 0, credit = 0] of sums) {
    assert.ok(credit >= 0 && kept <= invoiced + credit, `${kept} of ${invoiced} and ${credit}`)
  }
})

test('invariant 22: tax is what documents say, and cash what came in less refunds, fees and disputes', async () => {
  const sum = async (statement: string) => {
    const { rows } = await database.execute(statement)
    return Number(rows[0]?.sum ?? 0)
  }
  const balanceOf = (codes: string) =>
    sum(`select sum(balance.balance_cents) from ledger.balances balance
      join ledger.accounts account on account.id = balance.account_id where account.code like '${codes}'`)
  const invoiced = await sum(`select sum(tax.tax_cents) from billing.invoice_taxes tax
    join billing.invoices invoice on invoice.id = tax.invoice_id
    where invoice.number is not null and tax.country = 'FR' and tax.rate_basis_points = 2000`)
  const credited = await sum(`select sum(tax_cents) from billing.credit_note_lines
    where country = 'FR' and rate_basis_points = 2000`)
  assert.ok(invoiced > credited && credited > 0)
  assert.equal(await balanceOf('tax:FR:2000'), credited - invoiced)
  const received = await sum('select sum(received_cents - fee_cents) from billing.payments')
  const refunded = await sum(
    `select sum(amount_cents) from billing.refunds where gateway_id is not null`,
  )
  const taken = await sum('select sum(held_cents + lost_cents + fee_cents) from billing.disputes')
  assert.ok(refunded > 0 && taken > 0)
  assert.equal(await balanceOf('cash:%'), received - refunded - taken)
})
