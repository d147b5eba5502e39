import type { DumpRow } from './row.ts'
import { endOfSpace, endOfString, NEED, readRow } from './rows.ts'

/** The head of an INSERT: the target of its rows. */
export type InsertHead = {
  /** Without the name of a database. */
  readonly table: string
  readonly database: string | null
  /** Null: all columns of the table, in their order. */
  readonly columns: readonly string[] | null
  readonly form: 'values' | 'set'
  readonly start: number
  readonly end: number
}

const MODIFIERS = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO'])

/** The letters at a position, in capitals. */
export function wordAt(bytes: Buffer, at: number): string {
  return /^[A-Za-z]+/.exec(bytes.toString('latin1', at, at + 24))?.[0].toUpperCase() ?? ''
}

/** The delimiter that a DELIMITER line of the MySQL client sets. */
export function delimiterIn(line: string): string {
  const [, word = ';'] = /^\s*DELIMITER\s+(\S+)/i.exec(line) ?? []
  return word.slice(0, 16)
}

/** Reads names and characters one after the other; `failed` as soon as one is not the expected one. */
class Reader {
  at: number
  state: 'fine' | 'failed' | 'short' = 'fine'
  readonly #bytes: Buffer
  readonly #ended: boolean

  constructor(bytes: Buffer, at: number, ended: boolean) {
    this.#bytes = bytes
    this.at = at
    this.#ended = ended
  }

  get short(): boolean {
    return this.state === 'short'
  }

