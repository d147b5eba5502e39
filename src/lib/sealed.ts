import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from './id.ts'

const ID_BYTES = 16
const SEAL_BYTES = 16
const LENGTH = Math.ceil(((ID_BYTES + SEAL_BYTES) * 4) / 3)

/** An id in a form that cannot be guessed or forged: 43 URL-safe characters. */
export function sealId(id: string, key: Buffer): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, sealOf(bytes, key)]).toString('base64url')
}

/** The id in a sealed text; null if it was not sealed with one of these keys. */
export function unsealId(text: string, keys: readonly Buffer[]): string | null {
  if (text.length !== LENGTH) return null
  const all = Buffer.from(text, 'base64url')
  if (all.length !== ID_BYTES + SEAL_BYTES || all.toString('base64url') !== text) return null
  const bytes = all.subarray(0, ID_BYTES)
  const seal = all.subarray(ID_BYTES)
  if (!keys.some((key) => timingSafeEqual(seal, sealOf(bytes, key)))) return null
  const hex = bytes.toString('hex')
  const id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
  return isId(id) ? id : null
}

function sealOf(bytes: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, SEAL_BYTES)
}
