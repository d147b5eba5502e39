import { isCountry } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { isIban, withoutSpaces } from '#lib/iban.ts'
import { badRequest, type Detail, unprocessable } from '#lib/problem.ts'
import { territoryOf } from '#lib/vat.ts'
import { vatNumberOf } from '#lib/vat-number.ts'
import { SELLER_TERMS, type Seller, type SellerEntered } from '../schema.ts'
import type { SellerChange } from '../tenants/schema.ts'

const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/

/** A stored seller with null for everything that is not entered. */
export function enteredIn(seller: object): SellerEntered {
  const known = Object.keys(SELLER_TERMS)
  const own = Object.entries(seller).filter(([key]) => known.includes(key))
  return { ...SELLER_TERMS, ...Object.fromEntries(own) }
}

/**
 * What a seller lacks to sell, by field: name, address and tax decision, and what its country requires on an
 * invoice (R3.11). Empty if it is complete.
 */
export function missingIn(entered: SellerEntered): Detail[] {
  const { name, line1, postcode, city, country, taxStatus, vatNumber, registerNumber } = entered
  const inEuVat = country !== null && territoryOf({ country, postcode }).inEuVat
  const wanted: [boolean, keyof SellerEntered, string][] = [
    [name === null, 'name', 'The legal name of the seller is missing.'],
    [line1 === null, 'line1', 'The address of the seller is missing.'],
    [inEuVat && postcode === null, 'postcode', 'The postcode of the seller is missing.'],
    [city === null, 'city', 'The city of the seller is missing.'],
    [country === null, 'country', 'The country of the seller is missing.'],
    [taxStatus === null, 'taxStatus', 'The tax decision is missing.'],
    [
      taxStatus === 'registered' && inEuVat && vatNumber === null,
      'vatNumber',
      'A seller that is registered for VAT must enter its VAT number.',
    ],
    [
      country === 'FR' && registerNumber === null,
      'registerNumber',
      'A French seller must enter its SIREN or SIRET.',
    ],
    [
      country === 'DE' && taxStatus !== 'registered' && !vatNumber && !registerNumber,
      'registerNumber',
      'A German seller without a VAT number must enter its tax number.',
    ],
  ]
  return wanted.flatMap(([missing, field, message]) =>
    missing ? [{ path: `seller.${field}`, message }] : [],
  )
}

/** A complete seller with its type. Fields that its country did not require when it was entered may be null. */
export function completed({
  name,
  line1,
  city,
  country,
  taxStatus,
  ...terms
}: SellerEntered): Seller {
  if (!name || !line1 || !city || !country || !taxStatus) {
    throw new Error('A seller counts as complete and is not')
  }
  return { name, line1, city, country, taxStatus, ...terms }
}

/**
 * A seller after a change, with its codes as they are stored. Throws 400 for a country,
 * currency or account that does not exist, 422 for a VAT number of another country or form (R2.3).
 */
export function sellerWith(seller: object, change: SellerChange): Partial<SellerEntered> {
  const { iban, bic, ...rest } = change
  const next: Partial<SellerEntered> = {
    ...{ ...seller, ...rest },
    ...(iban !== undefined && { iban: iban === null ? null : withoutSpaces(iban) }),
    ...(bic !== undefined && { bic: bic === null ? null : withoutSpaces(bic) }),
  }
  const { country, vatNumber, currency } = enteredIn(next)
  const faults: [boolean, string, string][] = [
    [country !== null && !isCountry(country), 'country', 'is not a country'],
    [!isCurrency(currency), 'currency', 'is not a currency'],
    [Boolean(next.iban) && !isIban(next.iban ?? ''), 'iban', 'has a wrong digit or letter'],
    [Boolean(next.bic) && !BIC.test(next.bic ?? ''), 'bic', 'is not a BIC'],
  ]
  const details = faults.flatMap(([wrong, field, message]) =>
    wrong ? [{ path: `seller.${field}`, message }] : [],
  )
  const [first] = details
  if (first) throw badRequest(`${first.path} ${first.message}`, details)
  if (vatNumber === null) return next
  if (country === null) {
    const message = 'Enter the country of the seller before its VAT number.'
    throw unprocessable(message, 'seller_country_missing', [{ path: 'seller.country', message }])
  }
  return { ...next, vatNumber: vatNumberOf(vatNumber, country) }
}

/**
 * Throws 422 if a change would remove what an invoice must contain from a seller that sells. What was
 * missing before may stay missing: a seller from before these rules continues to sell.
 */
export function assertStaysComplete(before: object, after: object): void {
  const known = new Set(missingIn(enteredIn(before)).map(({ path }) => path))
  const details = missingIn(enteredIn(after)).filter(({ path }) => !known.has(path))
  const [first] = details
  if (first) throw unprocessable(first.message, 'seller_incomplete', details)
}
