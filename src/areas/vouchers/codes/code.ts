import { createHmac, randomBytes } from 'node:crypto'

/** Crockford's base32: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BYTES = 10
const SPACES_AND_DASHES = /[\s\p{Dash}]/gu

/** A code that cannot be guessed: 16 characters of 80 random bits. */
export function newCode(): string {
  const bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`)
  const digits = Array.from({ length: 16 }, (_, at) => Number((bits >> BigInt(5 * at)) & 31n))
  return digits.map((digit) => ALPHABET[digit]).join('')
}

/** A code as people read it: in groups of four. */
export function grouped(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** What a person entered, as codes are compared: without case, spaces and dashes; O is 0, I and L are 1. */
export function normalized(entered: string): string {
  return entered
    .replace(SPACES_AND_DASHES, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
}

/** The hash by which the voucher of a code is found. */
export function hashOf(code: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(normalized(code)).digest()
}
