import { randomFillSync } from 'node:crypto'
import type { ColumnType, Whole } from './resources.ts'

/** `id`: a new id that is created from a given instant. */
export type CellType = ColumnType | 'id'

/** PostgreSQL's type number (OID) of an element; lists are sent as text. */
const TYPES: Readonly<Record<CellType, number>> = {
  ...{ text: 25, 'bigint[]': 25, bigint: 20, boolean: 16, timestamptz: 1184, id: 2950 },
}

const HEADER_BYTES = 20
const FIRST_BYTES = 16 << 10
const ID_BYTES = 16
/** Texts up to this length are written faster character by character. */
const SHORT = 40
const HIGH = 2 ** 32
/** PostgreSQL counts time from 1 January 2000. */
const EPOCH_MS = Date.UTC(2000)

const random = Buffer.alloc(ID_BYTES << 8)
let randomAt = random.length

/** Ids of one instant are ascending: rows written in their order go to the same place of an index. */
let lastMs = Number.NaN
let count = 0

/**
 * One column of staged rows, as an array in PostgreSQL's binary format. The bytes are outside the heap and
 * are reused: a string for each of millions of cells would be garbage, hundreds of megabytes of it before
 * it is collected.
 */
export class Column {
  readonly #type: CellType
  #bytes: Buffer = Buffer.alloc(FIRST_BYTES)
  #end = HEADER_BYTES
  #rows = 0
  #nulls = 0

  constructor(type: CellType) {
    this.#type = type
  }

  /** The number of bytes in use. */
  get length(): number {
    return this.#end
  }

  clear(): void {
    this.#end = HEADER_BYTES
    this.#rows = 0
    this.#nulls = 0
  }

  add(value: unknown): void {
    this.#rows += 1
    if (value === null || value === undefined) {
      this.#room(4)
      this.#end = writeInt(this.#bytes, -1, this.#end)
      this.#nulls = 1
      return
    }
    if (this.#type === 'text') this.#text(String(value))
    else if (this.#type === 'bigint') this.#whole(value as Whole)
    else if (this.#type === 'timestamptz') this.#instant(value as number)
    else if (this.#type === 'id') this.#id(value as number)
    else if (this.#type === 'boolean') this.#truth(value === true)
    else this.#text(`{${(value as readonly Whole[]).join(',')}}`)
  }

  /** The array as PostgreSQL reads it; valid until the next change. */
  array(): Buffer {
    const bytes = this.#bytes
    let at = writeInt(bytes, 1, 0)
    at = writeInt(bytes, this.#nulls, at)
    at = writeInt(bytes, TYPES[this.#type], at)
    at = writeInt(bytes, this.#rows, at)
    writeInt(bytes, 1, at)
    return bytes.subarray(0, this.#end)
  }

  #text(text: string): void {
    this.#room(4 + text.length * 3)
    const start = this.#end + 4
    const written = this.#letters(text, start)
    writeInt(this.#bytes, written, this.#end)
    this.#end = start + written
  }

  /** Writes a text, and returns its number of bytes. */
  #letters(text: string, start: number): number {
    const bytes = this.#bytes
    const { length } = text
    if (length > SHORT) return bytes.write(text, start)
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      if (code > 127) return bytes.write(text, start)
      bytes[start + index] = code
    }
    return length
  }

  #truth(value: boolean): void {
    this.#room(5)
    const at = writeInt(this.#bytes, 1, this.#end)
    this.#end = this.#bytes.writeUInt8(value ? 1 : 0, at)
  }

  #instant(instantMs: number): void {
    const sinceMs = instantMs - EPOCH_MS
    const micros = sinceMs * 1000
    this.#whole(Number.isSafeInteger(micros) ? micros : BigInt(sinceMs) * 1000n)
  }

  #whole(value: Whole): void {
    this.#room(12)
    const at = writeInt(this.#bytes, 8, this.#end)
    if (typeof value === 'number') {
      const high = Math.floor(value / HIGH)
      writeInt(this.#bytes, high, at)
      writeInt(this.#bytes, value - high * HIGH, at + 4)
    } else {
      this.#bytes.writeBigInt64BE(value, at)
    }
    this.#end = at + 8
  }

  /** A new id for an instant, a UUIDv7 like all of our ids: 32 bits are a counter, 42 are random. */
  #id(instantMs: number): void {
    this.#room(4 + ID_BYTES)
    const bytes = this.#bytes
    const at = writeInt(bytes, ID_BYTES, this.#end)
    if (randomAt >= random.length) {
      // Getting random bytes takes longer than all the rest, so many are requested at once.
      randomFillSync(random)
      randomAt = 0
    }
    random.copy(bytes, at, randomAt, randomAt + ID_BYTES)
    randomAt += ID_BYTES
    // The counter starts in the lower half of its range, so that it does not overflow.
    count = instantMs === lastMs ? (count + 1) % HIGH : bytes.readUInt32BE(at + 6) >>> 1
    lastMs = instantMs
    bytes.writeUIntBE(Math.max(0, instantMs), at, 6)
    bytes.writeUInt16BE(0x7000 | (count >>> 20), at + 6)
    bytes.writeUInt16BE(0x8000 | ((count >>> 6) & 0x3fff), at + 8)
    bytes[at + 10] = ((count & 0x3f) << 2) | ((bytes[at + 10] ?? 0) & 3)
    this.#end = at + ID_BYTES
  }

  #room(bytes: number): void {
    const wanted = this.#end + bytes
    if (wanted <= this.#bytes.length) return
    const larger = Buffer.alloc(Math.max(wanted, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

/**
 * The lower 32 bits of an integer, byte by byte: Buffer's methods check the range of each number, which takes longer.
 */
function writeInt(bytes: Buffer, value: number, at: number): number {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
  return at + 4
}
