import { type Charset, charsetOf } from '../dump/charset.ts'
import { Ends } from '../dump/ends.ts'
import { DumpFault } from '../dump/fault.ts'
import { DumpScanner } from '../dump/scanner.ts'

/** The structure of a dump, before any row of it is read. */
export type Survey = {
  readonly tables: ReadonlyMap<string, SurveyedTable>
  /** Statements without data, by their first words. */
  readonly statements: ReadonlyMap<string, number>
  readonly charset: Charset
  readonly declaredCharset: string | null
  readonly rows: number
  readonly bytes: number
}

export type SurveyedTable = {
  /** Null if there is neither a CREATE TABLE nor a list of columns. */
  columns: readonly string[] | null
  rows: number
  /** The databases that contain a table of this name. */
  readonly databases: Set<string>
}

/** More tables than any database of one shop has. */
const MAX_TABLES = 5000
const UNKNOWN_MODE = /NO_BACKSLASH_ESCAPES|ANSI_QUOTES/i

/**
 * Reads a dump to its end without reading its rows. Throws a DumpFault for one that is cut off, or
 * whose format would be misread.
 */
export async function surveyDump(
  pieces: AsyncIterable<Buffer>,
  onPiece: (bytes: number) => Promise<void>,
): Promise<Survey> {
  const surveyor = new Surveyor()
  const ends = new Ends()
  const scanner = new DumpScanner({
    insert: ({ table, database, columns }) => surveyor.insert(table, database, columns),
    row() {},
    counted: ({ table }, rows) => surveyor.counted(table, rows),
    table: (name, columns) => surveyor.table(name, columns),
    statement: (words, text) => surveyor.statement(words, text),
  })
  for await (const piece of pieces) {
    scanner.push(piece)
    ends.push(piece)
    await onPiece(scanner.byte)
  }
  if (!scanner.end() || ends.cutOff()) {
    throw new DumpFault('truncated', scanner.byte, scanner.lineOf(scanner.byte))
  }
  const { tables, statements, charset, declaredCharset, rows } = surveyor
  return { tables, statements, charset, declaredCharset, rows, bytes: scanner.byte }
}

class Surveyor {
  readonly tables = new Map<string, SurveyedTable>()
  readonly statements = new Map<string, number>()
  charset: Charset = 'utf-8'
  declaredCharset: string | null = null
  rows = 0
  #database = ''

  insert(table: string, database: string | null, columns: readonly string[] | null): boolean {
    const surveyed = this.#of(table)
    surveyed.columns ??= columns
    surveyed.databases.add(database ?? this.#database)
    return false
  }

  counted(table: string, rows: number): void {
    this.#of(table).rows += rows
    this.rows += rows
  }

  table(name: string, columns: readonly string[]): void {
    this.#of(name).columns = columns
  }

  statement(words: string, text: string | null): void {
    const known = this.statements.has(words) || this.statements.size < 200
    const kind = known ? words : 'OTHER'
    this.statements.set(kind, (this.statements.get(kind) ?? 0) + 1)
    if (!text) return
    if (words.startsWith('SET')) this.#set(text)
    const use =
      /^(?:USE|CREATE\s+DATABASE[^`\w]*(?:\/\*.*?\*\/)?(?:\s*IF NOT EXISTS)?)\s*`?([\w-]+)`?/i
    this.#database = use.exec(text)?.[1] ?? this.#database
  }

  #set(text: string): void {
    if (UNKNOWN_MODE.test(text)) throw new DumpFault('unsupported_sql_mode')
    const name = /^SET\s+NAMES\s+['"]?(\w+)/i.exec(text)?.[1]
    if (!name || this.declaredCharset) return
    const charset = charsetOf(name)
    if (!charset) throw new DumpFault('unsupported_charset')
    this.charset = charset
    this.declaredCharset = name
  }

  #of(table: string): SurveyedTable {
    let surveyed = this.tables.get(table)
    if (!surveyed) {
      if (this.tables.size >= MAX_TABLES) throw new DumpFault('too_many_tables')
      surveyed = { columns: null, rows: 0, databases: new Set() }
      this.tables.set(table, surveyed)
    }
    return surveyed
  }
}
