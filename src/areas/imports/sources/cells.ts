import { momentIn } from '../dump/digits.ts'
import type { DumpRow } from '../dump/row.ts'
import type { Whole } from '../staging/resources.ts'

/** A row that cannot be read as expected: it fails with this reason. */
export class RowFault extends Error {
  readonly code: string
  readonly detail: string

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`)
    this.code = code
    this.detail = detail
  }
}

/**
 * The cells of the current row, by the names of their columns. A column that is missing in a version of the
 * old system counts as empty. Throws a RowFault for an invalid cell: nothing is guessed.
 */
export class Cells {
  readonly #row: DumpRow
  #places: ReadonlyMap<string, number> = new Map()

  constructor(row: DumpRow) {
    this.#row = row
  }

  /** Sets the columns of the rows that follow, in their order. */
  begin(columns: readonly string[]): void {
    this.#places = new Map(columns.map((name, place) => [name.toLowerCase(), place]))
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  #at(name: string): number {
    const place = this.#places.get(name) ?? -1
    if (place >= 0 && this.#row.isExpression(place)) throw new RowFault('expression', name)
    return place
  }

  /** Text as it is stored; empty for NULL. */
  text(name: string): string {
    const place = this.#at(name)
    return place < 0 ? '' : (this.#row.text(place) ?? '')
  }

  /** Like `text`; null if it is empty. */
  filled(name: string): string | null {
    return this.text(name).trim() || null
  }

  /** Text that is stored with HTML entities, without them. */
  shown(name: string): string {
    return withoutEntities(this.text(name))
  }

  /** An integer; 0 for NULL and for an empty cell. */
  number(name: string): number {
    const place = this.#at(name)
    if (place < 0) return 0
    const value = this.#row.integer(place)
    if (Number.isNaN(value)) {
      if (this.text(name).trim() === '') return 0
      throw new RowFault('invalid_number', name)
    }
    return value ?? 0
  }

  /** `1`, `on` and `yes` are true. */
  flag(name: string): boolean {
    return /^(?:1|on|yes|true)$/i.test(this.text(name).trim())
  }

  /** An amount in hundredths; 0 for NULL. */
  amount(name: string): Whole {
    const place = this.#at(name)
    if (place >= 0 && !this.#row.isNull(place) && this.text(name).trim() === '') {
      throw new RowFault('empty_amount', name)
    }
    return this.decimal(name, 2)
  }

  /** Like `amount`, but faster, for a column that has an amount in each row. */
  money(name: string): Whole {
    const place = this.#at(name)
    const value = place < 0 ? 0 : this.#row.decimal(place, 2)
    if (!Number.isNaN(value)) return value
    if (this.text(name).trim() === '') throw new RowFault('empty_amount', name)
    return wholeOf(this.text(name).trim(), 2, name)
  }

  /** A decimal number with this many decimals, as one integer. */
  decimal(name: string, decimals: number): Whole {
    const place = this.#at(name)
    const value = place < 0 ? 0 : this.#row.decimal(place, decimals)
    return Number.isNaN(value) ? wholeOf(this.text(name).trim(), decimals, name) : value
  }

  /**
   * A day or a time in UTC, in milliseconds since the epoch; null for no date, and for what old versions
   * write instead of NULL. Throws a RowFault for anything else.
   */
  instant(name: string): number | null {
    const place = this.#at(name)
    if (place < 0 || this.#row.isNull(place)) return null
    const moment = this.#row.moment(place)
    if (moment !== null && !Number.isNaN(moment)) return moment
    const text = this.text(name).trim()
    const read = momentOf(text)
    if (read === null && !NO_DATE.test(text)) throw new RowFault('invalid_date', name)
    return read
  }
}

function wholeOf(text: string, decimals: number, name: string): Whole {
  if (text === '') return 0
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? []
  const lost = fraction.slice(decimals)
  if ((whole === '' && fraction === '') || /[1-9]/.test(lost) || whole.length > 15) {
    throw new RowFault('invalid_amount', name)
  }
  const digits = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  const exact = sign === '-' ? -digits : digits
  const value = Number(exact)
  return Number.isSafeInteger(value) ? value : exact
}

/** Values that mean no date: empty, incomplete, and the zero dates of MySQL and PHP. */
const NO_DATE = /^(?:|0\d{3}-.*|\d{4}-00-.*|\d{4}-\d\d-00.*|1970-01-01.*)$/s
const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d:\d\d$/

/** Anything after the day that is not a time is ignored. */
function momentOf(text: string): number | null {
  const [day, time] = [text.slice(0, 10), text.slice(11, 19)]
  if (!DAY.test(day)) return null
  const written = TIME.test(time) ? `${day} ${time}` : day
  return momentIn(Buffer.from(written), 0, written.length)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Decodes once, and only the characters that HTML has to escape. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:(amp|lt|gt|quot)|#0*(38|60|62|34|39)|#x0*(26|3c|3e|22|27));/gi,
    (...found) => {
      const [, name, decimal, hex] = found as string[]
      if (name) return ENTITIES[name.toLowerCase()] ?? ''
      return String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16))
    },
  )
}
