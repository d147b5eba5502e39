const MINUS = 45
const POINT = 46
const ZERO = 48
const SPACE = 32
const COLON = 58

/** So many digits are a whole number for sure. */
const MOST_BYTES = 15
const POWERS = [1, 10, 100, 1000]

/**
 * A decimal number with so many decimals, as one whole number: 12.5 with two is 1250. NaN for whatever is not
 * digits alone with a point among them and a minus before, or is too long for this.
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
 * `2024-02-29` or `2024-02-29 23:59:59`, in milliseconds since the epoch: the day alone where the time is none.
 * Null for a day that no calendar has, or that stands for none; NaN for whatever is not written like this.
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

/** A time of day behind a space, in milliseconds; 0 for one that no clock shows. */
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

/** So many digits as a number; -1 where one of them is none. */
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

/** Old versions of MySQL and PHP make the first day of all, or one of the year 1, of no date at all. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  if (day < 1 || day > (LENGTHS[month] ?? 0) || year < 100) return false
  if (month === 2 && day === 29) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year !== 1970 || month !== 1 || day !== 1
}

/** Days since the epoch. Years begin in March here, so that the day that few of them have is their last. */
function daysTo(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1
  const months = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - 719_469
}
