import { randomBytes } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 4

/** A new secret in the format of Standard Webhooks: a prefix, and 256 bits in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The bytes of a secret, as the key of signatures. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}

/** The part of a secret that may be shown after its creation: its last characters. */
export function secretEndOf(secret: string): string {
  return secret.slice(-SHOWN_CHARACTERS)
}
