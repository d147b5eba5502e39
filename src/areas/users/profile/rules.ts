import { isCountry } from '#lib/country.ts'
import { assertNoLink } from '#lib/links.ts'
import { forbidden, type Problem, unprocessable } from '#lib/problem.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { vatNumberOf } from '#lib/vat-number.ts'
import type { UserRow } from '../queries.ts'
import type { ConsentSource, ProfileChange } from '../schema.ts'
import { isInRegister } from '../vat/rules.ts'

const FRESH_MS = 15 * MINUTE_MS

/** The columns of a person's row that decide about a change of the profile. */
type Profile = Pick<
  UserRow,
  'name' | 'company' | 'country' | 'addressCountry' | 'vatNumber' | 'marketingConsentAt'
>

/** Whether a person agreed to news and offers, and where. */
type Consent = { readonly agreed: boolean; readonly source: ConsentSource }

/** A change of a profile with the source of the consent in it. */
export type Change = Omit<ProfileChange, 'marketingConsent'> & { consent?: Consent | undefined }

/** The consent in a request; undefined if it does not contain one. */
export function consentIn(agreed: boolean | undefined, source: ConsentSource): Consent | undefined {
  return agreed === undefined ? undefined : { agreed, source }
}

/** The profile of a person who registers: empty. */
export const NO_PROFILE: Profile = {
  ...{ name: '', company: null, country: null, addressCountry: null },
  ...{ vatNumber: null, marketingConsentAt: null },
}

/** The columns that a change of the profile sets. */
export type ProfileColumns = Partial<
  Pick<
    UserRow,
    | ('name' | 'company' | 'country' | 'locale')
    | ('phone' | 'timeZone' | 'marketingConsentAt' | 'marketingConsentSource')
    | ('vatNumber' | 'vatStatus' | 'vatCheckAt' | 'vatCheckTries')
    | ('addressLine1' | 'addressLine2' | 'addressPostcode' | 'addressCity')
    | ('addressRegion' | 'addressCountry')
  >
>

/**
 * The columns that a change of the profile sets. The VAT number has to fit the country of the
 * billing address, or the person's country if there is no address (R2.3); a new one is checked from `now`
 * on. Throws 422.
 */
export function profileColumns(user: Profile, change: Change, now: Instant): ProfileColumns {
  const { address, name, company, country, locale, phone, timeZone } = change
  assertNoLink('name', name === user.name ? null : name)
  assertNoLink('company', company === user.company ? null : company)
  if (timeZone) assertTimeZone(timeZone)
  const plain = { name, company, country, locale, phone, timeZone }
  const given = Object.entries(plain).filter(([, value]) => value !== undefined)
  const columns: ProfileColumns = {
    ...(Object.fromEntries(given) as ProfileColumns),
    ...(address !== undefined && addressColumns(address)),
    ...consentColumns(user, change.consent, now),
  }
  for (const code of [country, address?.country]) {
    if (code && !isCountry(code)) {
      throw unprocessable(`There is no country with the code ${code}.`, 'country_unknown')
    }
  }
  return { ...columns, ...vatColumns({ ...user, ...columns }, user, change.vatNumber, now) }
}

/** Consenting again keeps time and source of the first consent: they are the evidence. */
function consentColumns(
  { marketingConsentAt }: Profile,
  consent: Consent | undefined,
  now: Instant,
): ProfileColumns {
  if (!consent || (consent.agreed && marketingConsentAt)) return {}
  if (!consent.agreed) return { marketingConsentAt: null, marketingConsentSource: null }
  return { marketingConsentAt: now, marketingConsentSource: consent.source }
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

/** Whether a session began so recently that the password need not be shown again. */
export function isFresh(createdAt: Instant | undefined, now: Instant): boolean {
  return createdAt !== undefined && createdAt > later(now, -FRESH_MS)
}

/** Throws 403 if the password was required and missing or wrong. */
export function assertProven(right: boolean): void {
  if (!right) throw passwordRequired()
}

/** 403: the password is missing or wrong. */
export function passwordRequired(): Problem {
  return forbidden('Your current password is needed for this.', 'password_required')
}
