import { randomBytes } from 'node:crypto'
import type { Data } from './data.ts'
import type { Key, Resource } from './rows.ts'

const IDENTIFIER_LENGTH = 16
const SECRET_LENGTH = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const ALL_RESOURCES: readonly Resource[] = [
  'servers',
  'nodes',
  'allocations',
  'users',
  'locations',
  'nests',
  'eggs',
  'database_hosts',
  'server_databases',
  'roles',
]

/** A new key's text: an identifier that begins with the prefix, then the secret. */
export function newToken(prefix: string): string {
  return prefix + randomText(IDENTIFIER_LENGTH - prefix.length + SECRET_LENGTH)
}

export function randomText(length: number): string {
  const bytes = randomBytes(length)
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export function fullPermissions(): Key['permissions'] {
  return Object.fromEntries(ALL_RESOURCES.map((resource) => [resource, 3]))
}

export function findKey(data: Data, authorization: string | undefined): Key | undefined {
  const token = /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  return token === undefined ? undefined : data.keys.first((key) => key.token === token)
}
