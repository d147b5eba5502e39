import { DumpFault } from './fault.ts'
import { DumpRow } from './row.ts'
import { endOfSpace, NEED, readRow } from './rows.ts'
import { Skipper } from './skipper.ts'
import {
  columnsOfSet,
  columnsOfTable,
  delimiterIn,
  type InsertHead,
  readInsertHead,
  wordAt,
} from './statements.ts'

/** Receives the content of a dump while it is read. */
export type DumpListener = {
  /** Rows follow. True: `row` is called for each; false: they are only counted. */
  insert(head: InsertHead): boolean
  row(row: DumpRow, head: InsertHead): void
  /** This many rows were skipped. */
  counted(head: InsertHead, rows: number): void
  table(name: string, columns: readonly string[]): void
  /** Any other statement, by its first words; with its text if that may matter. */
  statement(words: string, text: string | null): void
}

const START = 0
const ROWS = 1
const SKIP = 2

/** The maximum size of the head of a statement, and of a statement that is parsed as a whole. */
const MAX_HEAD_BYTES = 4 << 20
/** The maximum size of a row that is read. */
const MAX_ROW_BYTES = 32 << 20

/** Memory for a piece and the rest of the previous one; and how much of it may stay unused after a long row. */
const FIRST_ROOM = 256 << 10
const SPARE_ROOM = 1 << 20

/**
 * Parses the text of a MySQL dump, in pieces as they arrive, and reports what it contains. Nothing in it is
 * ever executed. Keeps in memory one piece, and the incomplete row or head at its end: skipped parts take no
 * memory, however long they are. Throws a DumpFault for text that cannot be read at all.
 */
export class DumpScanner {
  readonly row = new DumpRow()
  readonly #listener: DumpListener
  readonly #skipper = new Skipper()
  #bytes: Buffer = Buffer.alloc(0)
  #room: Buffer = Buffer.alloc(0)
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #wanted = 0
  #at = 0
  #consumed = 0
  #newlines = 0
  #mode = START
  #head: InsertHead | null = null
  #delimiter = ';'
  #ended = false

  constructor(listener: DumpListener) {
    this.#listener = listener
  }

  /** How far the text was read, in bytes. */
  get byte(): number {
    return this.#consumed + this.#at
  }

  /** The line number of a byte of the current piece, from 1. */
  lineOf(byte: number): number {
    return this.#newlines + newlinesIn(this.#bytes, 0, byte - this.#consumed) + 1
  }

