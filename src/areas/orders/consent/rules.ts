import { unprocessable } from '#lib/problem.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import { consentTexts } from '#notifications'
import type { OrderRow } from '../queries.ts'
import type { OrderTerms } from '../settings.ts'

/** The version of the consent's wording. Changes with its text in any language. */
export const CONSENT_VERSION = '2026-11'

/** In the EEA but not in the EU: the directive on consumer rights applies there, too. */
const EEA_COUNTRIES = ['IS', 'LI', 'NO']

export type Buyer = {
  /** The billing country; the seller's if it is not known. */
  readonly country: string
  readonly company: string | null
  readonly vatNumber: string | null
}

type Sold = {
  readonly planPrice: {
    readonly priceCents: number
    readonly setupFeeCents: number
    readonly priceMicros: number | null
  }
}

/**
 * Whether an order may begin before the withdrawal period is over only if the customer requests it
 * (R4.8): consumers of the EU, the EEA and the countries a shop adds, for anything that costs money now or later.
 * Businesses are not asked, nor are customers of something that never costs anything.
 */
export function needsConsent(
  { country, company, vatNumber }: Buyer,
  lines: readonly Sold[],
  { withdrawalCountries }: Pick<OrderTerms, 'withdrawalCountries'>,
): boolean {
  if (company || vatNumber) return false
  const mayWithdraw = [...EU_COUNTRIES, ...EEA_COUNTRIES, ...withdrawalCountries].includes(country)
  return mayWithdraw && lines.some(({ planPrice }) => costs(planPrice))
}

function costs({ priceCents, setupFeeCents, priceMicros }: Sold['planPrice']): boolean {
  return priceCents > 0 || setupFeeCents > 0 || (priceMicros ?? 0) > 0
}

/** 422: a consumer has to request an immediate start. */
export function immediateStartRequired() {
  const message =
    'Ask for an immediate start with `immediateStart: true`, after the customer has agreed to the text ' +
    'of GET /v1/billing/checkout/consent.'
  return unprocessable(message, 'immediate_start_required')
}

/** The consent that an order was placed with: its time and wording; null without one. */
export function consentOf(
  order: Pick<OrderRow, 'consentedAt' | 'consentVersion' | 'consentLanguage'>,
) {
  const { consentedAt, consentVersion: version, consentLanguage: language } = order
  if (!consentedAt || !version || !language) return null
  const text = version === CONSENT_VERSION ? consentTexts(language).immediateStart : null
  return { consentedAt, version, language, text }
}
