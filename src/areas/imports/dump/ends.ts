const HEAD_BYTES = 512
const TAIL_BYTES = 4096

const OPENING = /^-- (?:MySQL|MariaDB) dump /m
const COMPLETED = '-- Dump completed'

/**
 * The first and the last bytes of a dump. mysqldump and mariadb-dump say when they are done; one that lost its
 * connection on the way stops behind a whole statement, and only that is missing. Both leave the opening and
 * the last line out together.
 */
export class Ends {
  #head = Buffer.alloc(0)
  /** Twice what is wanted, so that small pieces are moved to its beginning now and then only. */
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

  /** Whether it was begun by a program that says when it is done, and did not. */
  cutOff(): boolean {
    const tail = this.#tail.subarray(Math.max(0, this.#length - TAIL_BYTES), this.#length)
    return OPENING.test(this.#head.toString('latin1')) && !tail.includes(COMPLETED)
  }
}
