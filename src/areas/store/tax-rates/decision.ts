import { type BasisPoints, basisPoints } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import type { TaxTreatment } from '#lib/tax.ts'
import type { Day } from '#lib/time.ts'
import { standardRateOn, type Territory, territoryOf } from '#lib/vat.ts'
import { isEuVatNumberOf, type VatStatus } from '#lib/vat-number.ts'

/** How a tenant is registered for VAT. */
export type TaxProfile = {
  readonly country: string
  readonly postcode: string | null
  /** `small_business` is exempt: FR art. 293 B CGI, DE § 19 UStG. */
  readonly taxStatus: 'registered' | 'small_business' | 'not_subject'
  /** Declares consumer sales in other EU countries through the One Stop Shop. */
  readonly oneStopShop: boolean
  /** Has passed the 10 000 EUR a year of directive 2006/112/EC art. 59c. */
  readonly distanceThresholdPassed: boolean
  /** Countries with a VAT registration of its own, as ISO codes. */
  readonly registrations: readonly string[]
  /** Whether only a number that the EU's register has confirmed counts (R2.4). */
  readonly requireVies: boolean
}

export type TaxCustomer = {
  readonly country: string
  readonly postcode: string | null
  readonly vatNumber: string | null
  readonly vatStatus: VatStatus
}

/**
 * One version of a tenant's tax rate. `validTo` is the first day on which it no longer applies (R2.6).
 */
export type TaxRateVersion = {
  readonly id: string
  readonly country: string
  readonly class: string
  readonly category: 'S' | 'E'
  readonly rateBasisPoints: BasisPoints
  readonly validFrom: Day
  readonly validTo: Day | null
}

export type TaxFacts = {
  readonly seller: TaxProfile
  readonly customer: TaxCustomer
  /** The rate the product refers to; null: its country's standard rate. */
  readonly productRateId: string | null
  /** All versions of the tenant's rates that are not archived. */
  readonly rates: readonly TaxRateVersion[]
  /** The invoice's issue date in UTC. */
  readonly taxDate: Day
}

/** Which row of the decision table applied (R2.2 a to g). */
export type TaxReason =
  | 'small_business'
  | 'not_subject'
  | 'local_registration'
  | 'outside_eu'
  | 'domestic'
  | 'reverse_charge'
  | 'destination'
  | 'below_threshold'

export type TaxDecision = TaxTreatment & { readonly reason: TaxReason }

type Rate = Pick<TaxRateVersion, 'category' | 'rateBasisPoints'>
type Places = { readonly here: Territory; readonly there: Territory }

const STANDARD_CLASS = 'standard'

/**
 * How a sale is taxed: the first row of R2.2 that applies. It depends on its arguments only, so the same
 * sale is always taxed alike. Throws 422 if the rate that has to apply is not known: a missing rate is
 * never taken for 0.
 */
export function decideTax(facts: TaxFacts): TaxDecision {
  const { seller, customer } = facts
  const places = { here: territoryOf(seller), there: territoryOf(customer) }
  const { country } = places.there
  const homeRateBasisPoints = homeRate(facts, places.here)?.rateBasisPoints ?? null
  const untaxed = { country, homeRateBasisPoints }

  if (seller.taxStatus === 'not_subject') {
    // Its prices include no VAT that could be deducted.
    const outside = { category: 'O', rateBasisPoints: null, homeRateBasisPoints: null } as const
    return { ...outside, country: places.here.country, reason: 'not_subject' }
  }
  if (seller.taxStatus === 'small_business') {
    const exempt = { category: 'E', rateBasisPoints: basisPoints(0) } as const
    return { ...untaxed, ...exempt, country: places.here.country, reason: 'small_business' }
  }
  if (!places.there.inEuVat) {
    const taxed = localRegistration(facts, places)
    if (taxed) return { ...taxed, homeRateBasisPoints, reason: 'local_registration' }
    return { ...untaxed, category: 'O', rateBasisPoints: null, reason: 'outside_eu' }
  }
  if (isDomestic(places)) return { ...homeTax(facts, places.here), reason: 'domestic' }
  if (isAccepted(customer, country, seller.requireVies)) {
    const rateBasisPoints = basisPoints(0)
    return { ...untaxed, category: 'AE', rateBasisPoints, reason: 'reverse_charge' }
  }
  if (taxesAtDestination(seller, places)) {
    const rate = known(destinationRate(facts, places.there), country, facts.taxDate)
    return { ...rate, ...untaxed, reason: 'destination' }
  }
  return { ...homeTax(facts, places.here), reason: 'below_threshold' }
}

