import { generateSecret, generateURI, verifySync } from 'otplib'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'

/** Parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30
const DIGITS = 6

/** How far a phone's clock may be off: one period, either way. */
const TOLERANCE_SECONDS = PERIOD_SECONDS

/** A new seed with 160 bits, in base 32. */
export function newSeed(): string {
  return generateSecret()
}

/** The text of the QR code for the authenticator app. `issuer` is the shop, `label` the account. */
export function totpUri(seed: string, { issuer, label }: { issuer: string; label: string }) {
  // A colon separates issuer and label, so neither may contain one.
  const plain = (text: string) => text.replaceAll(':', ' ').trim()
  return generateURI({ secret: seed, issuer: plain(issuer) || 'Moorage', label: plain(label) })
}

/**
 * The period of 30 seconds that a code belongs to, counted from 1970; null for a wrong code, and
 * for one that is not newer than `lastStep`.
 */
export function stepOf(
  { seed, code, lastStep }: { seed: string; code: string; lastStep: number },
  now: Instant,
): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(millis(now) / SECOND_MS)
  const result = verifySync({
    ...{ secret: seed, token: code, epoch, epochTolerance: TOLERANCE_SECONDS },
    ...{ strategy: 'totp', period: PERIOD_SECONDS, digits: DIGITS },
  })
  if (!result.valid) return null
  const step = Math.floor(epoch / PERIOD_SECONDS) + result.delta
  return step > lastStep ? step : null
}
