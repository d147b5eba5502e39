import { timeSlices } from '#platform/time-slices.ts'
import { amountIn, dayIn, kept, type Statement, type StatementEntry, unreadable } from './entry.ts'
import type { CsvShape } from './schema.ts'

const DELIMITERS = [';', ',', '\t', '|']
/** The header must be within this many first characters. */
const HEAD_LENGTH = 100_000

/**
 * Reads a bank's CSV file by the names of its columns; lines above the header are skipped. Throws
 * 422, naming the line, for a file that is not CSV or has other columns.
 */
export async function readCsv(text: string, shape: CsvShape, currency: string): Promise<Statement> {
  const { columns } = shape
  const wanted = Object.values(columns)
  const plain = text.replace(/^\uFEFF/, '')
  const lines = plain.slice(0, HEAD_LENGTH).split(/\r\n|\r|\n/)
  const delimiter = DELIMITERS.find((it) =>
    lines.some((line) => isHeader(rowsOf(line, it).next().value ?? [], wanted)),
  )
  if (!delimiter) throw unreadable(`no line has the columns ${wanted.join(', ')}`)
  const slice = timeSlices()
  const entries: StatementEntry[] = []
  let names: readonly string[] | null = null
  let line = 0
  let debits = 0
  for (const row of rowsOf(plain, delimiter)) {
    await slice()
    line += 1
    if (names === null) {
      if (isHeader(row, wanted)) names = row.map((name) => name.trim())
      continue
    }
    if (row.every((cell) => cell.trim() === '')) continue
    const known = names
    const cell = (name: string | undefined) =>
      name === undefined ? undefined : row[known.indexOf(name)]?.trim() || undefined
    const where = `line ${line}`
    const entry = entryOf(cell, { shape, currency, where })
    if (entry.amountCents > 0) entries.push(entry)
    else if (entry.amountCents < 0) debits += 1
  }
  if (names === null) throw unreadable(`no line has the columns ${wanted.join(', ')}`)
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

/** The cells of a CSV text (RFC 4180) row by row, whatever characters they contain. */
export function* rowsOf(text: string, delimiter: string): Generator<string[], void, undefined> {
  let row: string[] = []
  let cell = ''
  // Known without reading the cell, which may have megabytes and as many quotes.
  let isBlank = true
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (quoted) {
      if (sign === '"' && text[at + 1] !== '"') {
        quoted = false
        continue
      }
      if (sign === '"') at += 1
      cell += sign
      isBlank &&= sign.trim() === ''
    } else if (sign === '"' && isBlank) {
      cell = ''
      quoted = true
    } else if (sign === delimiter) {
      row.push(cell)
      cell = ''
      isBlank = true
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1
      row.push(cell)
      yield row
      row = []
      cell = ''
      isBlank = true
    } else {
      cell += sign
      isBlank &&= sign.trim() === ''
    }
  }
  if (cell !== '' || row.length > 0) yield [...row, cell]
}
