import { randomInt } from 'node:crypto'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { tokenHash } from '#platform/secrets.ts'

const ID_LENGTH = 16
const SECRET_LENGTH = 64
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The form of every daemon token, ours and the panels': an id, a dot, a secret. */
export const TOKEN_PATTERN = `^[A-Za-z0-9]{${ID_LENGTH}}\\.[A-Za-z0-9]{${SECRET_LENGTH}}$`
const FORM = new RegExp(TOKEN_PATTERN)

export function isDaemonToken(text: string): boolean {
  return FORM.test(text)
}

/** What is stored of a token: its id in the clear, to find it, and the hash of all of it. */
export function keptOf(token: string): { tokenId: string; hash: Buffer } {
  return { tokenId: token.slice(0, ID_LENGTH), hash: tokenHash(token) }
}

/** A new token. Its secret has more than 380 bits. */
export function newDaemonToken(): string {
  return `${letters(ID_LENGTH)}.${letters(SECRET_LENGTH)}`
}

function letters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** When replaced tokens expire, unless they expire earlier. */
export function overlapEnd(now: Instant, overlapSeconds: number): Instant {
  return later(now, overlapSeconds * SECOND_MS)
}
