import { unescaped } from './escapes.ts'
import {
  BITS,
  type DumpRow,
  ESCAPED,
  EXPRESSION,
  HEX,
  MADE,
  MAX_COLUMNS,
  NULL,
  PLAIN,
} from './row.ts'

/** The current piece ends before the end of what is read. */
export const NEED = -1

const BACKSLASH = 92
const QUOTE = 39
const DOUBLE = 34
const COMMA = 44
const OPEN = 40
const CLOSE = 41

/** Letters, digits, and other characters of numbers. */
const IN_WORD = new Uint8Array(256)
for (const byte of Buffer.from(
  '0123456789+-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
)) {
  IN_WORD[byte] = 1
}

/**
 * The end of white space and comments. The delimiters of a conditional comment count as space, its
 * content does not; `!999999` is above every version, so that one is a comment.
 */
export function endOfSpace(bytes: Buffer, start: number, ended: boolean): number {
  let at = start
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined) return bytes.length
    if (byte === 32 || (byte >= 9 && byte <= 13)) {
      at += 1
      continue
    }
    // A possible beginning of a comment has to be complete.
    if (byte !== 45 && byte !== 35 && byte !== 47 && byte !== 42 && byte !== 0xef) return at
    if (at + 12 > bytes.length && !ended) return NEED
    const end = endOfComment(bytes, at, byte)
    if (end === NEED) {
      if (!ended) return NEED
      return bytes.length
    }
    if (end === at) return at
    at = end
  }
}

/** The end of a comment that begins at `at`; `at` itself if none does. */
function endOfComment(bytes: Buffer, at: number, byte: number): number {
  const next = bytes[at + 1] ?? 10
  if (byte === 35 || (byte === 45 && next === 45 && (bytes[at + 2] ?? 10) <= 32)) {
    const end = bytes.indexOf(10, at)
    return end < 0 ? NEED : end + 1
  }
  if (byte === 47 && next === 42) {
    const opening = /^\/\*M?!(\d*)/.exec(bytes.toString('latin1', at, at + 12))
    if (opening && opening[1] !== '999999') return at + opening[0].length
    const end = bytes.indexOf('*/', at + 2, 'latin1')
    return end < 0 ? NEED : end + 2
  }
  if (byte === 42 && next === 47) return at + 2
  // A byte order mark.
  if (byte === 0xef && next === 0xbb && bytes[at + 2] === 0xbf) return at + 3
  return at
}

/**
 * Reads the values of a row from after its opening parenthesis, and returns where the row ends.
 * Most cells are a string or a word followed by a comma; anything else takes the slower path.
 */
export function readRow(bytes: Buffer, start: number, row: DumpRow, ended: boolean): number {
  const { kinds, starts, ends, wide } = row
  // Reading beyond the end of the buffer would make all reads slower.
  const { length } = bytes
  if (row.made.size > 0) row.made.clear()
  let column = 0
  let at = start
  for (;;) {
    const from = at
    if (at >= length) return NEED
    let byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at += 1
      starts[column] = at
      let bits = 0
      let escaped = false
      for (;;) {
        while (at < length) {
          byte = bytes[at] ?? 0
          if (byte === QUOTE || byte === BACKSLASH) break
          bits |= byte
          at += 1
        }
        if (at >= length || (at + 1 >= length && !ended)) return NEED
        if (byte === BACKSLASH) {
          escaped = true
          bits |= bytes[at + 1] ?? 0
          at += 2
        } else if (bytes[at + 1] === QUOTE) {
          escaped = true
          at += 2
        } else break
      }
      ends[column] = at
      kinds[column] = escaped ? ESCAPED : PLAIN
      wide[column] = bits & 128
      at += 1
    } else {
      starts[column] = at
      while (IN_WORD[byte] === 1) {
        at += 1
        if (at >= length) return NEED
        byte = bytes[at] ?? 0
      }
      ends[column] = at
      if (byte === COMMA || byte === CLOSE) judgeWord(bytes, row, column)
      else kinds[column] = EXPRESSION
    }
    byte = bytes[at] ?? 0
    if (byte !== COMMA && byte !== CLOSE) {
      at = readPieces(bytes, from, row, column, ended)
      if (at === NEED) return NEED
      byte = bytes[at] ?? 0
    }
    if (column < MAX_COLUMNS - 1) column += 1
    at += 1
    if (byte === CLOSE) {
      // An empty pair of parentheses is a row of defaults.
      row.count = column === 1 && ends[0] === starts[0] && kinds[0] === EXPRESSION ? 0 : column
      return at
    }
  }
}

/** Determines what an unquoted word is: a number, NULL, a boolean, bits or hexadecimal digits. */
function judgeWord(bytes: Buffer, row: DumpRow, column: number): void {
  const start = row.starts[column] ?? 0
  const end = row.ends[column] ?? 0
  const first = bytes[start] ?? 0
  row.wide[column] = 0
  const second = bytes[start + 1] ?? 0
  if (first <= 57 && (first !== 48 || end - start === 1 || second <= 57)) {
    row.kinds[column] = isNumber(bytes, start, end) ? PLAIN : EXPRESSION
    return
  }
  const word = bytes.toString('latin1', start, end)
  const upper = word.toUpperCase()
  if (upper === 'NULL') row.kinds[column] = NULL
  else if (upper === 'TRUE' || upper === 'FALSE') make(row, column, upper === 'TRUE' ? '1' : '0')
  else if (/^0x[\da-f]+$/i.test(word)) number(row, column, HEX, start + 2, end)
  else if (/^0b[01]+$/i.test(word)) number(row, column, BITS, start + 2, end)
  else row.kinds[column] = isNumber(bytes, start, end) ? PLAIN : EXPRESSION
}