  push(piece: Buffer): void {
    this.#waiting.push(piece)
    this.#waitingBytes += piece.length
    // A row longer than a piece is parsed again only once twice as much of it has arrived.
    if (this.#waitingBytes < this.#wanted) return
    this.#take()
    this.#run()
  }

  /** The file has ended. Returns whether it was complete: false if it breaks off in the middle. */
  end(): boolean {
    this.#ended = true
    this.#take()
    this.#run()
    if (this.#mode === START) return this.#at >= this.#bytes.length
    if (this.#mode === ROWS) return false
    // The last statement of a file may lack its delimiter.
    const { inString, depth, rows } = this.#skipper
    return !inString && depth <= 0 && (!this.#head || rows > 0)
  }

  #take(): void {
    this.#newlines += newlinesIn(this.#bytes, 0, this.#at)
    const rest = this.#bytes.length - this.#at
    const length = rest + this.#waitingBytes
    const before = this.#bytes
    // This buffer is reused: new ones would pile up until they are garbage-collected.
    if (this.#room.length < length || this.#room.length > SPARE_ROOM + 4 * length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(length + (length >> 1), FIRST_ROOM))
    }
    before.copy(this.#room, 0, this.#at)
    let end = rest
    for (const piece of this.#waiting) end += piece.copy(this.#room, end)
    this.#bytes = this.#room.subarray(0, length)
    this.#consumed += this.#at
    this.#at = 0
    this.#waiting = []
    this.#waitingBytes = 0
    this.row.bytes = this.#bytes
  }

  #run(): void {
    this.#wanted = 0
    while (this.#at < this.#bytes.length) {
      const before = this.#at
      const mode = this.#mode
      if (mode === START) this.#statement()
      else if (mode === ROWS) this.#rows()
      else this.#skip()
      if (this.#at === before && this.#mode === mode) {
        this.#needMore()
        return
      }
    }
  }

  #needMore(): void {
    const held = this.#bytes.length - this.#at
    const most = this.#mode === ROWS ? MAX_ROW_BYTES : MAX_HEAD_BYTES
    if (this.#mode !== SKIP && held > most) {
      const what = this.#mode === ROWS ? 'row' : 'statement'
      throw new DumpFault(`${what}_too_long`, this.byte, this.lineOf(this.byte))
    }
    this.#wanted = this.#mode === SKIP ? 0 : Math.min(held, most - held + 1)
  }

  #statement(): void {
    const bytes = this.#bytes
    const start = endOfSpace(bytes, this.#at, this.#ended)
    if (start === NEED) return
    this.#at = start
    if (start >= bytes.length) return
    if (bytes.length - start < 24 && !this.#ended) return
    if (bytes.toString('latin1', start, start + this.#delimiter.length) === this.#delimiter) {
      this.#at += this.#delimiter.length
      return
    }
    const word = wordAt(bytes, start)
    if (word === 'DELIMITER') this.#newDelimiter(start)
    else if (word === 'INSERT' || word === 'REPLACE') this.#insert(start)
    else if (word === 'CREATE' || word === 'SET' || word === 'USE') this.#whole(start, word)
    else this.#pass(word)
  }

  #newDelimiter(start: number): void {
    const end = this.#bytes.indexOf(10, start)
    if (end < 0 && !this.#ended) return
    const line = this.#bytes.toString('latin1', start, end < 0 ? this.#bytes.length : end)
    this.#delimiter = delimiterIn(line)
    this.#at = end < 0 ? this.#bytes.length : end + 1
  }

  #insert(start: number): void {
    const head = readInsertHead(this.#bytes, start, this.#ended)
    if (head === NEED) return
    if (!head) {
      this.#pass('INSERT')
      return
    }
    this.#at = head.end
    if (head.form === 'set') {
      this.#insertSet(head)
      return
    }
    this.#head = head
    if (this.#listener.insert(head)) this.#mode = ROWS
    else this.#beginSkip(true)
  }

  /** `INSERT ... SET a = 1, b = 2`: one row, with its columns next to its values. */
  #insertSet(head: InsertHead): void {
    const read = columnsOfSet(this.#bytes, head.end, this.row, this.#delimiter, this.#ended)
    if (read === NEED) {
      this.#at = head.start
      return
    }
    const whole = { ...head, columns: read.columns }
    if (this.#listener.insert(whole)) {
      this.row.byte = this.#consumed + head.start
      this.#listener.row(this.row, whole)
    } else {
      this.#listener.counted(whole, 1)
    }
    this.row.bytes = this.#bytes
    this.#at = read.end
    this.#head = null
    this.#beginSkip(false)
  }

  #whole(start: number, word: string): void {
    const end = this.#skipper.endOf(this.#bytes, start, this.#delimiter, this.#ended)
    if (end === NEED) {
      if (this.#bytes.length - start > MAX_HEAD_BYTES) this.#pass(word)
      return
    }
    const text = this.#bytes.subarray(start, end)
    const table = word === 'CREATE' ? columnsOfTable(text) : null
    if (table) this.#listener.table(table.name, table.columns)
    else this.#listener.statement(wordsOf(text), text.toString('latin1', 0, 2000))
    this.#at = Math.min(end + this.#delimiter.length, this.#bytes.length)
  }

  #pass(word: string): void {
    const text = this.#bytes.subarray(this.#at, this.#at + 200)
    this.#listener.statement(word === '' ? '?' : wordsOf(text), null)
    this.#head = null
    this.#beginSkip(false)
  }

  #beginSkip(counting: boolean): void {
    this.#mode = SKIP
    this.#skipper.begin(counting)
  }

  #rows(): void {
    const bytes = this.#bytes
    const head = this.#head
    const { row } = this
    if (!head) return
    const last = this.#delimiter.charCodeAt(0)
    for (;;) {
      let at = endOfSpace(bytes, this.#at, this.#ended)
      if (at === NEED) return
      while (bytes[at] === 44) {
        at = endOfSpace(bytes, at + 1, this.#ended)
        if (at === NEED) return
      }
      if (at >= bytes.length) return
      if (bytes[at] !== 40) {
        this.#at = at
        if (bytes[at] === last) this.#mode = START
        // ON DUPLICATE KEY UPDATE, or something that is not a row.
        else this.#beginSkip(false)
        return
      }
      const end = readRow(bytes, at + 1, row, this.#ended)
      if (end === NEED) return
      row.byte = this.#consumed + at
      this.#at = end
      this.#listener.row(row, head)
    }
  }

  #skip(): void {
    const skipper = this.#skipper
    const rows = skipper.rows
    this.#at = skipper.skip(this.#bytes, this.#at, this.#delimiter, this.#ended)
    if (this.#head && skipper.rows > rows) this.#listener.counted(this.#head, skipper.rows - rows)
    if (skipper.done) {
      this.#mode = START
      this.#head = null
    }
  }
}

function wordsOf(text: Buffer): string {
  const words = text.toString('latin1', 0, 200).match(/[A-Za-z_]+/g) ?? []
  return words.slice(0, 2).join(' ').toUpperCase()
}

function newlinesIn(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(10, start); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) {
    count += 1
  }
  return count
}
