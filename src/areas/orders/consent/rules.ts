import { unprocessable } from '#lib/problem.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import { consentTexts } from '#notifications'
import type { OrderRow } from '../queries.ts'
import type { OrderTerms } from '../settings.ts'

/** The wording of the consent that is served now. Changes with its text in any language. */
export const CONSENT_VERSION = '2026-11'

/** In the EEA and not in the EU: the directive on consumer rights holds there, too. */
const EEA_COUNTRIES = ['IS', 'LI', 'NO']

export type Buyer = {
  /** The billing country; the seller's where nothing is known. */
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
 * Whether an order may begin before the time to withdraw is over only when the customer asks for it
 * (R4.8): consumers of the EU, the EEA and the countries a shop adds, for what costs money now or later.
 * A business is not asked, nor is anybody for what never costs anything.
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

/** 422: a consumer has to ask for an immediate start. */
export function immediateStartRequired() {
  const message =
    'Ask for an immediate start with `immediateStart: true`, after the customer has agreed to the text ' +
    'of GET /v1/billing/checkout/consent.'
  return unprocessable(message, 'immediate_start_required')
}

/** The consent that an order was placed with: when, and to which wording; null without one. */
export function consentOf(
  order: Pick<OrderRow, 'consentedAt' | 'consentVersion' | 'consentLanguage'>,
) {
  const { consentedAt, consentVersion: version, consentLanguage: language } = order
  if (!consentedAt || !version || !language) return null
  const text = version === CONSENT_VERSION ? consentTexts(language).immediateStart : null
  return { consentedAt, version, language, text }
}
