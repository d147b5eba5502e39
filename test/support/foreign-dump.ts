/** A cell as a dump holds it. */
export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>
/** The tables of a dump, with their columns in the order of the old system. */
export type Tables = Readonly<Record<string, { readonly columns: string; readonly rows: Row[] }>>

/** Numbers that are the same each time, from 0 up to a limit. */
export function seeded(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Tables as mysqldump writes them: in alphabetical order, columns named by CREATE TABLE alone. */
export function dumpOf(tables: Tables, name: string): Buffer {
  const parts = Object.entries(tables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, { columns, rows }]) => {
      const names = columns.split(' ')
      const created = names.map((it) => `  \`${it}\` varchar(255) DEFAULT NULL`).join(',\n')
      const values = rows.map((row) => `(${names.map((it) => cellText(row[it])).join(',')})`)
      const inserted =
        rows.length === 0 ? '' : `INSERT INTO \`${table}\` VALUES ${values.join(',')};\n`
      return `DROP TABLE IF EXISTS \`${table}\`;\nCREATE TABLE \`${table}\` (\n${created}\n);\n${inserted}`
    })
  return Buffer.from(
    `-- MySQL dump 10.13\n-- Database: ${name}\n/*!40101 SET NAMES utf8mb4 */;\n${parts.join('\n')}\n-- Dump completed\n`,
  )
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return 'NULL'
  if (typeof cell === 'number') return String(cell)
  return `'${cell.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

/** What has to become of a row. */
export type Fate = {
  readonly outcome: 'imported' | 'merged' | 'skipped' | 'failed'
  readonly reason?: string
  /** It cannot even be read: its amounts are in no sum. */
  readonly unread?: boolean
}

export const IMPORTED: Fate = { outcome: 'imported' }
export function skipped(reason: string): Fate {
  return { outcome: 'skipped', reason }
}
export function failed(reason: string): Fate {
  return { outcome: 'failed', reason }
}
export function unread(reason: string): Fate {
  return { outcome: 'failed', reason, unread: true }
}

/** Hundredths of an amount, from its text; null where it is none. */
export function hundredths(cell: Cell | undefined): number | null {
  const text = String(cell ?? '0')
  return /^-?\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null
}

/** The smallest units of currencies; null for one that nobody knows. */
export const DECIMALS: Readonly<Record<string, number | null>> = {
  ...{ EUR: 2, USD: 2, JPY: 0, KWD: 3, UNKNOWN: null },
}

/** Hundredths as the smallest unit of a currency. */
export function unitsOf(amount: number, currency: string): number {
  const decimals = DECIMALS[currency] ?? 2
  return decimals === 0 ? Math.trunc(amount / 100) : decimals === 3 ? amount * 10 : amount
}

type Sums = Record<string, number>
type Money = { readonly currency: string; readonly amounts: Sums }
type Part = 'source' | 'imported' | 'skipped' | 'failed'
type Control = Record<Part, Record<string, Sums>>

/** Counts what has to be reported: rows by what becomes of them, and amounts by currency. */
export class Tally {
  readonly import: Record<string, Counted> = {}
  readonly #sums = new Map<string, Map<string, Money>>()

  constructor(tables: Readonly<Record<string, string>>) {
    for (const [name, table] of Object.entries(tables)) {
      const counts = { read: 0, imported: 0, merged: 0, skipped: 0, failed: 0 }
      this.import[name] = { table, ...counts, reasons: {} }
    }
  }

  add(name: string, id: number, fate: Fate, money?: Money): void {
    const counted = this.import[name]
    if (!counted) throw new Error(name)
    counted.read += 1
    counted[fate.outcome] += 1
    if (fate.reason) {
      const reason = counted.reasons[fate.reason] ?? { count: 0, ids: [] }
      counted.reasons[fate.reason] = reason
      reason.count += 1
      reason.ids.push(id)
    }
    if (!money) return
    const sums = this.#sums.get(name) ?? new Map<string, Money>()
    this.#sums.set(name, sums)
    if (fate.unread) return
    const outcome = fate.outcome === 'merged' ? 'imported' : fate.outcome
    const key = `${outcome} ${money.currency}`
    const sum = sums.get(key) ?? { currency: money.currency, amounts: {} }
    sums.set(key, sum)
    for (const [amount, value] of Object.entries({ count: 1, ...money.amounts })) {
      sum.amounts[amount] = (sum.amounts[amount] ?? 0) + value
    }
  }

  get controls(): Record<string, Control> {
    return Object.fromEntries([...this.#sums].map(([name, sums]) => [name, controlOf(sums)]))
  }
}

export type Counted = {
  table: string
  read: number
  imported: number
  merged: number
  skipped: number
  failed: number
  reasons: Record<string, { count: number; ids: number[] }>
}

function controlOf(sums: ReadonlyMap<string, Money>): Control {
  const control: Control = { source: {}, imported: {}, skipped: {}, failed: {} }
  for (const [key, { currency, amounts }] of sums) {
    const outcome = key.split(' ')[0] as Part
    for (const [name, value] of Object.entries(amounts)) {
      const units = name === 'count' ? value : unitsOf(value, currency)
      for (const part of ['source', outcome] as const) {
        const cell = control[part][currency] ?? {}
        control[part][currency] = cell
        cell[name] = (cell[name] ?? 0) + units
      }
    }
  }
  return control
}

/** Rows by their id; the first of those that have the same. */
export function byId(rows: readonly Row[]): Map<number, Row> {
  return new Map([...rows].reverse().map((row) => [Number(row.id), row]))
}

/** People by what becomes of them: an address is one person, who came first stays. */
export function peopleOf(rows: readonly Row[]): Map<number, Fate> {
  const firsts = new Map<string, number>()
  return new Map(
    [...rows]
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map(({ id, email }) => {
        const login = String(email ?? '')
          .trim()
          .toLowerCase()
        if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(login)) return [Number(id), skipped('invalid_email')]
        const known = firsts.has(login)
        firsts.set(login, firsts.get(login) ?? Number(id))
        const merged: Fate = { outcome: 'merged', reason: 'duplicate_email' }
        return [Number(id), known ? merged : IMPORTED]
      }),
  )
}

/** Why what belongs to a person is left out, if it is. */
export function ownerFate(people: ReadonlyMap<number, Fate>, id: number): Fate | null {
  const fate = people.get(id)
  if (!fate) return skipped('orphan_client')
  return fate.outcome === 'skipped' ? skipped('client_not_imported') : null
}

/** Why an amount cannot be kept in its currency, if it cannot. */
export function currencyFate(currency: string, ...amounts: number[]): Fate | null {
  const decimals = DECIMALS[currency] ?? null
  if (decimals === null) return failed('unknown_currency_code')
  const broken = decimals === 0 && amounts.some((it) => it % 100 !== 0)
  return broken ? failed('fraction_of_unit') : null
}
