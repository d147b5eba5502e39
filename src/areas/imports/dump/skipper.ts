import { NEED } from './rows.ts'

const BACKSLASH = 92

/** Bytes outside strings that have a meaning; all others are skipped. */
const TELLING = new Uint8Array(256)
for (const byte of Buffer.from(`'"\`-#/()`)) TELLING[byte] = 1
/** Likewise inside parentheses, where words mean nothing. */
const TELLING_INSIDE = TELLING.slice()
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')) {
  TELLING[byte] = 2
}

/** The longest token that has to be complete: a delimiter, or the opening of a comment. */
const MARGIN = 20

const LINE_COMMENT = 1
const BLOCK_COMMENT = 2

/**
 * Skips a statement, piece by piece, to the delimiter that ends it; a delimiter in a string or in a
 * comment does not. Its state is a handful of numbers.
 */
export class Skipper {
  depth = 0
  /** The rows that were skipped, for a statement whose rows are counted. */
  rows = 0
  done = false
  #quote = 0
  #comment = 0
  #counting = false

  begin(counting: boolean): void {
    this.depth = 0
    this.rows = 0
    this.done = false
    this.#quote = 0
    this.#comment = 0
    this.#counting = counting
  }

  get inString(): boolean {
    return this.#quote !== 0
  }

  /** The end of a statement that begins at `start`, before its delimiter. */
  endOf(bytes: Buffer, start: number, delimiter: string, ended: boolean): number {
    this.begin(false)
    const end = this.skip(bytes, start, delimiter, ended)
    if (!this.done) return ended ? bytes.length : NEED
    return end - delimiter.length
  }

  /**
   * Continues from `start`, and returns the position that it reached; sets `done` once that is
   * after the delimiter.
   */
  skip(bytes: Buffer, start: number, delimiter: string, ended: boolean): number {
    const last = delimiter.charCodeAt(0)
    const margin = ended ? bytes.length : bytes.length - MARGIN
    const { length } = bytes
    let at = start
    while (at < length) {
      if (this.#quote !== 0) {
        at = this.#string(bytes, at)
        if (this.#quote !== 0) return at
        continue
      }
      if (this.#comment !== 0) {
        at = this.#commentEnd(bytes, at, ended)
        if (this.#comment !== 0) return at
        continue
      }
      const telling = this.depth > 0 ? TELLING_INSIDE : TELLING
      let byte = 0
      // Reading beyond the end of the buffer would make all reads slower.
      for (; at < length; at += 1) {
        byte = bytes[at] ?? 0
        if (telling[byte] !== 0 || byte === last) break
      }
      if (at >= margin) return at
      if (byte === last && bytes.toString('latin1', at, at + delimiter.length) === delimiter) {
        this.done = true
        return at + delimiter.length
      }
      at = this.#telling(bytes, at, byte)
    }
    return at
  }

  #telling(bytes: Buffer, at: number, byte: number): number {
    if (byte === 39 || byte === 34 || byte === 96) {
      this.#quote = byte
      return this.#string(bytes, at + 1)
    }
    if (byte === 40) {
      if (this.depth === 0 && this.#counting) this.rows += 1
      this.depth += 1
      return at + 1
    }
    if (byte === 41) {
      this.depth -= 1
      return at + 1
    }
    if (TELLING[byte] === 2) {
      // ON DUPLICATE KEY UPDATE: the parentheses after it are not rows.
      if (this.depth === 0) this.#counting = false
      return at + 1
    }
    return this.#maybeComment(bytes, at, byte)
  }

  #maybeComment(bytes: Buffer, at: number, byte: number): number {
    const next = bytes[at + 1] ?? 10
    if (byte === 35 || (byte === 45 && next === 45 && (bytes[at + 2] ?? 10) <= 32)) {
      this.#comment = LINE_COMMENT
      return at + 1
    }
    if (byte === 47 && next === 42) {
      const opening = /^\/\*M?!(\d*)/.exec(bytes.toString('latin1', at, at + 12))
      // The server executes the content of a conditional comment: its quotes count.
      if (opening && opening[1] !== '999999') return at + opening[0].length
      this.#comment = BLOCK_COMMENT
      return at + 2
    }
    return at + 1
  }

  #string(bytes: Buffer, start: number): number {
    const quote = this.#quote
    const { length } = bytes
    let at = start
    for (;;) {
      let byte = 0
      while (at < length) {
        byte = bytes[at] ?? 0
        if (byte === quote || byte === BACKSLASH) break
        at += 1
      }
      if (at >= length) return at
      if (byte === quote) {
        // A doubled quote counts as the end of one string and the beginning of the next, which is
        // equivalent here.
        this.#quote = 0
        return at + 1
      }
      if (quote === 96) at += 1
      else if (at + 1 >= length) return at
      else at += 2
    }
  }

  #commentEnd(bytes: Buffer, at: number, ended: boolean): number {
    if (this.#comment === LINE_COMMENT) {
      const end = bytes.indexOf(10, at)
      if (end < 0) return bytes.length
      this.#comment = 0
      return end + 1
    }
    const end = bytes.indexOf('*/', at, 'latin1')
    if (end < 0) return ended ? bytes.length : Math.max(at, bytes.length - 1)
    this.#comment = 0
    return end + 2
  }
}
