import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partsOf } from '#billing'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { histories, historyApp, live, shopOf } from '#test/histories.ts'
import { invoiceHash } from '../src/areas/billing/invoices/content.ts'
import { displayStatusOf, dueCents } from '../src/areas/billing/invoices/rules.ts'

/** The same ones each time; others are lived through by the long tests. */
const SEED = Number(process.env.HISTORY_SEED ?? 22)

const app = await historyApp()
const shop = await shopOf(app)
const { tenantId } = app
const { database } = app.deps
const db = database.of(tenantId)

const invoicesOf = () =>
  db.selectFrom('billing.invoices').selectAll().where('tenantId', '=', tenantId).execute()

test('invariants 12, 19: after any history the books are those of the rulebook, whatever is cut or repeated', async () => {
  await fc.assert(
    fc.asyncProperty(histories(4), (steps) => live(shop, steps)),
    { seed: SEED, numRuns: 200, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
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

test('invariant 9: the numbers of each series and year are 1 to n, and dates never run back', async () => {
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
