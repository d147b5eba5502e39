import { randomBytes } from 'node:crypto'

/** Crockford's base32, for what people copy by hand: without I, L, O and U. Five bits choose one character. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** One character for each byte, chosen by its last five bits. */
export function charactersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('')
}

/** Characters of five random bits each. */
export function randomCharacters(count: number): string {
  return charactersOf(randomBytes(count))
}

/** A text as its characters are compared: in upper case, with O as 0, and I and L as 1. */
export function readCharacters(typed: string): string {
  return typed.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Whether a text consists of characters of this alphabet. */
export function areCharacters(text: string): boolean {
  return [...text].every((character) => ALPHABET.includes(character))
}
