import { countryField, field } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import type { RegistrationMode } from '#users'
import { formatsOf } from '../parts/formats.ts'
import type { Visit } from '../visit.ts'

type Typed = Readonly<Record<string, string>>

/** Who may open an account, and the country that a new customer most likely lives in. */
export type ShopFacts = {
  readonly registration: RegistrationMode
  /** Whether a new account is signed in only after its address is confirmed. */
  readonly confirmBeforeSession: boolean
  readonly country: string
}

export function shopFactsFor(visit: Visit): Promise<ShopFacts> {
  return visit.call<ShopFacts>('GET', '/v1/meta')
}

/** The fields of a billing address, a company and a phone number. An address begins with its street. */
export function addressFields({ texts }: Visit, values: Typed, errors: Typed): Html {
  const own = texts.checkout
  return html`${field({ id: 'line1', label: own.street, autocomplete: 'billing street-address', value: values.line1 ?? '', error: errors.line1, className: 'all' })}
<div class="pair">${field({ id: 'postcode', label: own.postcode, autocomplete: 'billing postal-code', value: values.postcode ?? '', maxLength: 20, error: errors.postcode })}${field({ id: 'city', label: own.city, autocomplete: 'billing address-level2', value: values.city ?? '', maxLength: 100, error: errors.city })}</div>`
}

export function countryChoice({ texts }: Visit, value: string): Html {
  return countryField(
    { id: 'country', label: texts.checkout.country, value },
    formatsOf(texts).countries(),
  )
}

/** `vatHint` is the result of the check of the VAT number so far. */
export function companyFields(
  { texts }: Visit,
  values: Typed,
  errors: Typed,
  vatHint: string = texts.checkout.vatHint,
): Html {
  const own = texts.checkout
  return html`${field({ id: 'company', label: own.company, autocomplete: 'billing organization', value: values.company ?? '', placeholder: own.optional, error: errors.company })}
${field({ id: 'vatNumber', label: own.vatNumber, autocomplete: 'off', value: values.vatNumber ?? '', placeholder: own.optional, hint: vatHint, maxLength: 30, error: errors.vatNumber })}
${field({ id: 'phone', label: own.phone, type: 'tel', autocomplete: 'tel', value: values.phone ?? '', placeholder: own.optional, hint: own.phoneHint, maxLength: 30, error: errors.phone })}`
}

/** The checkbox to accept the terms of sale, if the shop has published some. */
export function termsTick(
  { texts, legalVersions }: Visit,
  values: Typed,
  errors: Typed,
): Html | null {
  const version = legalVersions.get('terms')
  if (version === undefined) return null
  const { terms, termsLink } = texts.checkout
  const error = errors.terms
  const described = error ? html` aria-invalid="true" aria-describedby="terms-error"` : null
  // The box accepts this version only: it is unchecked again after a new version.
  const ticked = values.terms === String(version) ? html` checked` : null
  return html`<div class="consent"><label class="tick"><input type="checkbox" id="terms" name="terms" value="${version}"${ticked}${described}><span class="sub">${terms} <a href="/terms?version=${version}" target="_blank" rel="noopener">${termsLink}</a></span></label>${error ? html`<p class="err" id="terms-error">${error}</p>` : null}</div>`
}

/** The billing details in a form; fields that were left empty are null. */
export function profileIn(form: Partial<Typed>) {
  const text = (value: string | undefined) => (value?.trim() ? value.trim() : null)
  const { line1, postcode, city, country } = form
  const typed = text(line1) ?? text(postcode) ?? text(city)
  return {
    address: typed === null ? null : { line1, postcode, city, country },
    country: text(country),
    company: text(form.company),
    vatNumber: text(form.vatNumber),
    phone: text(form.phone),
  }
}

/** The registration in a form, as the API takes it: fields that were left empty are not sent. */
export function registrationIn(form: Partial<Typed>): Record<string, unknown> {
  const { name, email, password, terms } = form
  const given = Object.entries(profileIn(form)).filter(([, value]) => value !== null)
  return {
    ...{ name, email, password, ...Object.fromEntries(given) },
    ...(terms && { acceptedTermsVersion: Number.parseInt(terms, 10) }),
  }
}
