import { createHmac, timingSafeEqual } from 'node:crypto'
import { conflict, type Problem } from '#lib/problem.ts'
import { type Instant, instant, MINUTE_MS, millis } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { ServiceRow } from '../queries.ts'
import type { OptionQuote, OptionWish } from './option-quote.ts'
import type { UpgradeQuote, UpgradeWish } from './quote.ts'

/** How long a preview is valid. */
const VALID_MS = 15 * MINUTE_MS

/** The token of a preview, and the keys that it is sealed with. */
export type Preview = { readonly token: string; readonly secrets: Secrets }

/** A preview: when it was priced, what was wanted of which service, and everything that it costs. */
type Quoted = {
  readonly service: Pick<ServiceRow, 'tenantId' | 'id'>
  readonly pricedAt: Instant
  readonly wish: readonly unknown[]
  readonly terms: readonly unknown[]
}

/** A preview of other options, to be sealed. */
export function quotedOptions(
  service: Quoted['service'],
  { options, isStaff, waive }: OptionWish,
  { proration, effect, scheduled, scheduledAt, customerPrice, pricedAt }: OptionQuote,
): Quoted {
  return {
    ...{ service, pricedAt, wish: ['options', sorted(options), isStaff, waive] },
    terms: [proration, effect, scheduled, scheduledAt, customerPrice],
  }
}

/** A preview of another product, to be sealed. */
export function quotedUpgrade(
  service: Quoted['service'],
  { options = {}, dropOptions = [], isStaff }: UpgradeWish,
  { product, plan, components, options: changed, ...quote }: UpgradeQuote,
): Quoted {
  const { proration, effect, effectiveAt, customerPrice, creditedCents, pricedAt } = quote
  const beginsAt = effect === 'next_period' ? effectiveAt : null
  const wanted = [product.id, plan.id, sorted(options), [...dropOptions].sort(), isStaff]
  return {
    ...{ service, pricedAt, wish: ['product', ...wanted] },
    terms: [proration, effect, beginsAt, customerPrice, creditedCents, components, changed],
  }
}

function sorted(options: OptionWish['options']): [string, unknown][] {
  return Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * A token for the price of a preview: the time from which it counts, and a seal over the service, what was wanted and
 * everything that it costs (S2.7). It is not secret, and has no other use.
 */
export function tokenFor(secrets: Secrets, quoted: Quoted): string {
  const [current] = sealsOf(secrets, quoted)
  return `${millis(quoted.pricedAt).toString(36)}.${current?.toString('base64url')}`
}

/** The time from which a preview counts. Throws 409 `quote_expired` once that is 15 minutes ago. */
export function quotedAt({ token }: Pick<Preview, 'token'>, now: Instant): Instant {
  const time = Number.parseInt(token.split('.')[0] ?? '', 36)
  if (!(time <= millis(now) && millis(now) - time < VALID_MS)) throw quoteExpired()
  return instant(time)
}

/** Throws 409 `quote_expired` unless the token was created for exactly this quote. */
export function assertQuoted({ token, secrets }: Preview, quoted: Quoted): void {
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

function sealsOf(secrets: Secrets, { service, pricedAt, wish, terms }: Quoted): Buffer[] {
  const sealed = JSON.stringify([service.tenantId, service.id, pricedAt, wish, terms])
  return secrets
    .keysFor('change quote')
    .map(({ key }) => createHmac('sha256', key).update(sealed).digest())
}
