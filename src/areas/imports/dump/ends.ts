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
  #tail = Buffer.alloc(0)

  push(piece: Buffer): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)])
    }
    const known = piece.length < TAIL_BYTES ? Buffer.concat([this.#tail, piece]) : piece
    this.#tail = Buffer.from(known.subarray(-TAIL_BYTES))
  }

  /** Whether it was begun by a program that says when it is done, and did not. */
  cutOff(): boolean {
    return OPENING.test(this.#head.toString('latin1')) && !this.#tail.includes(COMPLETED)
  }
}
