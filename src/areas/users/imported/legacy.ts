import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { compare } from '@node-rs/bcrypt'
import type { UserKey } from '#platform/area.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { hashing } from '../auth/hashing.ts'
import type { LegacyForm } from './queries.ts'

/** The context that an imported person's sealed hash is bound to. */
export function boundTo({ tenantId, userId }: UserKey): string {
  return `users.legacy_passwords ${tenantId} ${userId}`
}

export const sealedLegacyPasswords = sealedColumn(
  'users.legacy_passwords',
  'sealedHash',
  ['tenantId', 'userId'],
  boundTo,
)

/** bcrypt with a higher cost takes more than a second: such people are asked to set a new password. */
const MAX_BCRYPT_COST = 14

/** Whether a hash is compared at all: too costly ones are not. */
export function isComparable({ form, hash }: { form: LegacyForm; hash: string }): boolean {
  return form !== 'bcrypt' || Number(hash.split('$')[2]) <= MAX_BCRYPT_COST
}

/** Whether a password matches a hash that another system made. */
export async function legacyPasswordMatches(
  password: string,
  { form, hash }: { form: LegacyForm; hash: string },
): Promise<boolean> {
  if (form === 'none' || !isComparable({ form, hash })) return false
  if (await isBehind(password, { form, hash })) return true
  // Older versions of that system hashed the password escaped as HTML.
  const escaped = asHtml(password)
  return escaped !== password && isBehind(escaped, { form, hash })
}

type Kept = { form: Exclude<LegacyForm, 'none'>; hash: string }

async function isBehind(password: string, { form, hash }: Kept): Promise<boolean> {
  // Without a salt the whole text is the digest.
  const [digest = '', salt = ''] = hash.split(/:(.*)/s)
  switch (form) {
    case 'bcrypt':
      return hashing(() => compare(password, hash))
    case 'argon2':
      return hashing(() => verify(hash, password))
    case 'md5salt':
      return isSame(createHash('md5').update(`${salt}${password}`).digest('hex'), digest)
    case 'hmac-sha256':
      return isSame(createHmac('sha256', salt).update(password).digest('hex'), digest)
    case 'md5':
      return isSame(createHash('md5').update(password).digest('hex'), digest)
  }
}

function isSame(made: string, kept: string): boolean {
  const [a, b] = [Buffer.from(made), Buffer.from(kept.toLowerCase())]
  return a.length === b.length && timingSafeEqual(a, b)
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' },
}

function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
