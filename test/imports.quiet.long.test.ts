import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { assertReport, type Report, whmcsDump, whmcsDumpFile } from '#test/dumps.ts'
import { serving } from '#test/serving.ts'

/** `SCALE=0.1` takes a tenth. */
const SCALE = Number(process.env.SCALE ?? 1)
const CLIENTS = Math.max(200, Math.round(10_000 * SCALE))
/** One for each part of the way at least: reading, staging, judging, writing. After ten in vain it is given up. */
const KILLS = Math.max(4, Math.round(9 * SCALE))
/** More than a row may be, whatever the scale. */
const ROW_BYTES = Math.max(64, Math.round(500 * SCALE)) * 2 ** 20
/** What reading may take beside what the process has anyway: the embedded database grows with what it does. */
const MEMORY = process.env.DATABASE_URL ? 150 : 400
const PATIENCE = { waitMs: 600_000 }

const service = await serving()

async function ended(id: string): Promise<Answer['body']> {
  return until(
    'the import ends',
    async () => {
      const { body } = await service.admin().get(`/v1/admin/imports/${id}`)
      return body.finishedAt && body
    },
    PATIENCE,
  )
}

test('a row that is longer than any is turned down in little memory, and the service goes on (hardening 53)', async () => {
  const before = service.mostMemory()
  const id = await service.upload(withLongRow(), { dryRun: 'true' })
  const { status, fault, report } = await ended(id)
  assert.deepEqual([status, fault?.code, report], ['rejected', 'row_too_long', null])
  assert.ok(fault.line > 0 && fault.byte > 0 && fault.message.length > 20)
  assert.equal((await service.admin().get('/v1/meta')).status, 200)
  const grown = service.mostMemory() - before
  assert.ok(grown < MEMORY, `${ROW_BYTES / 2 ** 20} MB took ${grown.toFixed(0)} MB`)
})

/** The dump of a WHMCS, with one more row behind it that hardly ends. */
async function* withLongRow(): AsyncGenerator<Buffer> {
  yield whmcsDump({ clients: 1 }).content
  yield Buffer.from("INSERT INTO `tblcredit` (`id`, `clientid`, `description`) VALUES (1, 1, '")
  const piece = Buffer.alloc(2 ** 20, 'x')
  for (let bytes = 0; bytes < ROW_BYTES; bytes += piece.length) yield piece
  yield Buffer.from("');\n-- Dump completed on 2026-11-01  3:00:00\n")
}

const count = (table: string, where = 'true') =>
  `(select count(*)::integer from ${table} where ${where})`

const WRITTEN = `select ${count('billing.invoices', 'imported is not null')} as invoices,
  ${count('billing.invoice_lines')} as lines, ${count('billing.imported_payments')} as payments,
  ${count('services.services', 'imported is not null')} as services,
  ${count('billing.imported_credit')} as credit, ${count('imports.staged_invoices')} as staged,
  ${count('(select transaction_id from ledger.postings group by 1, currency having sum(amount_cents) <> 0) as it')}
    as unbalanced`

test('killed at any moment and started again, an import goes on by itself, and all of it is there once', async (t) => {
  const { file, expected, remove } = whmcsDumpFile({ clients: CLIENTS, mess: true, seed: 'killed' })
  t.after(remove)
  const send = (dryRun: boolean) =>
    service.upload(fs.createReadStream(file), { dryRun: `${dryRun}` })
  const startMs = performance.now()
  await ended(await send(true))
  // Writing takes longer than everything before it.
  const wholeMs = (performance.now() - startMs) * 2.5
  const id = await send(false)
  for (let kill = 0; kill < KILLS; kill += 1) {
    await setTimeout((wholeMs * ((kill % 4) + Math.random())) / 4)
    await service.kill()
    await service.start()
    // Whoever had it is thought to be at work for a minute.
    await service.admin().post('/v1/admin/clock', { advanceSeconds: 61 })
  }
  const { status, fault, report } = await ended(id)
  assert.equal(status, 'completed', JSON.stringify(fault))
  assertReport(report as Report, expected)
  assert.equal(await send(false), id)
  const database = await service.opened()
  const { rows } = await database.execute(WRITTEN)
  const { invoices, invoiceItems, transactions, services, creditLedger } = expected.import
  assert.deepEqual(rows[0], {
    ...{ invoices: invoices?.imported, lines: invoiceItems?.imported },
    ...{ payments: transactions?.imported, credit: creditLedger?.imported },
    ...{ services: services?.imported, staged: 0, unbalanced: 0 },
  })
})
