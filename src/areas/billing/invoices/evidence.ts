import { isCountry } from '#lib/country.ts'
import { territoryOf } from '#lib/vat.ts'
import type { VatCheckRow } from '#users'
import type { InvoiceRow } from './queries.ts'

/** The evidence for where a customer is (R2.5), as it is frozen with an invoice. */
export type Evidence = NonNullable<InvoiceRow['evidence']>

export type EvidenceFacts = {
  /** Country of the billing address or, without one, the country the customer named. */
  readonly billingCountry: string | null
  /** The country that issued the card or account of the payment. */
  readonly paymentCountry: string | null
  /** Whether no tax is charged because the customer is a business: its number is the evidence. */
  readonly reverseCharge: boolean
  /** The answer of the EU's register about that number, if it was asked (R2.4). */
  readonly vatCheck?: Omit<VatCheckRow, 'tenantId' | 'id' | 'userId'> | undefined
  /** Whether two pieces must agree: the seller has passed 100 000 EUR a year (282/2011 art. 24b). */
  readonly twoNeeded: boolean
}

/**
 * The available pieces of evidence, and whether a person should review them: for a consumer, if two of
 * them name different countries, or if two are needed and there are fewer (R2.5). With two kinds of
 * evidence a disagreement has no majority, so the billing country counts.
 */
export function evidenceOf({ billingCountry, paymentCountry, ...facts }: EvidenceFacts): {
  evidence: Evidence
  conflict: boolean
} {
  const pieces: Evidence['pieces'] = []
  if (billingCountry) pieces.push({ kind: 'billing_address', country: billingCountry })
  if (paymentCountry && isCountry(paymentCountry)) {
    pieces.push({ kind: 'payment', country: paymentCountry })
  }
  const places = pieces.map(({ country }) => lawOf(country))
  const agreed = places.length > 1 && new Set(places).size === 1
  const doubtful = places.length > 1 ? !agreed : facts.twoNeeded
  const country = billingCountry ?? paymentCountry
  const evidence = { pieces, country, ...(facts.vatCheck && { vatCheck: checkIn(facts.vatCheck) }) }
  return { evidence, conflict: doubtful && !facts.reverseCharge }
}

function checkIn(row: NonNullable<EvidenceFacts['vatCheck']>): NonNullable<Evidence['vatCheck']> {
  const { vatNumber, status, requester, consultationNumber, checkedAt } = row
  return { vatNumber, status, requester, consultationNumber, checkedAt }
}

/** Whether the register's answer about the buyer's number is the evidence for charging no tax. */
export function needsVatCheck({ buyer, taxReason }: Pick<InvoiceRow, 'buyer' | 'taxReason'>) {
  return taxReason === 'reverse_charge' && Boolean(buyer.vatNumber)
}

/** The evidence frozen with an invoice, from its content and the other known facts (R2.5). */
export function evidenceOn(
  { buyer, taxReason }: Pick<InvoiceRow, 'buyer' | 'taxReason'>,
  facts: Pick<EvidenceFacts, 'paymentCountry' | 'vatCheck' | 'twoNeeded'>,
): Pick<InvoiceRow, 'evidence' | 'evidenceConflict'> {
  const { evidence, conflict } = evidenceOf({
    ...facts,
    billingCountry: buyer.country ?? null,
    reverseCharge: taxReason === 'reverse_charge',
  })
  return { evidence, evidenceConflict: conflict }
}

/** Cards and addresses of Monaco count as French, because French VAT applies there. */
function lawOf(country: string): string {
  return territoryOf({ country, postcode: null }).country
}
