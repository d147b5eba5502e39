import { createHmac, timingSafeEqual } from 'node:crypto'
import { conflict, type Problem } from '#lib/problem.ts'
import { type Instant, instant, MINUTE_MS, millis } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { ServiceRow } from '../queries.ts'
import type { OptionQuote, OptionWish } from './option-quote.ts'

/** How long a preview is valid. */
const VALID_MS = 15 * MINUTE_MS

type Quoted = {
  readonly service: Pick<ServiceRow, 'tenantId' | 'id'>
  readonly wish: OptionWish
  readonly quote: OptionQuote
}

/**
 * A token for the price of a preview: the time from which it counts, and a seal over the service, what was wanted and
 * everything that it costs (S2.7). It is not secret, and has no other use.
 */
export function tokenFor(secrets: Secrets, quoted: Quoted): string {
  const [current] = sealsOf(secrets, quoted)
  return `${millis(quoted.quote.pricedAt).toString(36)}.${current?.toString('base64url')}`
}

/** The time from which a preview counts. Throws 409 `quote_expired` once that is 15 minutes ago. */
export function quotedAt(token: string, now: Instant): Instant {
  const time = Number.parseInt(token.split('.')[0] ?? '', 36)
  if (!(time <= millis(now) && millis(now) - time < VALID_MS)) throw quoteExpired()
  return instant(time)
}

/** Throws 409 `quote_expired` unless the token was created for exactly this quote. */
export function assertQuoted(secrets: Secrets, token: string, quoted: Quoted): void {
  const seal = Buffer.from(token.split('.')[1] ?? '', 'base64url')
  const isOurs = sealsOf(secrets, quoted).some(
    (it) => it.length === seal.length && timingSafeEqual(it, seal),
  )
  if (!isOurs) throw quoteExpired()
}

export function quoteExpired(): Problem {
  const message = 'The price of the preview does not hold any more. Ask for a new preview.'
  return conflict(message, 'quote_expired')
}

function sealsOf(secrets: Secrets, { service, wish, quote }: Quoted): Buffer[] {
  const { proration, scheduled, scheduledAt, customerPrice, pricedAt } = quote
  const options = Object.entries(wish.options).sort(([a], [b]) => (a < b ? -1 : 1))
  const sealed = JSON.stringify([
    ...[service.tenantId, service.id, pricedAt, options, wish.isStaff, wish.waive],
    ...[proration, quote.effect, scheduled, scheduledAt, customerPrice],
  ])
  return secrets
    .keysFor('change quote')
    .map(({ key }) => createHmac('sha256', key).update(sealed).digest())
}
