import { createHmac } from 'node:crypto'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { findAllowance, useAllowance } from './queries.ts'

/** What is limited, and how long each period is. Each kind is counted per subject. */
const PERIODS = {
  /** Invitations to one service; and by one person, to all their services. */
  'service-invitations': DAY_MS,
  'person-invitations': DAY_MS,
  /** Links to confirm an address or set a password that are sent for one account. */
  'account-links': DAY_MS,
  /** Changes of address that one account requests: each is announced to the present address. */
  'address-changes': DAY_MS,
  /** Registrations from one network: each sends a mail to an address that is not proven. */
  'network-registrations': DAY_MS,
  /** Attempts of one network to register addresses that are taken. */
  'network-taken-addresses': HOUR_MS,
  /** Accounts that one member of staff creates: each sends a mail to an address that is not proven. */
  'created-accounts': DAY_MS,
  /** Mails that tell an account that someone tried to register its address. */
  'registration-notices': DAY_MS,
  /** Mails to an imported person whose former password cannot be compared. */
  'former-password-mails': DAY_MS,
  /** Mails to an account with an unconfirmed address, of the kinds that its owner can trigger at will. */
  'unconfirmed-notices': DAY_MS,
  /** API keys that a person creates, including those revoked since. */
  'created-api-keys': DAY_MS,
  /** Attempts of a customer to pay or to save a payment method: each is a call to the provider. */
  'payment-attempts': DAY_MS,
} as const

type Limited = { tenantId: string; kind: keyof typeof PERIODS; subject: string }

/** Counts one use and returns true if it is within the limit; beyond the limit nothing is counted. */
export async function isWithin(tx: Tx, key: Limited, most: number, now: Instant): Promise<boolean> {
  if (most < 1) return false
  const endsAt = later(now, PERIODS[key.kind])
  return (await useAllowance(tx, key, { most, now, endsAt })) !== undefined
}

/** Counts one use. Throws 429 with the seconds until the period ends if the limit is reached; counts nothing then. */
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

/** The subject that identifies a network, whose address is not stored. */
export function networkSubject(secrets: Secrets, network: string): string {
  const [current] = secrets.keysFor('networks')
  if (!current) throw new Error('No secret key')
  return createHmac('sha256', current.key).update(network).digest('base64url')
}
