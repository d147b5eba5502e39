import { randomInt } from 'node:crypto'

/** The alphabet of codes, without characters that are easily confused. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** A code that cannot be guessed: about 49 bits. */
export function randomCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
