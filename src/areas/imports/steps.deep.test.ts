import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { faults } from '#test/imports.ts'
import { otherTenant } from '#test/people.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'
import { cancelImport } from './actions.ts'
import { findImport, insertImport } from './queries.ts'
import { type RunContext, runImport } from './run.ts'
import type { ImportKey } from './staging/writer.ts'

const app = await testApp(null)
const { deps } = app

/** Four people in two parts, and history that ties them together. */
const content = smallDump({
  tblclients: [1, 2, 3, 4].map((id) => ({ id, email: `${id}@example.com`, credit: `${id}.00` })),
  tblhosting: [1, 2, 3, 4].map((id) => ({ id, userid: id })),
  tblinvoices: [1, 2, 3, 4].map((id) => ({ id, userid: id, status: id % 3 ? 'Unpaid' : 'Paid' })),
  tblinvoiceitems: [1, 2, 3, 4].map((id) => ({ id, invoiceid: id, userid: id })),
  tblaccounts: [
    { id: 1, userid: 3, invoiceid: 3 },
    // For an invoice of somebody in the other part, and back again.
    { id: 2, userid: 2, invoiceid: 3 },
    { id: 3, userid: 2, invoiceid: 3, amountin: '0.00', amountout: '10.00', refundid: 2 },
  ],
  tblcredit: [1, 2, 3, 4].map((id) => ({ id, clientid: id, amount: `${id}.00` })),
  tblaffiliates: [{ clientid: 2, balance: '7.00' }],
})

async function uploaded(host: string): Promise<ImportKey> {
  const tenantId = await otherTenant(app, host)
  const id = newId()
  const row = {
    ...{ tenantId, id, userId: null, fileName: 'dump.sql', fileKey: id, dryRun: false },
    ...{ wantedSystem: null, sizeBytes: content.length, createdAt: deps.clock.now() },
    fileGoneAt: deps.clock.now(),
    sha256: createHash('sha256').update(content).digest(),
  }
  await transact(deps.database.of(tenantId), (tx) => insertImport(tx, row))
  return { tenantId, id }
}

type Death = { readonly at: number; readonly committed: boolean }

/** Runs an import until its process dies with a transaction: answers how many there were. */
async function run(key: ImportKey, death: Death | null, file = true): Promise<number> {
  const db = deps.database.of(key.tenantId)
  let begun = 0
  const dying: RunContext['transact'] = async (work) => {
    begun += 1
    const dies = begun === death?.at
    const done = await transact(db, async (tx) => {
      const result = await work(tx)
      if (dies && !death?.committed) throw new Error('died')
      return result
    })
    if (dies) throw new Error('died')
    return done
  }
  const { signal } = new AbortController()
  const files = { get: async () => (file ? Readable.from([content]) : null) }
  const running = runImport({ ...deps, db, files, signal, transact: dying }, key)
  if (death) await assert.rejects(running, /died/)
  else await running
  deps.clock.advance(61_000)
  return begun
}

/** What a tenant has: how many rows of everything, and what stands in the books. */
async function picture({ tenantId, id }: ImportKey) {
  const { rows: tables } = await deps.database.execute(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where column_name = 'tenant_id' and table_schema in
       ('users', 'store', 'billing', 'services', 'orders', 'ledger', 'affiliation', 'imports')
     order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    // How many rows make up a number depends on what ran at the same time.
    const counted = name === 'services.counts' ? 'coalesce(sum(services), 0)' : 'count(*)'
    const { rows } = await deps.database.execute(
      `select ${counted}::int as rows from ${name} where tenant_id = $1`,
      [tenantId],
    )
    counts[String(name)] = Number(rows[0]?.rows)
  }
  const { rows: books } = await deps.database.execute(
    `select split_part(code, ':', 1) as account, currency, array_agg(balance_cents order by balance_cents)::text as cents
     from ledger.balances join ledger.accounts on accounts.tenant_id = balances.tenant_id
       and accounts.id = account_id
     where balances.tenant_id = $1 group by 1, 2 order by 1, 2`,
    [tenantId],
  )
  const row = await findImport(deps.database.of(tenantId), { tenantId, id })
  return { status: row?.status, report: row?.report, counts, books }
}

const whole = await uploaded('whole.example')
const transactions = await run(whole, null)
const expected = await picture(whole)

test('people of several parts are imported with what ties them together', async () => {
  assert.equal(expected.status, 'completed', JSON.stringify(expected.report))
  const { rows } = await deps.database.execute(
    `select payment.source_id::int as id, invoice.imported ->> 'number' is not null as invoice,
       refunded.source_id::int as refunded
     from billing.imported_payments as payment
     left join billing.invoices as invoice
       on invoice.tenant_id = payment.tenant_id and invoice.id = payment.invoice_id
     left join billing.imported_payments as refunded
       on refunded.tenant_id = payment.tenant_id and refunded.id = payment.refund_of
     where payment.tenant_id = $1 order by 1`,
    [whole.tenantId],
  )
  assert.deepEqual(rows, [
    { id: 1, invoice: true, refunded: null },
    { id: 2, invoice: true, refunded: null },
    { id: 3, invoice: true, refunded: 2 },
  ])
  assert.equal(expected.counts['imports.staged_invoices'], 0)
  assert.equal(expected.counts['imports.steps'], 0)
  assert.deepEqual(await faults(app), [])
})

