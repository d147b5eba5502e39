import { type Static, Type } from 'typebox'
import { isCountry } from '#lib/country.ts'
import { Country } from '#lib/schema.ts'
import { type Day, dayOf, type Instant } from '#lib/time.ts'
import { territoryOf } from '#lib/vat.ts'
import type { Db } from '#platform/database/index.ts'
import { type SellerTerms, sellerOf, settings, settingsOf } from '#tenants'
import { type BillingProfile, billingProfileOf } from '#users'
import {
  decideTax,
  type TaxCustomer,
  type TaxDecision,
  type TaxProfile,
  type TaxRateVersion,
} from './tax-rates/decision.ts'
import { listVersions } from './tax-rates/queries.ts'

/** The VAT settings of a tenant that its seller details do not contain. */
export const taxSettings = settings(
  'tax',
  Type.Object({
    distanceThresholdPassed: Type.Boolean({
      default: false,
      description: 'Sells more than 10 000 EUR a year to consumers in other EU countries',
    }),
    locationEvidenceThresholdPassed: Type.Boolean({
      default: false,
      description:
        'Sells more than 100 000 EUR a year to consumers in other EU countries, so their country needs ' +
        'two pieces of evidence',
    }),
    registrations: Type.Array(Country, {
      default: [],
      maxItems: 50,
      description: 'Countries with a VAT registration of their own',
    }),
    requireVies: Type.Boolean({
      default: false,
      description: 'Accept only VAT numbers that the EU register has confirmed',
    }),
    viesDays: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 90,
      description: 'Days after which the EU register is asked again before a renewal',
    }),
  }),
)

/**
 * Everything the tax decision on a sale depends on except the product: read once, used for each
 * line.
 */
export type TaxContext = {
  readonly seller: SellerTerms
  readonly profile: TaxProfile
  readonly customer: TaxCustomer
  readonly rates: readonly TaxRateVersion[]
  readonly taxDate: Day
}

/** What the tax on all sales of a tenant depends on. */
type TaxHome = Pick<TaxContext, 'seller' | 'profile'>

type Sale = {
  tenantId: string
  /** The result of an earlier `taxHomeOf`; if it is left out, it is read now. */
  home?: TaxHome
  /** Null: a customer in the seller's country of whom nothing else is known. */
  customer: TaxCustomer | null
  taxRateIds: readonly (string | null)[]
  at: Instant
}

/** Reads what the tax on all sales of a tenant depends on. */
export async function taxHomeOf(db: Db, tenantId: string): Promise<TaxHome> {
  const [seller, values] = await Promise.all([
    sellerOf(db, tenantId),
    settingsOf(db, tenantId, taxSettings),
  ])
  return { seller, profile: profileOf(seller, values) }
}

/** Reads what decides on the tax of sales to one customer. Throws 422 for an unknown country. */
export async function taxContextOf(db: Db, { customer, ...sale }: Sale): Promise<TaxContext> {
  return (await taxContextsOf(db, { ...sale, customers: [customer] }))(customer)
}

type Sales = Omit<Sale, 'customer'> & { customers: readonly (TaxCustomer | null)[] }

/**
 * Reads what decides on the tax of sales to several customers, and returns a function that gives the
 * context of each. For a customer of an unknown country that function throws 422; the others are not
 * affected.
 */
export async function taxContextsOf(
  db: Db,
  { tenantId, taxRateIds, at, customers, home }: Sales,
): Promise<(customer: TaxCustomer | null) => TaxContext> {
  const { seller, profile } = home ?? (await taxHomeOf(db, tenantId))
  const { country, postcode } = profile
  const unknown: TaxCustomer = { country, postcode, vatNumber: null, vatStatus: 'none' }
  const places = customers.filter((it) => it === null || isCountry(it.country))
  const countries = new Set(
    [profile, ...places.map((it) => it ?? unknown)].flatMap((place) => {
      const territory = territoryOf(place)
      return [territory.country, ...territory.codes]
    }),
  )
  const known = taxRateIds.filter((id) => id !== null)
  const rates = await listVersions(db, tenantId, { countries: [...countries], taxRateIds: known })
  return (sold) => {
    const customer = sold ?? unknown
    territoryOf(customer)
    return { seller, profile, customer, rates, taxDate: dayOf(at) }
  }
}

/** How a sale of something with this tax rate is taxed (R2.2). Throws 422 if no rate is known. */
export function decisionIn(
  { profile, customer, rates, taxDate }: TaxContext,
  taxRateId: string | null,
): TaxDecision {
  return decideTax({ seller: profile, customer, productRateId: taxRateId, rates, taxDate })
}

/** A person as the tax decision sees them; null while their country is not known. */
export function taxCustomerOf(person: BillingProfile | undefined): TaxCustomer | null {
  const country = person?.address?.country ?? person?.country
  if (!person || !country) return null
  const { vatNumber, vatStatus, address } = person
  return { country, postcode: address?.postcode ?? null, vatNumber, vatStatus }
}

/** The tax context of sales to one user. */
export async function taxContextFor(
  db: Db,
  { userId, ...sale }: Omit<Sale, 'customer'> & { userId: string },
): Promise<TaxContext> {
  const { tenantId } = sale
  const [person, home] = await Promise.all([
    billingProfileOf(db, { tenantId, userId }),
    taxHomeOf(db, tenantId),
  ])
  return taxContextOf(db, { ...sale, home, customer: taxCustomerOf(person) })
}

function profileOf(
  { country, postcode, taxStatus, oneStopShop }: SellerTerms,
  {
    locationEvidenceThresholdPassed: _,
    viesDays: __,
    ...values
  }: Static<typeof taxSettings.schema>,
): TaxProfile {
  // A seller without a postcode counts as being on its country's mainland.
  return { country, postcode, taxStatus: taxStatus ?? 'registered', oneStopShop, ...values }
}
