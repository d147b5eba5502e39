import { isCountry } from './country.ts'
import data from './data/eu-vat-rates.json' with { type: 'json' }
import { type BasisPoints, basisPoints } from './money.ts'
import { unprocessable } from './problem.ts'
import { type Day, day } from './time.ts'

export type Place = {
  /** A code for which `isCountry` is true. */
  readonly country: string
  readonly postcode: string | null
}

/** The territory of a place for VAT, which is not always its country (R2.2). */
export type Territory = {
  /** The country whose VAT system applies, or would: FR for Monaco and Réunion, GB for XI. */
  readonly country: string
  /** The codes that a seller's registration or tax rate for this territory may have; may be empty. */
  readonly codes: readonly string[]
  readonly inEuVat: boolean
  /** A standard rate of its own inside the EU, as in Madeira; null if the country's applies. */
  readonly rateBasisPoints: BasisPoints | null
  /** The rate of sellers of one country here although it is outside EU VAT (Réunion). */
  readonly localRate: { sellerCountry: string; rateBasisPoints: BasisPoints } | null
}

type RateEntry = (typeof data.rates)[number]

type TerritoryEntry = {
  country: string
  isoCountries?: string[] | undefined
  postcode?: string | undefined
  outsideEuVat?: boolean | undefined
  standardRateBp?: number | undefined
  localRate?: { sellerCountry: string; rateBp: number } | undefined
  asCountry?: string | undefined
}

const RATES = new Map<string, RateEntry>(data.rates.map((entry) => [entry.country, entry]))
/** Territories that differ from their country for VAT, by the country of an address. */
const TERRITORIES = territoriesByCountry(data.territories)

/** The member states of the EU, as ISO codes. */
export const EU_COUNTRIES: readonly string[] = [...RATES.keys()]

/** The prefix and format of a member state's VAT numbers; undefined outside the EU. */
export function vatNumberFormat(country: string): { prefix: string; pattern: RegExp } | undefined {
  const entry = RATES.get(country)
  return entry && { prefix: entry.vatPrefix, pattern: new RegExp(entry.vatNumberPattern) }
}

/** The territory of an address. Throws 422 for a country that does not exist. */
export function territoryOf({ country, postcode }: Place): Territory {
  if (!isCountry(country)) {
    throw unprocessable(`There is no country with the code ${country}.`, 'country_unknown')
  }
  const entry = entryOf(country, postcode)
  const lawOf = entry?.asCountry ?? entry?.country ?? country
  const { standardRateBp, localRate } = entry ?? {}
  return {
    country: lawOf,
    codes: entry?.outsideEuVat ? (entry.isoCountries ?? []) : [lawOf],
    inEuVat: RATES.has(lawOf) && !entry?.outsideEuVat,
    rateBasisPoints: standardRateBp === undefined ? null : basisPoints(standardRateBp),
    localRate: localRate
      ? {
          sellerCountry: localRate.sellerCountry,
          rateBasisPoints: basisPoints(localRate.rateBp),
        }
      : null,
  }
}

/** A member state's standard rate on a day; null if the built-in table has none (R2.6). */
export function standardRateOn(country: string, on: Day): BasisPoints | null {
  const entry = RATES.get(country)
  if (!entry) return null
  // The older dates of a first rate are from memory: useful as information, but not as a reason to refuse.
  const openStart = entry.history.length === 0 && entry.effectiveFromConfidence === 'recalled'
  if (openStart || on >= entry.effectiveFrom) return basisPoints(entry.standardRateBp)
  const past = entry.history.find((it) => it.effectiveFrom <= on && on < it.effectiveTo)
  return past ? basisPoints(past.rateBp) : null
}

/** A standard rate with the days on which it applies; `validTo` is the first day on which it no longer does. */
export type DatedRate = {
  readonly rateBasisPoints: BasisPoints
  readonly validFrom: Day
  readonly validTo: Day | null
}

/** The last day on which the built-in table was compared with its sources. */
export const RATES_AS_OF: Day = day(data.asOf)

/** All standard rates of a member state in the built-in table, oldest first. */
export function standardRatesOf(country: string): DatedRate[] {
  const entry = RATES.get(country)
  if (!entry) return []
  const past = entry.history.map(({ rateBp, effectiveFrom, effectiveTo }) => ({
    rateBasisPoints: basisPoints(rateBp),
    validFrom: day(effectiveFrom),
    validTo: day(effectiveTo),
  }))
  const current = {
    rateBasisPoints: basisPoints(entry.standardRateBp),
    validFrom: day(entry.effectiveFrom),
    validTo: null,
  }
  return [...past, current].sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
}

type Covered = { readonly entry: TerritoryEntry; readonly postcodes: RegExp | null }

/** In the order of the table: the first that covers an address applies. */
function territoriesByCountry(entries: readonly TerritoryEntry[]): Map<string, Covered[]> {
  const byCountry = new Map<string, Covered[]>()
  for (const entry of entries) {
    const { country, isoCountries = [], postcode } = entry
    for (const code of new Set([...isoCountries, country])) {
      // An ISO code of its own means the whole territory, whatever the postcode is.
      const whole = postcode === undefined || isoCountries.includes(code)
      const covered = { entry, postcodes: whole ? null : new RegExp(postcode) }
      byCountry.set(code, [...(byCountry.get(code) ?? []), covered])
    }
  }
  return byCountry
}

function entryOf(country: string, postcode: string | null): TerritoryEntry | undefined {
  const known = TERRITORIES.get(country)
  if (!known) return undefined
  const code = plainPostcode(postcode)
  return known.find(({ postcodes }) => postcodes === null || postcodes.test(code))?.entry
}

/** `AX-22 100` and `22100` are the same postcode. */
function plainPostcode(postcode: string | null): string {
  return (postcode ?? '')
    .toUpperCase()
    .replace(/\s/g, '')
    .replace(/^[A-Z]{1,2}-/, '')
}