/**
 * People, their documents, the report, two parts, what ties them together, the sums of all else, the report
 * where it is not made yet, what the next dump is compared with, the rows on their way in two halves, the end; and
 * before all of them, who people are.
 */
const STEPS = 12
const PEOPLE = transactions - STEPS + 1
const FIRST_PART = PEOPLE + 3
for (let last = STEPS; last >= 1; last -= 1) {
  for (const committed of [false, true]) {
    const name = `the ${last}. transaction from the end ${committed ? 'behind' : 'before'} its commit`
    test(`an import whose process dies at ${name} is whole after the next start`, async () => {
      const key = await uploaded(`dies-${last}-${committed}.example`)
      await run(key, { at: transactions - last + 1, committed })
      // What is decided needs the file no longer.
      const decided = last < STEPS || committed
      if (last > 1 || !committed) await run(key, null, !decided)
      assert.deepEqual(await picture(key), expected)
      assert.deepEqual(await faults(app), [])
    })
  }
}

test('an import that another process takes over while it is written is there once', async () => {
  const key = await uploaded('taken-over.example')
  const db = deps.database.of(key.tenantId)
  const { signal } = new AbortController()
  let begun = 0
  const slow: RunContext['transact'] = async (work) => {
    begun += 1
    // Behind the decision, the first of its parts comes late: somebody else has written everything.
    if (begun === FIRST_PART) {
      deps.clock.advance(61_000)
      await run(key, null, false)
    }
    return transact(db, work)
  }
  const files = { get: async () => Readable.from([content]) }
  await runImport({ ...deps, db, files, signal, transact: slow }, key)
  assert.deepEqual(await picture(key), expected)
  assert.deepEqual(await faults(app), [])
})

test('an import that is being written is not canceled, and gives way to no other', async () => {
  const key = await uploaded('written.example')
  await run(key, { at: FIRST_PART, committed: false })
  const own = { ...app, tenantId: key.tenantId }
  await assert.rejects(importDump(own, smallDump({ tblclients: [] })), /broke off while it wrote/)
  await assert.rejects(
    transact(deps.database.of(key.tenantId), (tx) => cancelImport(tx, key, deps.clock.now())),
    { code: 'import_writing' },
  )
  await run(key, null, false)
  assert.equal((await picture(key)).status, 'completed')
})

test('an address that somebody takes while an import begins to be written is decided about anew', async () => {
  const key = await uploaded('taken.example')
  const db = deps.database.of(key.tenantId)
  const { signal } = new AbortController()
  let begun = 0
  const late: RunContext['transact'] = async (work) => {
    begun += 1
    if (begun === PEOPLE) {
      await deps.database.execute(
        `insert into users.users (tenant_id, id, email, name, created_at)
         values ($1, $2, '3@example.com', 'Somebody', now())`,
        [key.tenantId, newId()],
      )
    }
    return transact(db, work)
  }
  const files = { get: async () => Readable.from([content]) }
  await runImport({ ...deps, db, files, signal, transact: late }, key)
  const { status, report } = await picture(key)
  assert.equal(status, 'completed', JSON.stringify(report))
  const { rows } = await deps.database.execute(
    `select name from users.users where tenant_id = $1 order by email`,
    [key.tenantId],
  )
  assert.deepEqual(
    rows.map(({ name }) => name === 'Somebody'),
    [false, false, true, false],
  )
  assert.ok(begun > transactions, `${begun} transactions of ${transactions}`)
  assert.deepEqual(await faults(app), [])
})

test('what is refused once people are written has no file read anew', async () => {
  const key = await uploaded('refused.example')
  const db = deps.database.of(key.tenantId)
  const { signal } = new AbortController()
  let begun = 0
  const refusing: RunContext['transact'] = async (work) => {
    begun += 1
    if (begun === PEOPLE + 2) throw Object.assign(new Error('refused'), { code: '23505' })
    return transact(db, work)
  }
  const files = { get: async () => Readable.from([content]) }
  const running = runImport({ ...deps, db, files, signal, transact: refusing }, key)
  await assert.rejects(running, /refused/)
  deps.clock.advance(61_000)
  await run(key, null, false)
  assert.deepEqual(await picture(key), expected)
  assert.deepEqual(await faults(app), [])
})

test('an import that is canceled once it is decided who people are has written nothing, and leaves nothing', async () => {
  const key = await uploaded('canceled.example')
  const db = deps.database.of(key.tenantId)
  const { signal } = new AbortController()
  let begun = 0
  const late: RunContext['transact'] = async (work) => {
    begun += 1
    if (begun === PEOPLE) await transact(db, (tx) => cancelImport(tx, key, deps.clock.now()))
    return transact(db, work)
  }
  const files = { get: async () => Readable.from([content]) }
  await runImport({ ...deps, db, files, signal, transact: late }, key)
  const { status, counts } = await picture(key)
  assert.equal(status, 'canceled')
  const left = Object.entries(counts).filter(([, rows]) => rows > 0)
  assert.deepEqual(
    left.filter(([name]) => /^(?:users|billing|services|orders)\./.test(name)),
    [],
  )
  assert.deepEqual(
    left.filter(([name]) => /^imports\.(?:staged_|steps|openings|notes)/.test(name)),
    [],
  )
  assert.deepEqual(await faults(app), [])
})
