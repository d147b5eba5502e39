import { unprocessable } from './problem.ts'
import { EU_COUNTRIES, territoryOf, vatNumberFormat } from './vat.ts'

/** The result of the EU's register for a number; `none` if there is no number (R2.4). */
export type VatStatus = 'none' | 'unchecked' | 'valid' | 'invalid' | 'unavailable'

/**
 * A VAT number as it is stored: capitals, without spaces, dots and dashes, Greek ones with EL. Throws 422 if it is of
 * another country than the address, or does not have that country's format (R2.3). Outside the EU only obvious nonsense
 * is refused, because the formats there are not known here.
 */
export function vatNumberOf(text: string, country: string): string {
  const home = territoryOf({ country, postcode: null }).country
  const number = plain(text, home)
  const format = vatNumberFormat(home)
  const foreign = format ? !number.startsWith(format.prefix) : EU_COUNTRIES.some(shapes(number))
  if (foreign) {
    const message = 'This VAT number is not of the country of your billing address.'
    throw unprocessable(message, 'vat_number_country_mismatch')
  }
  if (!(format?.pattern ?? /^[A-Z0-9/]{4,20}$/).test(number)) {
    throw unprocessable('This VAT number does not have the right form.', 'vat_number_invalid')
  }
  return number
}

/** Whether a stored number is of an EU country and has its prefix and format (R2.3). */
export function isEuVatNumberOf(number: string, country: string): boolean {
  return vatNumberFormat(country)?.pattern.test(number) ?? false
}

/**
 * Whether the check digits of a well-formed number are wrong. This may lead to a warning, but never to a refusal:
 * countries introduce new ranges of numbers (R2.3). False if the rule of a country is not known.
 */
export function checkDigitsFail(number: string): boolean {
  const check = CHECKS[number.slice(0, 2)]
  return check !== undefined && !check(number.slice(2))
}

const CHECKS: Record<string, (rest: string) => boolean> = {
  DE: german,
  FR: french,
  BE: (rest) => 97 - (Number(rest.slice(0, 8)) % 97) === Number(rest.slice(8)),
  IT: italian,
  NL: (rest) => dutchPersonal(rest) || dutchCompany(rest),
}

/** ISO 7064 mod 11,10. */
function german(rest: string): boolean {
  let product = 10
  for (const digit of digitsOf(rest.slice(0, 8))) {
    const sum = (digit + product) % 10 || 10
    product = (2 * sum) % 11
  }
  return (11 - product) % 10 === Number(rest.slice(8))
}

/** The key of the company register's number; keys with letters follow rules of their own. */
function french(rest: string): boolean {
  const key = rest.slice(0, 2)
  if (!/^\d\d$/.test(key)) return true
  return (12 + 3 * (Number(rest.slice(2)) % 97)) % 97 === Number(key)
}

/** Luhn. */
function italian(rest: string): boolean {
  const sum = digitsOf(rest).reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit : digit * 2
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

/** Since 2020: the whole number, with letters as 10 to 35, is 1 modulo 97. */
function dutchPersonal(rest: string): boolean {
  const numeric = [...`NL${rest}`].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(numeric) % 97n === 1n
}

/** Before 2020: weights 9 to 2, modulo 11. */
function dutchCompany(rest: string): boolean {
  const digits = digitsOf(rest.slice(0, 9))
  const sum = digits.slice(0, 8).reduce((total, digit, index) => total + digit * (9 - index), 0)
  return sum % 11 === digits[8]
}

function digitsOf(text: string): number[] {
  return [...text].map(Number)
}

function plain(text: string, country: string): string {
  const number = text.toUpperCase().replace(/[\s.-]/g, '')
  return country === 'GR' ? number.replace(/^GR/, 'EL') : number
}

function shapes(number: string): (country: string) => boolean {
  return (country) => isEuVatNumberOf(number, country)
}
