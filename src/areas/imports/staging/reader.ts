import { setImmediate } from 'node:timers/promises'
import type { Instant } from '#lib/time.ts'
import type { DumpRow } from '../dump/row.ts'
import { DumpScanner } from '../dump/scanner.ts'
import type { InsertHead } from '../dump/statements.ts'
import { Cells, RowFault } from '../sources/cells.ts'
import type { Detected } from '../sources/index.ts'
import type { TableMapping } from '../sources/source.ts'
import type { Resource } from './resources.ts'
import type { Survey } from './survey.ts'
import { StagingWriter } from './writer.ts'

/** A note about a row: that it failed, or that its text was changed. */
export type RowNote = {
  readonly kind: 'failed' | 'warning'
  readonly code: string
  readonly table: string
  readonly sourceId: number | null
  readonly detail: string | null
}

/** What the rows contain that are not staged. */
export type Findings = {
  readonly settings: ReadonlyMap<string, string>
  /** Sums of the amounts of tables that are not imported, in hundredths, by table and column. */
  readonly sums: ReadonlyMap<string, ReadonlyMap<string, bigint>>
  /** Resources whose ids were not strictly ascending: some may occur twice. */
  readonly unordered: ReadonlySet<Resource>
}

type Start = {
  readonly survey: Survey
  readonly detected: Detected
  /** The position up to which rows are staged already. */
  readonly after: number
  /** When the import was created. */
  readonly since: Instant
}

/** Rows to write, and the position in the file up to which they reach. */
export type Batch = {
  readonly writer: StagingWriter
  readonly notes: RowNote[]
  readonly place: number
}

const BATCH_BYTES = 4 << 20
/** Pieces of a file are divided into parts of this size, after each of which a batch may end. */
const PART_BYTES = 32 << 10

/**
 * Reads the rows of a dump that are imported, and passes them on in batches: at most one batch is read
 * while another is written. Rows up to the position where an earlier run stopped are skipped: the same
 * file has them in the same order.
 */
export async function stageDump(
  pieces: AsyncIterable<Buffer>,
  { batchRows, ...start }: Start & { batchRows: number },
  {
    onBatch,
    onPiece,
  }: {
    onBatch: (batch: Batch, bytes: number) => Promise<void>
    onPiece: (bytes: number) => Promise<void>
  },
): Promise<Findings> {
  const reader = new RowReader(start)
  let writing = Promise.resolve()
  async function handOver(): Promise<void> {
    await writing
    writing = onBatch(reader.taken(), reader.scanner.byte)
    // The caller that awaits `writing` gets the error; until then it must not count as an unhandled rejection.
    writing.catch(() => {})
  }
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += PART_BYTES) {
        reader.scanner.push(piece.subarray(at, at + PART_BYTES))
        if (reader.holds(batchRows)) await handOver()
        // Lets the database's response to the previous batch be processed.
        await setImmediate()
      }
      await onPiece(reader.scanner.byte)
    }
    reader.scanner.end()
    await handOver()
    await writing
  } finally {
    await Promise.allSettled([writing])
  }
  return reader
}

class RowReader implements Findings {
  readonly scanner: DumpScanner
  readonly settings = new Map<string, string>()
  readonly sums = new Map<string, Map<string, bigint>>()
  readonly unordered = new Set<Resource>()
  readonly #lastIds = new Map<Resource, number>()
  readonly #cells: Cells
  readonly #survey: Survey
  readonly #detected: Detected
  readonly #after: number
  #notes: RowNote[] = []
  #writer: StagingWriter
  /** The writer from which the previous batch is written. */
  #other: StagingWriter
  #place = 0
  #width = 0
  #table = ''
  #take: (row: DumpRow) => void = () => {}
  #faults: string[] = []

  constructor({ survey, detected, after, since }: Start) {
    this.#writer = new StagingWriter(since)
    this.#other = new StagingWriter(since)
    this.#survey = survey
    this.#detected = detected
    this.#after = after
    this.scanner = new DumpScanner({
      insert: (head) => this.#begin(head),
      row: (row) => this.#row(row),
      counted() {},
      table() {},
      statement() {},
    })
    const { row } = this.scanner
    row.charset = survey.charset
    row.onFault = (fault) => this.#faults.push(fault)
    this.#cells = new Cells(row)
  }

  holds(batchRows: number): boolean {
    const { rows, bytes } = this.#writer
    return rows + this.#notes.length >= batchRows || bytes >= BATCH_BYTES
  }

  /** What was read since the last batch. That batch must have been written by now, because its memory is reused. */
  taken(): Batch {
    const batch = { writer: this.#writer, notes: this.#notes, place: this.#place }
    this.#writer = this.#other
    this.#writer.clear()
    this.#other = batch.writer
    this.#notes = []
    return batch
  }

  /** Decides how the rows that follow are read. */
  #begin({ table, columns }: InsertHead): boolean {
    const { source, prefix } = this.#detected
    if (!table.startsWith(prefix)) return false
    const name = table.slice(prefix.length)
    const become = Object.hasOwn(source.tables, name) ? source.tables[name] : undefined
    const settings = source.settings.table === name
    if (!become && !settings) return false
    const names = columns ?? this.#survey.tables.get(table)?.columns ?? []
    this.#cells.begin(names)
    this.#width = names.length
    this.#table = name
    this.#take = settings
      ? () => this.#setting()
      : become && 'sums' in become
        ? () => this.#sum(become.sums)
        : () => become && this.#stage(become as TableMapping)
    return true
  }

  #row(row: DumpRow): void {
    this.#place += 1
    try {
      if (row.count !== this.#width) throw new RowFault('wrong_value_count', `${row.count}`)
      this.#take(row)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      const line = this.scanner.lineOf(row.byte)
      const place = `line ${line}, byte ${row.byte}: ${error.detail}`
      this.#note('failed', error.code, this.#idOrNull(row), place)
    }
    if (this.#faults.length > 0) this.#noteFaults(row)
  }

  #stage(become: TableMapping): void {
    const { resource } = become
    if (this.#place <= this.#after) {
      // An earlier run has staged this row already, with its notes.
      this.unordered.add(resource)
      return
    }
    const id = become.id ? become.id(this.#cells) : this.#cells.number('id')
    const row = become.read(this.#cells)
    if (!row) return
    if (id <= (this.#lastIds.get(resource) ?? Number.NEGATIVE_INFINITY))
      this.unordered.add(resource)
    this.#lastIds.set(resource, id)
    this.#writer.add(resource, this.#place, id, row as never)
  }

  #setting(): void {
    const { name, value, wanted } = this.#detected.source.settings
    const setting = this.#cells.text(name)
    if (wanted.includes(setting)) this.settings.set(setting, this.#cells.text(value).slice(0, 200))
  }

  #sum(columns: readonly string[]): void {
    const sums = this.sums.get(this.#table) ?? new Map<string, bigint>()
    this.sums.set(this.#table, sums)
    for (const column of columns) {
      sums.set(column, (sums.get(column) ?? 0n) + BigInt(this.#cells.amount(column)))
    }
  }

  #noteFaults(row: DumpRow): void {
    const id = this.#idOrNull(row)
    for (const code of new Set(this.#faults)) this.#note('warning', code, id, null)
    this.#faults = []
  }

  #note(kind: RowNote['kind'], code: string, sourceId: number | null, detail: string | null): void {
    if (this.#place <= this.#after) return
    this.#notes.push({ kind, code, table: this.#table, sourceId, detail })
  }

  #idOrNull(row: DumpRow): number | null {
    try {
      return row.count === this.#width ? this.#cells.number('id') : null
    } catch {
      return null
    }
  }
}
