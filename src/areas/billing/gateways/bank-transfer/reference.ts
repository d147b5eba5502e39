import { createHash } from 'node:crypto'
import { charactersOf } from '#lib/crockford.ts'
import { remainder97, withoutSpaces } from '#lib/iban.ts'

const BODY_LENGTH = 12

/**
 * The creditor reference (ISO 11649) of one of our ids, without spaces: `RF`, two check digits and
 * twelve characters made from 60 bits of the id's hash. The same id always has the same reference.
 */
export function referenceOf(id: string): string {
  const hash = createHash('sha256').update(id).digest()
  const body = charactersOf(hash.subarray(0, BODY_LENGTH))
  const check = 98 - remainder97(`${body}RF00`)
  return `RF${String(check).padStart(2, '0')}${body}`
}

/** Whether a text, with or without spaces, is a creditor reference with correct check digits. */
export function isReference(text: string): boolean {
  const plain = withoutSpaces(text)
  if (!/^RF\d{2}[0-9A-Z]{1,21}$/.test(plain)) return false
  return remainder97(`${plain.slice(4)}${plain.slice(0, 4)}`) === 1
}

/** In groups of four, as banks print references and account numbers. */
export function inGroups(text: string): string {
  return withoutSpaces(text).replace(/.{4}(?=.)/g, '$& ')
}
