import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestApp } from './app.ts'
import type { Answer, Client } from './client.ts'

/** What `whmcs-dump.mjs` can be asked for. */
export type DumpOptions = {
  clients?: number
  seed?: string
  style?: 'mysqldump' | 'phpmyadmin' | 'complete'
  schema?: 7 | 8
  tax?: 'exclusive' | 'inclusive'
  mess?: boolean
  gzip?: boolean
}

type Counts = { count: number; ids: number[] }
type ByCurrency = Record<string, Record<string, number>>

type Outcomes = Record<'read' | 'imported' | 'merged' | 'skipped' | 'failed', number>

/** What an import of a dump has to report. */
export type Expected = {
  source: { version: string | null; taxType: string }
  tables: Record<string, { rows: number; use: string; sumsCents?: Record<string, number> }>
  import: Record<string, Outcomes & { table: string; reasons: Record<string, Counts> }>
  controls: Record<
    string,
    Record<'source' | 'imported' | 'skipped', ByCurrency> & { failed?: ByCurrency }
  >
  statuses: Record<string, Record<string, ByCurrency>>
  plans: { distinct: number; priceRows: number; byCycle: Record<string, number> }
  hashes: Record<string, number>
  warnings: Record<string, Counts & { table: string }>
  logins: { clientId: number; email: string; password: string; hash: string }[]
}

/** Makes a dump of a WHMCS that never was, and says what is in it. */
export function whmcsDump(options: DumpOptions = {}): { content: Buffer; expected: Expected } {
  const { file, expected, remove } = whmcsDumpFile(options)
  const content = fs.readFileSync(file)
  remove()
  return { content, expected }
}

/** The same as a file, for one that is too large to be held. Whoever asked for it removes it. */
export function whmcsDumpFile(options: DumpOptions): {
  file: string
  expected: Expected
  remove: () => void
} {
  const { clients = 5, mess = false, gzip = false, ...rest } = options
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-dump-'))
  const file = path.join(folder, 'dump.sql')
  const flags = Object.entries({ clients, ...rest }).flatMap(([name, it]) => [`--${name}`, `${it}`])
  const generator = path.join(import.meta.dirname, 'whmcs-dump.mjs')
  const switches = [...(mess ? ['--mess'] : []), ...(gzip ? ['--gzip'] : [])]
  execFileSync(process.execPath, [generator, ...flags, ...switches, '--out', file])
  const expected = JSON.parse(fs.readFileSync(`${file}.expected.json`, 'utf8')) as Expected
  return { file, expected, remove: () => fs.rmSync(folder, { recursive: true }) }
}

/** A form with a file and fields, as a browser sends it. */
export function formWith(
  content: Buffer,
  fields: Readonly<Record<string, string>> = {},
  name = 'dump.sql',
): { raw: Buffer; headers: Record<string, string> } {
  const { head, tail, headers } = formAround(fields, name)
  return { raw: Buffer.concat([head, content, tail]), headers }
}

/** What stands before and behind the file in such a form. */
export function formAround(fields: Readonly<Record<string, string>>, name = 'dump.sql') {
  const boundary = 'a-boundary-in-no-dump'
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  return {
    head: Buffer.from(parts.join('') + head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** Uploads a dump. */
export function uploadDump(
  client: Client,
  content: Buffer,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.post('/v1/admin/imports', undefined, formWith(content, fields))
}

/** Waits until an import has ended, and answers it. */
export function endedImport(app: TestApp, client: Client, id: string): Promise<Answer['body']> {
  return app.eventually('the end of the import', async () => {
    const { body } = await client.get(`/v1/admin/imports/${id}`)
    return body.finishedAt && body
  })
}

type Rows = { id: string }[]
type Reason = { code: string; count: number; rows: Rows }
type Control = Record<'source' | 'imported' | 'skipped' | 'failed', ByCurrency>

/** A report as it is answered. */
export type Report = {
  source: { system: string; version: string | null; taxMode: string }
  resources: Record<string, Record<string, number | string> & { reasons: Reason[] }>
  controls: Record<string, Control>
  statuses: Record<string, Record<string, ByCurrency>>
  plans: { cycle: string; plans: number; prices: number }[]
  passwords: Record<string, number>
  warnings: { code: string; table: string; count: number; rows: string[] }[]
  tables: { table: string; rows: number }[]
  differences: string[]
}

/** Our names of amounts, and those of what is expected. */
const NAMES: Readonly<Record<string, string>> = { dueCents: 'total', totalCents: 'gross' }

function renamed(amounts: ByCurrency): ByCurrency {
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, row]) => [
      currency,
      Object.fromEntries(
        Object.entries(row).map(([name, it]) => [NAMES[name] ?? name.replace(/Cents$/, ''), it]),
      ),
    ]),
  )
}

