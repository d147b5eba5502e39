import { pageAssets } from '#platform/pages/assets.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { field, notice } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import type { RegistrationMode } from '#users'
import { messagePage, quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import { addressFields, companyFields, countryChoice, termsTick } from './fields.ts'

type Frame = {
  title: string
  lead: string
  body: Html
  /** Whether the page offers a passkey, which needs a script. */
  scripted?: boolean
}

/** A page about an account, with a title and a sentence above the form. */
export function accountPage(
  visit: Visit,
  { title, lead, body, scripted = false }: Frame,
): PageDocument {
  return quietPage(visit, {
    ...{ title, main: 'small' },
    head: scripted ? passkeyScript() : null,
    body: html`<div class="intro"><h1>${title}</h1><p class="dim">${lead}</p></div>${body}`,
  })
}

function passkeyScript(): Html {
  return html`<script src="${pageAssets().passkeyScript.url}" type="module"></script>`
}

export type SignInFault = 'wrong' | 'unconfirmed' | 'suspended' | 'passkeyFailed' | 'tooMany'

type SignIn = { readonly next: string; readonly email?: string; readonly fault?: SignInFault }

/** Asks for address and password; also offers a passkey if the browser has scripts. */
export function signInPage(visit: Visit, { next, email = '', fault }: SignIn): PageDocument {
  const { account } = visit.texts
  const isWrong = fault === 'wrong' || fault === 'unconfirmed'
  const hint = isWrong
    ? html`<p>${account.wrongHint} <a href="/forgot">${account.wrongLink}</a>.</p>${fault === 'unconfirmed' ? html`<p class="below"><a href="/verify/resend">${account.resend}</a></p>` : null}`
    : null
  const onward = new URLSearchParams({ next }).toString()
  return accountPage(visit, {
    title: account.signInTitle(visit.look.shop),
    lead: account.signInLead,
    scripted: true,
    body: html`${fault ? notice({ tone: 'failed', title: account[fault], body: hint }) : null}
${passkeyForm(visit, { next })}
<form class="sheet pad stack md below" method="post" action="/sign-in"><input type="hidden" name="next" value="${next}">
${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username webauthn', value: email, maxLength: 254, required: true })}
${field({ id: 'password', label: account.password, type: 'password', autocomplete: 'current-password', required: true })}
<button class="button">${account.submit}</button><a class="mid" href="/forgot">${account.forgot}</a></form>
<p class="dim mid below">${account.firstTime} <a href="/register?${onward}">${account.register}</a></p>`,
  })
}

type SecondStep = {
  readonly next: string
  /** Identifies the sign-in whose password was correct; it gives no access by itself. */
  readonly mfaToken: string
  /** Which second factors the person has: codes, a passkey, or both. */
  readonly codes: boolean
  readonly passkey: boolean
  readonly fault?: SignInFault
}

/** Asks for the second factor. A person who has only passkeys sees a notice that they need scripts. */
export function codePage(visit: Visit, step: SecondStep): PageDocument {
  const { next, mfaToken, codes, passkey, fault } = step
  const { account } = visit.texts
  const form = html`<form class="sheet pad stack md below" method="post" action="/sign-in/code"><input type="hidden" name="next" value="${next}"><input type="hidden" name="mfaToken" value="${mfaToken}"><input type="hidden" name="passkey" value="${passkey ? 1 : ''}">
${field({ id: 'code', label: account.code, autocomplete: 'one-time-code', maxLength: 50, required: true, autofocus: true })}<button class="button">${account.codeSubmit}</button></form>`
  return accountPage(visit, {
    title: account.codeTitle,
    lead: account.codeLead,
    scripted: passkey,
    body: html`${fault ? notice({ tone: 'failed', title: fault === 'wrong' ? account.codeWrong : account[fault] }) : null}${passkey ? passkeyForm(visit, { next, mfaToken }) : null}${codes ? form : html`<p data-without-passkey>${account.passkeyOnly}</p>`}<p class="mid below"><a href="/sign-in">${account.startAgain}</a></p>`,
  })
}

/** The form that the script shows and fills; without scripts it stays hidden. */
function passkeyForm(
  { texts }: Visit,
  { next, mfaToken }: { next: string; mfaToken?: string },
): Html {
  const { account } = texts
  return html`<form class="sheet pad stack md" method="post" action="/sign-in/passkey" hidden><input type="hidden" name="next" value="${next}"><input type="hidden" name="response" value="">${mfaToken === undefined ? null : html`<input type="hidden" name="mfaToken" value="${mfaToken}">`}<button type="button" class="button plain" hidden data-passkey>${icon('key', 17)}${account.passkey}</button><p class="sub" role="alert" hidden data-passkey-failed>${account.passkeyFailed}</p></form>`
}

export type Register = {
  readonly next: string
  readonly values: Readonly<Record<string, string>>
  readonly errors?: Readonly<Record<string, string>>
  readonly message?: Html | null
}

/** Asks for the details that an account needs, and optionally for those that invoices need. */
export function registerPage(
  visit: Visit,
  { next, values, errors = {}, message = null }: Register,
): PageDocument {
  const { account } = visit.texts
  const onward = new URLSearchParams({ next }).toString()
  const isOpen = DETAILS.some((name) => values[name] || errors[name])
  return accountPage(visit, {
    title: account.registerTitle,
    lead: account.registerLead,
    body: html`${message}
<form class="sheet pad stack md" method="post" action="/register"><input type="hidden" name="next" value="${next}">
${field({ id: 'name', label: account.name, autocomplete: 'name', value: values.name ?? '', error: errors.name, required: true })}
${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', value: values.email ?? '', maxLength: 254, error: errors.email, required: true })}
${field({ id: 'password', label: account.password, type: 'password', autocomplete: 'new-password', hint: account.passwordHint, error: errors.password, required: true })}
${countryChoice(visit, values.country ?? '')}
<details${isOpen ? html` open` : null}><summary>${account.details}</summary><div class="stack md below">${companyFields(visit, values, errors)}
${addressFields(visit, values, errors)}</div></details>
${termsTick(visit, values, errors)}
<button class="button">${account.register}</button></form>
<p class="dim mid below">${account.haveAccount} <a href="/sign-in?${onward}">${account.submit}</a></p>`,
  })
}

const DETAILS = ['company', 'vatNumber', 'phone', 'line1', 'postcode', 'city']

/** The page of a shop that accepts no new accounts, or only invited people. */
export function registrationClosedPage(visit: Visit, mode: RegistrationMode): PageDocument {
  const { account } = visit.texts
  return messagePage(visit, {
    title: account.closedTitle,
    lead: mode === 'closed' ? account.closedLead : account.invitedOnly,
    ...{ to: '/sign-in', link: account.submit },
  })
}

/** Asks for the address to send a password reset link to. */
export function forgotPage(visit: Visit): PageDocument {
  const { account } = visit.texts
  return accountPage(visit, {
    ...{ title: account.forgotTitle, lead: account.forgotLead },
    body: html`<form class="sheet pad stack md" method="post" action="/forgot">${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', maxLength: 254, required: true })}<button class="button">${account.send}</button><a class="mid" href="/sign-in">${account.backToSignIn}</a></form>`,
  })
}

/** Asks for a new password; the link in the mail brought the token. */
export function resetPage(
  visit: Visit,
  { token, error }: { token: string; error?: string },
): PageDocument {
  const { account } = visit.texts
  return accountPage(visit, {
    ...{ title: account.resetTitle, lead: account.resetLead },
    body: html`<form class="sheet pad stack md" method="post" action="/reset"><input type="hidden" name="token" value="${token}">${field({ id: 'password', label: account.newPassword, type: 'password', autocomplete: 'new-password', hint: account.passwordHint, error, required: true })}<button class="button">${account.save}</button></form>`,
  })
}
