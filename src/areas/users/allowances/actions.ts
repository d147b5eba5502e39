import { createHmac } from 'node:crypto'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { findAllowance, useAllowance } from './queries.ts'

/** What is limited, and for how long a period lasts. Each is counted per subject. */
const PERIODS = {
  /** Invitations to a service, and of a person, over all their services. */
  'service-invitations': DAY_MS,
  'person-invitations': DAY_MS,
  /** Links to confirm an address or set a password, that an account causes. */
  'account-links': DAY_MS,
  /** Changes of address that an account asks for: each is announced to the present address. */
  'address-changes': DAY_MS,
  /** Registrations by a network: each sends a mail to an address that nobody proved. */
  'network-registrations': DAY_MS,
  /** Addresses that a network tried to register and that are taken. */
  'network-taken-addresses': HOUR_MS,
  /** Mails to an account that somebody tried to register its address. */
  'registration-notices': DAY_MS,
  /** Mails to an imported person whose former password is not compared. */
  'former-password-mails': DAY_MS,
  /** Mails to an account whose address is not confirmed, of the kinds that its owner causes at will. */
  'unconfirmed-notices': DAY_MS,
} as const

type Limited = { tenantId: string; kind: keyof typeof PERIODS; subject: string }

/** Counts one use, and answers whether it is within the limit; beyond it nothing is counted. */
export async function isWithin(tx: Tx, key: Limited, most: number, now: Instant): Promise<boolean> {
  if (most < 1) return false
  const endsAt = later(now, PERIODS[key.kind])
  return (await useAllowance(tx, key, { most, now, endsAt })) !== undefined
}

/** Counts one use. Throws 429 with the seconds until the period ends, and then counts nothing. */
export async function spendAllowance(
  tx: Tx,
  key: Limited,
  most: number,
  now: Instant,
): Promise<void> {
  if (await isWithin(tx, key, most, now)) return
  throw await exhausted(tx, key, now)
}

async function exhausted(tx: Tx, key: Limited, now: Instant): Promise<Problem> {
  const { endsAt = later(now, PERIODS[key.kind]) } = (await findAllowance(tx, key, now)) ?? {}
  const seconds = Math.max(1, Math.ceil((millis(endsAt) - millis(now)) / SECOND_MS))
  return new Problem(429, 'The limit for this is reached. Try again later.', {
    code: 'limit_reached',
    headers: { 'retry-after': String(seconds) },
  })
}

/** Stands for a network, whose address is not stored. */
export function networkSubject(secrets: Secrets, network: string): string {
  const [current] = secrets.keysFor('networks')
  if (!current) throw new Error('No secret key')
  return createHmac('sha256', current.key).update(network).digest('base64url')
}
