import { amountIn, dayIn, kept, type Statement, type StatementEntry, unreadable } from './entry.ts'
import type { CsvShape } from './schema.ts'

const DELIMITERS = [';', ',', '\t', '|']

/**
 * Reads the CSV file of a bank by the names its columns have; lines above the header are passed over.
 * Throws 422, naming the line, for a file that is none or has other columns.
 */
export function readCsv(text: string, shape: CsvShape, currency: string): Statement {
  const { columns } = shape
  const wanted = Object.values(columns)
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, 1000)
  const delimiter = DELIMITERS.find((it) =>
    lines.some((line) => isHeader(rowsOf(line, it)[0] ?? [], wanted)),
  )
  if (!delimiter) throw unreadable(`no line has the columns ${wanted.join(', ')}`)
  const rows = rowsOf(text.replace(/^\uFEFF/, ''), delimiter)
  const header = rows.findIndex((row) => isHeader(row, wanted))
  if (header === -1) throw unreadable(`no line has the columns ${wanted.join(', ')}`)
  const names = (rows[header] ?? []).map((name) => name.trim())
  const entries: StatementEntry[] = []
  let debits = 0
  for (const [index, row] of rows.entries()) {
    if (index <= header || row.every((cell) => cell.trim() === '')) continue
    const cell = (name: string | undefined) =>
      name === undefined ? undefined : row[names.indexOf(name)]?.trim() || undefined
    const where = `line ${index + 1}`
    const entry = entryOf(cell, { shape, currency, where })
    if (entry.amountCents > 0) entries.push(entry)
    else if (entry.amountCents < 0) debits += 1
  }
  return { accounts: [], entries, debits }
}

function isHeader(row: readonly string[], wanted: readonly string[]): boolean {
  const names = new Set(row.map((name) => name.trim()))
  return wanted.every((name) => names.has(name))
}

type Row = { shape: CsvShape; currency: string; where: string }

function entryOf(
  cell: (name: string | undefined) => string | undefined,
  { shape, where, ...row }: Row,
): StatementEntry {
  const { columns, dateFormat = 'YYYY-MM-DD', decimalSign = '.' } = shape
  const currency = cell(columns.currency)?.toUpperCase() ?? row.currency
  const amount = plainAmount(cell(columns.amount) ?? '', decimalSign)
  return {
    bookedOn: dayIn(isoDay(cell(columns.bookedOn) ?? '', dateFormat), where),
    amountCents: amountIn(amount, currency, where),
    currency,
    bankReference: kept(cell(columns.bankReference)),
    payerName: kept(cell(columns.payerName)),
    payerIban: kept(cell(columns.payerIban)?.replaceAll(' ', '').toUpperCase()),
    remittance: kept(cell(columns.remittance)),
  }
}

/** `1.234,50` and `+1 234.50` as `1234.50`. */
function plainAmount(text: string, decimalSign: ',' | '.'): string {
  const grouping = decimalSign === ',' ? /[.\s\u00a0\u202f'’+]/g : /[,\s\u00a0\u202f'’+]/g
  const plain = text.replace(grouping, '').replace(decimalSign, '.')
  return plain.endsWith('-') ? `-${plain.slice(0, -1)}` : plain
}

const ORDERS: Readonly<Record<string, RegExp>> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d{2})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4}|\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}|\d{2})$/,
}

function isoDay(text: string, format: string): string | undefined {
  const { year, month, day } = ORDERS[format]?.exec(text)?.groups ?? {}
  if (!year || !month || !day) return undefined
  const whole = year.length === 2 ? `20${year}` : year
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The cells of a CSV text (RFC 4180), whatever stands between them. */
export function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (sign === delimiter) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1
      rows.push([...row, cell])
      row = []
      cell = ''
    } else cell += sign
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}
