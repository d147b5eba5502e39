const MINUS = 45
const POINT = 46
const ZERO = 48
const SPACE = 32
const COLON = 58

/** Up to this many digits always fit into a safe integer. */
const MOST_BYTES = 15
const POWERS = [1, 10, 100, 1000]

/**
 * A decimal number with this many decimals, as one integer: 12.5 with two decimals is 1250. NaN unless it consists of
 * digits with at most one point and an optional leading minus, or if it is too long for this function.
 */
export function decimalIn(bytes: Buffer, start: number, end: number, decimals: number): number {
  const negative = bytes[start] === MINUS
  const first = negative ? start + 1 : start
  if (end - first > MOST_BYTES) return Number.NaN
  let value = 0
  let point = -1
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    const digit = byte - ZERO
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else if (byte === POINT && point < 0) point = at
    else return Number.NaN
  }
  if (end - first < (point < 0 ? 1 : 2)) return Number.NaN
  const behind = point < 0 ? 0 : end - point - 1
  const whole = value * (POWERS[decimals - behind] ?? Number.NaN)
  if (!Number.isSafeInteger(whole)) return Number.NaN
  return negative && whole !== 0 ? -whole : whole
}

const DAY_BYTES = 10
const MOMENT_BYTES = 19
const DAY_MS = 86_400_000

/**
 * `2024-02-29` or `2024-02-29 23:59:59`, in milliseconds since the epoch. An invalid time counts as midnight.
 * Null for a day that does not exist or that means "no date"; NaN for any other format.
 */
export function momentIn(bytes: Buffer, start: number, end: number): number | null {
  if (end - start !== DAY_BYTES && end - start !== MOMENT_BYTES) return Number.NaN
  const year = digitsIn(bytes, start, 4)
  const month = digitsIn(bytes, start + 5, 2)
  const day = digitsIn(bytes, start + 8, 2)
  if (year < 0 || month < 0 || day < 0) return Number.NaN
  if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return Number.NaN
  const timeMs = end - start === DAY_BYTES ? 0 : timeIn(bytes, start + DAY_BYTES)
  if (Number.isNaN(timeMs)) return Number.NaN
  return isCalendarDay(year, month, day) ? daysTo(year, month, day) * DAY_MS + timeMs : null
}

/** A time of day after a space, in milliseconds; 0 for an invalid time. */
function timeIn(bytes: Buffer, start: number): number {
  const hours = digitsIn(bytes, start + 1, 2)
  const minutes = digitsIn(bytes, start + 4, 2)
  const seconds = digitsIn(bytes, start + 7, 2)
  if (hours < 0 || minutes < 0 || seconds < 0) return Number.NaN
  if (bytes[start] !== SPACE || bytes[start + 3] !== COLON || bytes[start + 6] !== COLON) {
    return Number.NaN
  }
  if (hours > 23 || minutes > 59 || seconds > 59) return 0
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** This many digits as a number; -1 if one of them is not a digit. */
function digitsIn(bytes: Buffer, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** The longest that each month can be. */
const LENGTHS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** False also for 1970-01-01 and years before 100: old versions of MySQL and PHP write them for a missing date. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  if (day < 1 || day > (LENGTHS[month] ?? 0) || year < 100) return false
  if (month === 2 && day === 29) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year !== 1970 || month !== 1 || day !== 1
}

/** Days since the epoch. Years begin in March in this calculation, so that 29 February is the last day of a year. */
function daysTo(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1
  const months = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - 719_469
}
