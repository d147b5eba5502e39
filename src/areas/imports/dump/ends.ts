const HEAD_BYTES = 512
const TAIL_BYTES = 4096

const OPENING = /^-- (?:MySQL|MariaDB) dump /m
const COMPLETED = '-- Dump completed'

/**
 * The first and the last bytes of a dump. mysqldump and mariadb-dump write a last line when they are done; a
 * dump whose connection was lost ends after a complete statement, and only that line is missing. Dumps without
 * the last line by option lack the opening line as well.
 */
export class Ends {
  #head = Buffer.alloc(0)
  /** Twice the size that is needed, so that small pieces are moved to its beginning only now and then. */
  readonly #tail = Buffer.alloc(2 * TAIL_BYTES)
  #length = 0

  push(piece: Buffer): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)])
    }
    const last = piece.subarray(-TAIL_BYTES)
    if (this.#length + last.length > this.#tail.length) {
      this.#tail.copyWithin(0, this.#length - TAIL_BYTES, this.#length)
      this.#length = TAIL_BYTES
    }
    this.#length += last.copy(this.#tail, this.#length)
  }

  /** Whether the dump was started by a program that writes a last line, and has none. */
  cutOff(): boolean {
    const tail = this.#tail.subarray(Math.max(0, this.#length - TAIL_BYTES), this.#length)
    return OPENING.test(this.#head.toString('latin1')) && !tail.includes(COMPLETED)
  }
}
