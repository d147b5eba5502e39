import { isCountry } from '#lib/country.ts'
import { assertNoLink } from '#lib/links.ts'
import { forbidden, unprocessable } from '#lib/problem.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { vatNumberOf } from '#lib/vat-number.ts'
import type { UserRow } from '../queries.ts'
import type { ProfileChange } from '../schema.ts'
import { isInRegister } from '../vat/rules.ts'

const FRESH_MS = 15 * MINUTE_MS

/** What of a row decides about a change of the profile. */
type Profile = Pick<
  UserRow,
  'name' | 'company' | 'country' | 'addressCountry' | 'vatNumber' | 'marketingConsentAt'
>

/** The profile of a person who registers: nothing is known of them yet. */
export const NO_PROFILE: Profile = {
  ...{ name: '', company: null, country: null, addressCountry: null },
  ...{ vatNumber: null, marketingConsentAt: null },
}

/** What of a row a change of the profile sets. */
export type ProfileColumns = Partial<
  Pick<
    UserRow,
    | ('name' | 'company' | 'country' | 'locale')
    | ('phone' | 'timeZone' | 'marketingConsentAt')
    | ('vatNumber' | 'vatStatus' | 'vatCheckAt' | 'vatCheckTries')
    | ('addressLine1' | 'addressLine2' | 'addressPostcode' | 'addressCity')
    | ('addressRegion' | 'addressCountry')
  >
>

/**
 * The columns that a change of the profile sets. The VAT number has to fit the country of the
 * billing address, or the person's where there is no address (R2.3); a new one is checked from `now`
 * on. Throws 422.
 */
export function profileColumns(user: Profile, change: ProfileChange, now: Instant): ProfileColumns {
  const { address, name, company, country, locale, phone, timeZone } = change
  assertNoLink('name', name === user.name ? null : name)
  assertNoLink('company', company === user.company ? null : company)
  if (timeZone) assertTimeZone(timeZone)
  const plain = { name, company, country, locale, phone, timeZone }
  const given = Object.entries(plain).filter(([, value]) => value !== undefined)
  const columns: ProfileColumns = {
    ...(Object.fromEntries(given) as ProfileColumns),
    ...(address !== undefined && addressColumns(address)),
    ...consentColumns(user, change.marketingConsent, now),
  }
  for (const code of [country, address?.country]) {
    if (code && !isCountry(code)) {
      throw unprocessable(`There is no country with the code ${code}.`, 'country_unknown')
    }
  }
  return { ...columns, ...vatColumns({ ...user, ...columns }, user, change.vatNumber, now) }
}

/** Agreeing again leaves the moment of the first time: it is the evidence. */
function consentColumns(
  { marketingConsentAt }: Profile,
  wanted: boolean | undefined,
  now: Instant,
): ProfileColumns {
  if (wanted === undefined) return {}
  return { marketingConsentAt: wanted ? (marketingConsentAt ?? now) : null }
}

/** Throws 422 for a time zone that the IANA database does not know. */
function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw unprocessable(`There is no time zone called ${timeZone}.`, 'time_zone_unknown')
  }
}

function addressColumns(address: ProfileChange['address']): ProfileColumns {
  return {
    addressLine1: address?.line1 ?? null,
    addressLine2: address?.line2 ?? null,
    addressPostcode: address?.postcode ?? null,
    addressCity: address?.city ?? null,
    addressRegion: address?.region ?? null,
    addressCountry: address?.country ?? null,
  }
}

function vatColumns(
  after: Profile,
  before: Profile,
  wanted: string | null | undefined,
  now: Instant,
): ProfileColumns {
  if (wanted === null) return { vatNumber: null, vatStatus: 'none', vatCheckAt: null }
  const text = wanted ?? before.vatNumber
  if (text === null) return {}
  const country = after.addressCountry ?? after.country
  const moved = country !== (before.addressCountry ?? before.country)
  if (wanted === undefined && !moved) return {}
  if (!country) {
    throw unprocessable('A VAT number needs a billing address or a country.', 'country_required')
  }
  const vatNumber = vatNumberOf(text, country)
  if (vatNumber === before.vatNumber) return {}
  const vatCheckAt = isInRegister(vatNumber) ? now : null
  return { vatNumber, vatStatus: 'unchecked', vatCheckAt, vatCheckTries: 0 }
}

/** Whether a session began so recently that its person need not show the password again. */
export function isFresh(createdAt: Instant | undefined, now: Instant): boolean {
  return createdAt !== undefined && createdAt > later(now, -FRESH_MS)
}

/** Throws 403 where the password had to be shown and was not, or was wrong. */
export function assertProven(right: boolean): void {
  if (!right) throw forbidden('Your current password is needed for this.', 'password_required')
}
