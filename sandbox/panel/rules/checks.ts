/** Whether a value keeps a rule; `numeric` says that its size is its value, not its length. */
type Check = (value: unknown, parameters: string[], numeric: boolean) => boolean

/** Rules beside which sizes are compared by value. */
export function isNumericRule(name: string): boolean {
  return name === 'numeric' || name === 'integer'
}

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)*$/
const URL_SHAPE = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+([/?#]\S*)?$/i

/** The rules that eggs and requests use. One that is not here is kept by everything. */
export const checks: Record<string, Check> = {
  string: (value) => typeof value === 'string',
  array: (value) => typeof value === 'object' && value !== null,
  boolean: (value) => [true, false, 0, 1, '0', '1'].includes(value as boolean),
  numeric: (value) => isNumeric(value),
  integer: (value) => isNumeric(value) && /^[+-]?(0|[1-9]\d*)$/.test(String(value).trim()),
  digits: (value, [length]) => isDigits(value) && String(value).length === Number(length),
  digits_between: (value, [low, high]) =>
    isDigits(value) && within(String(value).length, Number(low), Number(high)),
  alpha: (value) => matches(value, /^[\p{L}\p{M}]+$/u),
  alpha_num: (value) => matches(value, /^[\p{L}\p{M}\p{N}]+$/u),
  alpha_dash: (value) => matches(value, /^[\p{L}\p{M}\p{N}_-]+$/u),
  email: (value) => typeof value === 'string' && EMAIL.test(value),
  url: (value) => typeof value === 'string' && URL_SHAPE.test(value),
  in: (value, allowed) => allowed.includes(plain(value)),
  not_in: (value, refused) => !refused.includes(plain(value)),
  starts_with: (value, starts) => starts.some((start) => plain(value).startsWith(start)),
  ends_with: (value, ends) => ends.some((end) => plain(value).endsWith(end)),
  regex: (value, [pattern]) => keepsPattern(value, pattern, true),
  not_regex: (value, [pattern]) => keepsPattern(value, pattern, false),
  min: (value, [least], numeric) => sizeOf(value, numeric) >= Number(least),
  max: (value, [most], numeric) => sizeOf(value, numeric) <= Number(most),
  size: (value, [size], numeric) => sizeOf(value, numeric) === Number(size),
  between: (value, [low, high], numeric) =>
    within(sizeOf(value, numeric), Number(low), Number(high)),
  gt: (value, [than], numeric) => sizeOf(value, numeric) > Number(than),
  gte: (value, [than], numeric) => sizeOf(value, numeric) >= Number(than),
  lt: (value, [than], numeric) => sizeOf(value, numeric) < Number(than),
  lte: (value, [than], numeric) => sizeOf(value, numeric) <= Number(than),
}

/** Characters of a text, entries of a list; the value itself of what is numeric. */
function sizeOf(value: unknown, numeric: boolean): number {
  if (numeric && isNumeric(value)) return Number(value)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  return [...plain(value)].length
}

function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
}

function isDigits(value: unknown): boolean {
  return matches(value, /^\d+$/)
}

function matches(value: unknown, pattern: RegExp): boolean {
  return (typeof value === 'string' || typeof value === 'number') && pattern.test(String(value))
}

function within(size: number, low: number, high: number): boolean {
  return size >= low && size <= high
}

/** A value as the panel's language turns it into text. */
function plain(value: unknown): string {
  if (value === true) return '1'
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? '' : String(value)
}

/** A pattern this engine cannot read is kept: the panel's own reads more than this one. */
function keepsPattern(value: unknown, delimited: string | undefined, wanted: boolean): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const pattern = readPattern(delimited ?? '')
  return pattern ? pattern.test(String(value)) === wanted : true
}

function readPattern(delimited: string): RegExp | null {
  const parts = /^(.)(.*)\1([imsu]*)$/s.exec(delimited)
  if (!parts) return null
  const source = (parts[2] ?? '').replaceAll('\\A', '^').replace(/\\[zZ]/g, '$')
  try {
    return new RegExp(source, parts[3])
  } catch {
    return null
  }
}
