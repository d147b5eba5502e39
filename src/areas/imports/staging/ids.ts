import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 9 << 10
/** What is random in an id, in hexadecimal digits. */
const DIGITS = 18

const pool = Buffer.alloc(POOL_BYTES)
let digits = ''
let at = 0

/** A new id of an instant, like all of ours (UUIDv7), in the shortest form that the database reads. */
export function idAt(instant: string): string {
  if (at >= digits.length) {
    // Asking for random bytes takes longer than all the rest: many are asked for at once.
    digits = randomFillSync(pool).toString('hex')
    at = 0
  }
  const random = digits.slice(at, at + DIGITS)
  at += DIGITS
  const time = Math.max(0, Date.parse(instant)).toString(16).padStart(12, '0')
  return `${time}7${random.slice(0, 3)}8${random.slice(3)}`
}
