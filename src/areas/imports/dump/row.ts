import { isUtf8 } from 'node:buffer'
import type { Charset } from './charset.ts'
import { decimalIn, momentIn } from './digits.ts'
import { unescaped } from './escapes.ts'

/** How to read the bytes of a cell. */
export const NULL = 0
export const PLAIN = 1
export const ESCAPED = 2
export const HEX = 3
export const BITS = 4
/** Something that only a database could evaluate, like `NOW()`. */
export const EXPRESSION = 5
/** Bytes that are not in the file as such: strings that were written in pieces. */
export const MADE = 6

/** More columns than any table has. */
export const MAX_COLUMNS = 4096

/** Why a text could not be used unchanged. */
export type TextFault = 'invalid_utf8' | 'nul_removed'

/**
 * The row that is being read. One object serves a whole file: its cells point into the bytes of the file and
 * are decoded only on request. Valid until the listener returns.
 */
export class DumpRow {
  bytes: Buffer = Buffer.alloc(0)
  /** The number of its values. */
  count = 0
  /** Its position in the file. */
  byte = 0
  readonly kinds = new Uint8Array(MAX_COLUMNS)
  readonly starts = new Int32Array(MAX_COLUMNS)
  readonly ends = new Int32Array(MAX_COLUMNS)
  /** Whether a cell has bytes beyond ASCII. */
  readonly wide = new Uint8Array(MAX_COLUMNS)
  /** The bytes of cells of the kind MADE, by column. */
  readonly made = new Map<number, Buffer>()
  charset: Charset = 'utf-8'
  /** Called for each text that had to be changed. */
  onFault: (fault: TextFault) => void = () => {}

  isNull(column: number): boolean {
    return this.kinds[column] === NULL
  }

  isExpression(column: number): boolean {
    return this.kinds[column] === EXPRESSION
  }

  /** The bytes of a cell as the database would store them; null for NULL. */
  bytesOf(column: number): Buffer | null {
    const start = this.starts[column] ?? 0
    const end = this.ends[column] ?? 0
    switch (this.kinds[column]) {
      case PLAIN:
        return this.bytes.subarray(start, end)
      case ESCAPED:
        return unescaped(this.bytes, start, end)
      case HEX:
        return Buffer.from(evenHex(this.bytes.toString('latin1', start, end)), 'hex')
      case BITS:
        return bytesOfBits(this.bytes.toString('latin1', start, end))
      case MADE:
        return this.made.get(column) ?? null
      default:
        return null
    }
  }

  /** A cell as text; null for NULL. Without NUL, which our database cannot store. */
  text(column: number): string | null {
    if (this.kinds[column] === PLAIN && this.wide[column] === 0) {
      const plain = this.bytes.toString('latin1', this.starts[column], this.ends[column])
      return plain.includes('\0') ? this.#withoutNul(plain) : plain
    }
    const bytes = this.bytesOf(column)
    if (!bytes) return null
    const text = this.#decoded(bytes)
    return text.includes('\0') ? this.#withoutNul(text) : text
  }

  /** A cell as an integer; NaN if it is not one, null for NULL. */
  integer(column: number): number | null {
    if (this.kinds[column] === PLAIN) {
      const { bytes } = this
      const end = this.ends[column] ?? 0
      let at = this.starts[column] ?? 0
      let value = 0
      if (end - at > 0 && end - at <= 15) {
        const negative = bytes[at] === 45
        if (negative) at += 1
        let valid = at < end
        for (; at < end; at += 1) {
          const digit = (bytes[at] ?? 0) - 48
          if (digit < 0 || digit > 9) valid = false
          value = value * 10 + digit
        }
        if (valid) return negative ? -value : value
      }
    }
    const text = this.text(column)
    if (text === null) return null
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value) ? value : Number.NaN
  }

  /** A cell as one integer with this many decimals; NaN if it has to be parsed from its text. */
  decimal(column: number, decimals: number): number {
    if (this.kinds[column] !== PLAIN) return Number.NaN
    return decimalIn(this.bytes, this.starts[column] ?? 0, this.ends[column] ?? 0, decimals)
  }

  /** A cell as milliseconds since the epoch; null for no date, NaN if it has to be parsed from its text. */
  moment(column: number): number | null {
    const kind = this.kinds[column]
    if (kind !== PLAIN) return kind === NULL ? null : Number.NaN
    return momentIn(this.bytes, this.starts[column] ?? 0, this.ends[column] ?? 0)
  }

  #decoded(bytes: Buffer): string {
    if (this.charset !== 'utf-8') {
      // UTF-8 data over a connection of another charset is common; text in another charset is hardly ever valid UTF-8.
      return isUtf8(bytes) ? bytes.toString('utf8') : decoderOf(this.charset).decode(bytes)
    }
    if (isUtf8(bytes)) return bytes.toString('utf8')
    this.onFault('invalid_utf8')
    return decoderOf('windows-1252').decode(bytes)
  }

  #withoutNul(text: string): string {
    this.onFault('nul_removed')
    return text.replaceAll('\0', '')
  }
}

type Decoder = InstanceType<typeof TextDecoder>

const decoders = new Map<Charset, Decoder>()

function decoderOf(charset: Charset): Decoder {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset, { ignoreBOM: true })
  decoders.set(charset, decoder)
  return decoder
}

function evenHex(digits: string): string {
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

function bytesOfBits(bits: string): Buffer {
  const padded = bits.padStart(Math.ceil(bits.length / 8) * 8, '0')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((it) => Number.parseInt(it, 2)))
}