  space(): void {
    const end = endOfSpace(this.#bytes, this.at, this.#ended)
    if (end === NEED || end >= this.#bytes.length) this.state = 'short'
    else this.at = end
  }

  /** A word in capitals, or an empty string. */
  word(): string {
    this.space()
    if (this.state !== 'fine') return ''
    const found =
      /^[A-Za-z_]+/.exec(this.#bytes.toString('latin1', this.at, this.at + 32))?.[0] ?? ''
    if (this.at + found.length >= this.#bytes.length) this.state = 'short'
    this.at += found.length
    return found.toUpperCase()
  }

  sign(byte: number): boolean {
    this.space()
    if (this.state !== 'fine' || this.#bytes[this.at] !== byte) return false
    this.at += 1
    return true
  }

  name(): string {
    this.space()
    if (this.state !== 'fine') return ''
    const first = this.#bytes[this.at]
    if (first === 96 || first === 34) {
      const end = endOfString(this.#bytes, this.at, this.#ended)
      if (end === NEED) {
        this.state = 'short'
        return ''
      }
      const quote = String.fromCharCode(first)
      const text = this.#bytes
        .toString('utf8', this.at + 1, end - 1)
        .replaceAll(quote + quote, quote)
      this.at = end
      return text
    }
    const found = /^[\w$\u0080-\u00ff]+/.exec(
      this.#bytes.toString('latin1', this.at, this.at + 256),
    )?.[0]
    if (!found) this.state = 'failed'
    else if (this.at + found.length >= this.#bytes.length) this.state = 'short'
    this.at += found?.length ?? 0
    return found ?? ''
  }
}

/** Reads `INSERT INTO t (a, b) VALUES`; null for one whose rows are not in the file. */
export function readInsertHead(
  bytes: Buffer,
  start: number,
  ended: boolean,
): InsertHead | null | typeof NEED {
  const reader = new Reader(bytes, start, ended)
  reader.word()
  for (let before = reader.at; ; before = reader.at) {
    const word = reader.word()
    if (reader.state === 'short') return ended ? null : NEED
    if (MODIFIERS.has(word)) continue
    reader.at = before
    break
  }
  let table = reader.name()
  let database: string | null = null
  if (reader.sign(46)) {
    database = table
    table = reader.name()
  }
  const columns = reader.sign(40) ? namesIn(reader) : null
  const word = reader.word()
  if (reader.short) return ended ? null : NEED
  if (reader.state === 'failed' || table === '') return null
  const place = { table, database, columns, start, end: reader.at }
  if (word === 'VALUES' || word === 'VALUE') return { ...place, form: 'values' }
  return word === 'SET' && columns === null ? { ...place, form: 'set' } : null
}

function namesIn(reader: Reader): string[] {
  const names: string[] = []
  if (reader.sign(41)) return names
  for (;;) {
    names.push(reader.name())
    if (reader.sign(41) || reader.state !== 'fine') return names
    if (!reader.sign(44)) {
      if (reader.state === 'fine') reader.state = 'failed'
      return names
    }
  }
}

/**
 * Reads `a = 1, b = 2` into a row, by turning it into names and values. Such a statement has only
 * one row, so copying it does not matter.
 */
export function columnsOfSet(
  bytes: Buffer,
  start: number,
  row: DumpRow,
  delimiter: string,
  ended: boolean,
): { columns: string[]; end: number } | typeof NEED {
  const reader = new Reader(bytes, start, ended)
  const columns: string[] = []
  const values: Buffer[] = []
  for (;;) {
    let name = reader.name()
    while (reader.sign(46)) name = reader.name()
    if (!reader.sign(61)) {
      return reader.state === 'short' && !ended ? NEED : { columns, end: start }
    }
    const end = endOfAssigned(bytes, reader.at, delimiter, ended)
    if (end === NEED) return NEED
    columns.push(name)
    values.push(bytes.subarray(reader.at, end))
    reader.at = end
    if (bytes[end] !== 44) break
    reader.at += 1
  }
  const joined = Buffer.concat([...values.flatMap((it) => [it, Buffer.from(',')])])
  joined[joined.length - 1] = 41
  row.bytes = joined
  readRow(joined, 0, row, true)
  return { columns, end: reader.at }
}

function endOfAssigned(bytes: Buffer, start: number, delimiter: string, ended: boolean): number {
  let depth = 0
  for (let at = start; ; at += 1) {
    at = endOfSpace(bytes, at, ended)
    if (at === NEED) return NEED
    if (at >= bytes.length) return ended ? at : NEED
    const byte = bytes[at] ?? 0
    if (byte === 39 || byte === 34) {
      at = endOfString(bytes, at, ended) - 1
      if (at < 0) return NEED
    } else if (byte === 40) depth += 1
    else if (byte === 41) depth -= 1
    else if (depth === 0 && (byte === 44 || isEnd(bytes, at, delimiter))) return at
  }
}

function isEnd(bytes: Buffer, at: number, delimiter: string): boolean {
  if (bytes.toString('latin1', at, at + delimiter.length) === delimiter) return true
  return (
    /^ON\s+DUPLICATE/i.test(bytes.toString('latin1', at, at + 16)) && (bytes[at - 1] ?? 0) <= 41
  )
}

const NOT_COLUMNS =
  /^(?:PRIMARY|KEY|UNIQUE|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK|PERIOD)$/

/** The columns of a CREATE TABLE in their order, by name; null for another statement. */
export function columnsOfTable(text: Buffer): { name: string; columns: string[] } | null {
  const reader = new Reader(text, 0, true)
  if (reader.word() !== 'CREATE') return null
  let word = reader.word()
  if (word === 'TEMPORARY') word = reader.word()
  if (word !== 'TABLE') return null
  const before = reader.at
  if (reader.word() === 'IF') {
    reader.word()
    reader.word()
  } else reader.at = before
  reader.state = 'fine'
  let name = reader.name()
  if (reader.sign(46)) name = reader.name()
  if (!reader.sign(40)) return null
  return { name, columns: definedColumns(text, reader) }
}

function definedColumns(text: Buffer, reader: Reader): string[] {
  const columns: string[] = []
  for (;;) {
    reader.space()
    const quoted = text[reader.at] === 96 || text[reader.at] === 34
    const name = reader.name()
    if (name === '') return columns
    if (quoted || !NOT_COLUMNS.test(name.toUpperCase())) columns.push(name)
    const end = endOfDefinition(text, reader.at)
    if (text[end] !== 44) return columns
    reader.at = end + 1
    reader.state = 'fine'
  }
}

function endOfDefinition(text: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (byte === 39 || byte === 34 || byte === 96) {
      at = endOfString(text, at, true) - 1
      if (at < 0) return text.length
    } else if (byte === 40) depth += 1
    else if (byte === 41 && depth-- === 0) return at
    else if (byte === 44 && depth === 0) return at
  }
  return text.length
}
