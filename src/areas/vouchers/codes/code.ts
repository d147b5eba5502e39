import { createHmac } from 'node:crypto'
import { randomCharacters, readCharacters } from '#lib/crockford.ts'

const LENGTH = 16
const SPACES_AND_DASHES = /[\s\p{Dash}]/gu

/** A code that cannot be guessed: 16 characters of 80 random bits. */
export function newCode(): string {
  return randomCharacters(LENGTH)
}

/** A code as people read it: in groups of four. */
export function grouped(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** What a person entered, as codes are compared: without case, spaces and dashes; O is 0, I and L are 1. */
export function normalized(entered: string): string {
  return readCharacters(entered.replace(SPACES_AND_DASHES, ''))
}

/** The hash by which the voucher of a code is found. */
export function hashOf(code: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(normalized(code)).digest()
}