/** Only the amounts that are expected: of statuses we tell more. */
function like(row: ByCurrency, expected: ByCurrency): ByCurrency {
  return Object.fromEntries(
    Object.entries(renamed(row)).map(([currency, amounts]) => [
      currency,
      Object.fromEntries(
        Object.entries(amounts).filter(([name]) => name in (expected[currency] ?? {})),
      ),
    ]),
  )
}

const CYCLES: Readonly<Record<string, string>> = {
  ...{ '1 months': 'Monthly', '3 months': 'Quarterly', '6 months': 'Semi-Annually' },
  ...{ '12 months': 'Annually', '24 months': 'Biennially', '36 months': 'Triennially' },
  ...{ free: 'Free Account', one_time: 'One Time' },
}

/** Fails unless every figure of a report is what is expected of its dump. */
export function assertReport(report: Report, expected: Expected): void {
  assert.deepEqual(report.differences, [])
  assert.equal(report.source.version, expected.source.version)
  assert.equal(report.source.taxMode, expected.source.taxType.toLowerCase())
  const tables = Object.fromEntries(report.tables.map(({ table, rows }) => [table, rows]))
  for (const [table, { rows }] of Object.entries(expected.tables)) {
    assert.equal(tables[table] ?? 0, rows, table)
  }
  // A table without rows is told too; nothing is expected of it.
  const filled = Object.keys(report.resources).filter((name) => report.resources[name]?.read !== 0)
  assert.deepEqual(filled.sort(), Object.keys(expected.import).sort())
  for (const [name, { reasons, ...counts }] of Object.entries(expected.import)) {
    const { reasons: told = [], ...ours } = report.resources[name] ?? {}
    assert.deepEqual(ours, counts, name)
    assertIds(name, told as Reason[], reasons)
  }
  for (const [name, parts] of Object.entries(expected.controls)) {
    for (const part of ['source', 'imported', 'skipped'] as const) {
      const ours = renamed(report.controls[name]?.[part] ?? {})
      assert.deepEqual(ours, parts[part], `${name} ${part}`)
    }
    assert.deepEqual(
      renamed(report.controls[name]?.failed ?? {}),
      parts.failed ?? {},
      `${name} failed`,
    )
  }
  for (const name of ['invoices', 'services', 'serviceCycles']) {
    for (const [status, row] of Object.entries(expected.statuses[name] ?? {})) {
      assert.deepEqual(like(report.statuses[name]?.[status] ?? {}, row), row, `${name} ${status}`)
    }
  }
  assert.deepEqual(report.passwords, expected.hashes)
  assertPlans(report, expected)
  const told = report.warnings.filter(({ code }) => code in expected.warnings)
  assert.equal(told.length, Object.keys(expected.warnings).length)
  assertIds(
    'warnings',
    told.map(({ code, count, rows }) => ({ code, count, rows: rows.map((id) => ({ id })) })),
    expected.warnings,
  )
}

function assertIds(name: string, told: Reason[], expected: Record<string, Counts>): void {
  assert.deepEqual(told.map(({ code }) => code).sort(), Object.keys(expected).sort(), name)
  for (const { code, count, rows } of told) {
    const { count: expectedCount, ids = [] } = expected[code] ?? { count: 0 }
    assert.equal(count, expectedCount, `${name} ${code}`)
    if (ids.length < count) continue
    const found = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
    const wanted = [...ids].sort((a, b) => a - b)
    assert.deepEqual(found, wanted.slice(0, found.length), `${name} ${code}`)
  }
}

function assertPlans({ plans }: Report, expected: Expected): void {
  const byCycle = Object.fromEntries(plans.map((it) => [CYCLES[it.cycle] ?? it.cycle, it.plans]))
  assert.deepEqual(byCycle, expected.plans.byCycle)
  const prices = plans.reduce((sum, it) => sum + it.prices, 0)
  assert.equal(prices, expected.plans.priceRows)
}