/** Row d: the same country, both of them inside EU VAT. */
function isDomestic({ here, there }: Places): boolean {
  return here.inEuVat && here.country === there.country
}

/**
 * Row e: the number belongs to the customer's country and the register has not rejected it (R2.3, R2.4).
 */
function isAccepted(customer: TaxCustomer, country: string, requireVies: boolean): boolean {
  const { vatNumber, vatStatus } = customer
  if (vatNumber === null || !isEuVatNumberOf(vatNumber, country)) return false
  return requireVies ? vatStatus === 'valid' : vatStatus !== 'invalid'
}

/** Row f. The threshold of art. 59c is for sellers established in the EU: others have none. */
function taxesAtDestination(seller: TaxProfile, { here, there }: Places): boolean {
  if (seller.oneStopShop || seller.distanceThresholdPassed || !here.inEuVat) return true
  return seller.registrations.includes(there.country)
}

/**
 * Row b: null if the seller has to charge nothing in the customer's country, 422 if it has to and no
 * rate is known.
 */
function localRegistration({ seller, rates, taxDate, productRateId }: TaxFacts, places: Places) {
  const { codes, localRate } = places.there
  const code = codes.find((it) => seller.registrations.includes(it))
  if (code) {
    const rate = ownRate({ rates, taxDate, country: code, taxClass: classOf(rates, productRateId) })
    return { ...known(rate, code, taxDate), country: code }
  }
  if (localRate?.sellerCountry !== places.here.country || !places.here.inEuVat) return null
  const { country } = places.there
  return { category: 'S', rateBasisPoints: localRate.rateBasisPoints, country } as const
}

function homeTax(facts: TaxFacts, here: Territory): TaxTreatment {
  const { category, rateBasisPoints } = known(homeRate(facts, here), here.country, facts.taxDate)
  return { category, rateBasisPoints, country: here.country, homeRateBasisPoints: rateBasisPoints }
}

/**
 * The product's own rate in the seller's country, else that country's standard rate; never a rate of
 * another country.
 */
function homeRate({ productRateId, rates, taxDate }: TaxFacts, here: Territory): Rate | null {
  const { country } = here
  const own = rates.find(
    (rate) => rate.id === productRateId && rate.country === country && inForce(rate, taxDate),
  )
  return own ?? countryRate({ rates, taxDate, country, taxClass: STANDARD_CLASS }, here)
}

function destinationRate(facts: TaxFacts, there: Territory): Rate | null {
  const taxClass = classOf(facts.rates, facts.productRateId)
  return countryRate({ ...facts, country: there.country, taxClass }, there)
}

type RateSearch = Pick<TaxFacts, 'rates' | 'taxDate'> & { country: string; taxClass: string }

/** A territory's own rate, else the tenant's for the country, else the built-in one (R2.6). */
function countryRate(search: RateSearch, { rateBasisPoints }: Territory): Rate | null {
  if (rateBasisPoints !== null) return { category: 'S', rateBasisPoints }
  const own = ownRate(search)
  if (own) return own
  const standard = standardRateOn(search.country, search.taxDate)
  return standard === null ? null : { category: 'S', rateBasisPoints: standard }
}

/** The tenant's rate of the product's class in a country, else its standard rate in that country. */
function ownRate({ rates, taxDate, country, taxClass }: RateSearch): Rate | null {
  const current = rates.filter((rate) => rate.country === country && inForce(rate, taxDate))
  const ofClass = (wanted: string) => current.find((rate) => rate.class === wanted)
  return ofClass(taxClass) ?? ofClass(STANDARD_CLASS) ?? null
}

function classOf(rates: readonly TaxRateVersion[], id: string | null): string {
  return rates.find((rate) => rate.id === id)?.class ?? STANDARD_CLASS
}

function inForce({ validFrom, validTo }: TaxRateVersion, on: Day): boolean {
  return validFrom <= on && (validTo === null || on < validTo)
}

function known(rate: Rate | null, country: string, taxDate: Day): Rate {
  if (rate) return { category: rate.category, rateBasisPoints: rate.rateBasisPoints }
  const message = `No tax rate is known for ${country} on ${taxDate}. Add one to sell there.`
  throw unprocessable(message, 'tax_rate_unknown')
}