function isNumber(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  if (bytes[at] === 45) at += 1
  let digits = 0
  let points = 0
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 48 && byte <= 57) digits += 1
    else if (byte === 46) points += 1
    // Signs and exponents are rare enough for the slower check.
    else return end - start < 400 && NUMBER.test(bytes.toString('latin1', start, end))
  }
  return digits > 0 && points <= 1
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function number(row: DumpRow, column: number, kind: number, start: number, end: number): void {
  row.kinds[column] = kind
  row.starts[column] = start
  row.ends[column] = end
}

function make(row: DumpRow, column: number, content: Buffer | string): void {
  row.kinds[column] = MADE
  row.made.set(column, Buffer.from(content))
}

/**
 * Reads any other value: with space or comments around it, with a charset before it, in several
 * strings, or an expression. Returns the position of the comma or parenthesis after it.
 */
function readPieces(
  bytes: Buffer,
  start: number,
  row: DumpRow,
  column: number,
  ended: boolean,
): number {
  const pieces: Buffer[] = []
  let at = endOfSpace(bytes, start, ended)
  let words = 0
  let asHex = 0
  row.starts[column] = at
  for (;;) {
    if (at === NEED || at >= bytes.length) return NEED
    const byte = bytes[at] ?? 0
    if (byte === COMMA || byte === CLOSE) break
    if (byte === QUOTE || byte === DOUBLE) {
      const end = endOfString(bytes, at, ended)
      if (end === NEED) return NEED
      const piece = readInto(bytes, at, end, asHex)
      if (piece) pieces.push(piece)
      else words += 1
      asHex = 0
      at = end
    } else if (IN_WORD[byte] === 1) {
      const end = endOfWord(bytes, at)
      if (end >= bytes.length && !ended) return NEED
      const word = bytes.toString('latin1', at, end)
      const introduces = bytes[end] === QUOTE || /^_[a-z]/i.test(word)
      if (introduces && /^[xb]$/i.test(word)) asHex = word.toLowerCase() === 'x' ? HEX : BITS
      else if (!(introduces && /^(?:n|_[a-z]\w*)$/i.test(word))) {
        const literal = literalOf(word)
        if (literal === undefined) words += 1
        else if (literal === null) words += pieces.length > 0 ? 1 : 0
        else pieces.push(literal)
        if (literal === null) row.kinds[column] = NULL
      }
      at = end
    } else {
      const end = endOfOther(bytes, at, ended)
      if (end === NEED) return NEED
      words += 1
      at = end
    }
    at = endOfSpace(bytes, at, ended)
  }
  row.ends[column] = at
  settle(row, column, pieces, words)
  return at
}

function settle(row: DumpRow, column: number, pieces: Buffer[], words: number): void {
  if (words === 0 && pieces.length > 0) make(row, column, Buffer.concat(pieces))
  else if (words > 0 || row.kinds[column] !== NULL) row.kinds[column] = EXPRESSION
}

/** The value of a word; undefined if it is an expression. */
function literalOf(word: string): Buffer | null | undefined {
  const upper = word.toUpperCase()
  if (upper === 'NULL') return null
  if (upper === 'TRUE' || upper === 'FALSE') return Buffer.from(upper === 'TRUE' ? '1' : '0')
  const digits = /^0x([\da-f]+)$/i.exec(word)?.[1]
  if (digits) return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
  return NUMBER.test(word) ? Buffer.from(word) : undefined
}

function readInto(bytes: Buffer, at: number, end: number, as: number): Buffer | null {
  const content = unescaped(bytes, at + 1, end - 1)
  if (as === 0) return content
  const digits = content.toString('latin1')
  if (as === HEX) {
    if (!/^(?:[\da-f]{2})*$/i.test(digits)) return null
    return Buffer.from(digits, 'hex')
  }
  if (!/^[01]*$/.test(digits)) return null
  const padded = digits.padStart(Math.ceil(digits.length / 8) * 8, '0')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((it) => Number.parseInt(it, 2)))
}

function endOfWord(bytes: Buffer, start: number): number {
  let at = start
  while (IN_WORD[bytes[at] ?? 0] === 1) at += 1
  return at
}

/** The end of a string that begins at `start`, including its closing quote. */
export function endOfString(bytes: Buffer, start: number, ended: boolean): number {
  const quote = bytes[start]
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH && quote !== 96) at += 1
    else if (byte === quote) {
      if (at + 1 >= bytes.length && !ended) return NEED
      if (bytes[at + 1] !== quote) return at + 1
      at += 1
    }
  }
  return NEED
}

/** Skips one element of an expression: parentheses with all of their content, or a single character. */
function endOfOther(bytes: Buffer, start: number, ended: boolean): number {
  if (bytes[start] !== OPEN) return start + 1
  let depth = 0
  let at = start
  for (;;) {
    at = endOfSpace(bytes, at, ended)
    if (at === NEED || at >= bytes.length) return NEED
    const byte = bytes[at]
    if (byte === QUOTE || byte === DOUBLE || byte === 96) {
      at = endOfString(bytes, at, ended)
      if (at === NEED) return NEED
      continue
    }
    if (byte === OPEN) depth += 1
    if (byte === CLOSE && --depth === 0) return at + 1
    at += 1
  }
}
