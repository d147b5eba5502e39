import type { DumpRow } from '../dump/row.ts'

/** A row that cannot be read as what it should be: it is failed, with this reason. */
export class RowFault extends Error {
  readonly code: string
  readonly detail: string

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`)
    this.code = code
    this.detail = detail
  }
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
/** What old versions of MySQL and PHP make of no date at all. */
const NO_DAYS = new Set(['1970-01-01', '0001-11-30'])

/**
 * The cells of the row in hand, by the names of their columns: a column that a version of the old
 * system does not have is as if it were empty. Throws a RowFault for a cell that is not what it
 * should be: nothing is guessed.
 */
export class Cells {
  readonly #row: DumpRow
  #places: ReadonlyMap<string, number> = new Map()

  constructor(row: DumpRow) {
    this.#row = row
  }

  /** The columns of the rows that follow, in their order. */
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

  /** As `text`; null where it is empty. */
  filled(name: string): string | null {
    return this.text(name).trim() || null
  }

  /** Text that is stored with HTML entities, as people should see it. */
  shown(name: string): string {
    return withoutEntities(this.text(name))
  }

  /** A whole number; 0 for NULL and for nothing. */
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

  /** An amount in hundredths, as digits: it may be longer than a number can hold. */
  amount(name: string): string {
    return this.decimal(name, 2)
  }

  /** A decimal number with so many decimals, as one whole number. */
  decimal(name: string, decimals: number): string {
    const text = this.text(name)
    // Nearly all are written with just as many decimals as they have here.
    const point = text.length - decimals - 1
    if (point > 0 && point < 13 && text.charCodeAt(point) === POINT && isDigits(text, point)) {
      const digits = text.slice(0, point) + text.slice(point + 1)
      return digits.charCodeAt(0) === ZERO || digits.startsWith('-') ? `${Number(digits)}` : digits
    }
    return wholeOf(text.trim(), decimals, name)
  }

  /** A day or a moment, in UTC; null for none, and for what old versions write instead of none. */
  instant(name: string): string | null {
    const text = this.text(name)
    if (text.length < 10) return null
    const day = text.slice(0, 10)
    if (!isCalendarDay(day)) return null
    const time = text.slice(11, 19)
    return `${day}T${TIME.test(time) ? time : '00:00:00'}Z`
  }
}

const POINT = 46
const ZERO = 48
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** Whether there are digits alone but for a sign at the start and whatever stands at `besides`. */
function isDigits(text: string, besides: number): boolean {
  for (let at = text.charCodeAt(0) === 45 ? 1 : 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO
    if (at !== besides && (digit < 0 || digit > 9)) return false
  }
  return true
}

function wholeOf(text: string, decimals: number, name: string): string {
  if (text === '') return '0'
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? []
  const lost = fraction.slice(decimals)
  if ((whole === '' && fraction === '') || /[1-9]/.test(lost) || whole.length > 15) {
    throw new RowFault('invalid_amount', name)
  }
  const digits = `${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`.replace(/^0+/, '')
  if (digits === '') return '0'
  return sign === '-' ? `-${digits}` : digits
}

/** Dumps hold the same few thousand days again and again. */
const knownDays = new Map<string, boolean>()
const MOST_DAYS = 50_000

/** Whether a text is a day that a calendar has, and that was meant. */
function isCalendarDay(day: string): boolean {
  const known = knownDays.get(day)
  if (known !== undefined) return known
  const [, year, month, date] = DAY.exec(day) ?? []
  const ms = year && year !== '0000' ? Date.UTC(+year, Number(month) - 1, Number(date)) : Number.NaN
  // A day that no calendar has would be moved on to the next month.
  const real = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
  const valid = real && !NO_DAYS.has(day)
  if (knownDays.size >= MOST_DAYS) knownDays.clear()
  knownDays.set(day, valid)
  return valid
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Decodes once, and only what is escaped in HTML. */
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
