import type { Instant } from '#lib/time.ts'
import { consentTexts } from '#notifications'
import type { Db } from '#platform/database/index.ts'
import { withdrawalEndsAt } from '#services'
import type { Quote, QuoteLine } from '#store'
import { sellerOf } from '#tenants'
import type { UserRow } from '#users'
import type { OrderRow } from '../queries.ts'
import type { OrderTerms } from '../settings.ts'
import { CONSENT_VERSION, immediateStartRequired, needsConsent } from './rules.ts'

type Start = Pick<OrderRow, 'consentedAt' | 'consentVersion' | 'consentLanguage' | 'startsAt'>

/**
 * The consent to an immediate start to be stored, and when the order begins without it; null means at once
 * (R4.8). Throws 422 `immediate_start_required` if the shop accepts no order without it.
 */
export async function startOf(
  db: Db,
  user: UserRow,
  { quote, terms, immediateStart }: { quote: Quote; terms: OrderTerms; immediateStart: boolean },
  now: Instant,
): Promise<Start> {
  const none = { consentedAt: null, consentVersion: null, consentLanguage: null, startsAt: null }
  const consent = {
    consentedAt: now,
    consentVersion: CONSENT_VERSION,
    consentLanguage: user.locale,
  }
  if (immediateStart) return { ...none, ...consent }
  if (!(await isAsked(db, user, quote.lines, terms))) return none
  if (terms.withoutConsent === 'refuse') throw immediateStartRequired()
  return { ...none, startsAt: withdrawalEndsAt(now) }
}

/** The consent as a customer sees it before they order what is in their cart. */
export async function consentFor(
  db: Db,
  user: UserRow,
  { lines, terms }: { lines: readonly QuoteLine[]; terms: OrderTerms },
  now: Instant,
) {
  const { withoutConsent } = terms
  const required = await isAsked(db, user, lines, terms)
  return {
    ...{ required, withoutConsent, version: CONSENT_VERSION, language: user.locale },
    startsAt: required && withoutConsent === 'wait' ? withdrawalEndsAt(now) : null,
    text: consentTexts(user.locale).immediateStart,
  }
}

async function isAsked(
  db: Db,
  { tenantId, company, vatNumber, country }: UserRow,
  lines: readonly QuoteLine[],
  terms: OrderTerms,
): Promise<boolean> {
  const buyer = { company, vatNumber, country: country ?? (await sellerOf(db, tenantId)).country }
  return needsConsent(buyer, lines, terms)
}
